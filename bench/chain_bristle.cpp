// SPDX-License-Identifier: MIT
// The chain as a machine of Bristle.
#include <string>

#include "bristle/model/erase.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/solve/machine_run.hpp"
#include "chain.hpp"

namespace bench {
namespace {

bristle::Machine machine_of(const Chain& chain) {
  bristle::MachineParts parts;
  parts.drives = {{"plate", {.shape = bristle::Signal::ramp, .rate = chain.drag}}};
  for (int i = 0; i < chain.blocks; ++i) {
    const std::string number = std::to_string(i), name = "block" + number;
    if (i > 0)
      parts.couplings.push_back({"spring" + number,
                                 {parts.bodies.back().name, name},
                                 bristle::couple(bristle::SpringDamper{chain.between, 0.0})});
    parts.couplings.push_back({"drag" + number,
                               {name, "plate"},
                               bristle::couple(bristle::SpringDamper{chain.drag_spring, 0.0})});
    bristle::LuGre<> law;
    law.stiffness = chain.stiffness, law.damping = chain.damping, law.viscous = chain.viscous;
    law.coulomb_force = chain.coulomb, law.static_force = chain.static_force(i);
    law.stribeck_velocity = chain.stribeck_velocity;
    parts.contacts.push_back(
        {"pad" + number, bristle::between(name, "ground"), bristle::erase(law)});
    parts.bodies.push_back({name, {.inertia = chain.mass}});
  }
  return bristle::Machine(std::move(parts));
}

}  // namespace

bool chain_bristle(const Chain& chain, double tolerance, ChainCurves& out) {
  const bristle::Machine machine = machine_of(chain);
  bristle::Options options;
  options.end = chain.end;
  options.tolerance = tolerance;
  options.samples = chain.samples;
  const bristle::MachineResult run = bristle::simulate(machine, options);
  const auto n = std::size_t(chain.blocks), samples = std::size_t(chain.samples);
  // Columns: the time, two for each body, the drive, and five for each contact.
  out.position.resize(n * samples), out.force.resize(n * samples);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < samples && run.summary.ok(); ++k) {
      out.position[k * n + i] = run.columns[1 + 2 * i].values[k];
      out.force[k * n + i] = run.columns[2 + 2 * n + 5 * i + 1].values[k];
    }
  const auto& counts = run.summary.counts;
  out.steps = counts.steps, out.attempts = counts.steps + counts.rejected + counts.event_steps;
  out.ledger = run.summary.ledger.relative_error;
  return run.summary.ok();
}

}  // namespace bench
