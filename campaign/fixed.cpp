// SPDX-License-Identifier: MIT
// Random runs at coarse fixed steps: `coupled`, and a law in the time loop of a host.
//
// Three trials out of four run a machine by the coupled implicit step, with 20 to 800 steps for
// the whole run; every fourth drives a law along a velocity that jumps at random from step to step,
// as a controller does.
#include <algorithm>
#include <cmath>

#include "draw.hpp"
#include "properties.hpp"
#include "trials.hpp"

namespace bristle::campaign {
namespace {

// A machine that the coupled step knows: a body of two states, a law without a memory of its own.
Machine coupled_machine(Random& random, std::uint64_t index) {
  for (std::uint64_t k = index;; ++k) {
    Machine machine = draw(random, k);
    const Parts parts = assemble(machine);
    if (parts.law->remembers() || parts.law->lift() ||
        std::holds_alternative<DiaphragmValve>(parts.mechanism))
      continue;
    machine["solve"]["method"] = std::string("coupled");
    const double steps = std::round(decades(random, std::log10(20.0), std::log10(800.0)));
    machine["solve"]["step"] = parts.options.end / steps;
    // Every step has its sample.
    machine["solve"]["samples"] = steps + 1.0;
    machine["solve"].erase("tolerance");
    return machine;
  }
}

Trial by_coupled_step(const Machine& machine) {
  Trial trial;
  trial.machine = machine;
  trial.law = text(machine, "model", "name");
  trial.mechanism = text(machine, "mechanism", "name");
  const Parts parts = assemble(machine);
  const Simulation done = run(parts);
  std::vector<Violation> found = fixed_violations(parts, done);
  if (found.empty()) return trial;
  const auto worst =
      std::max_element(found.begin(), found.end(),
                       [](const Violation& a, const Violation& b) { return a.size < b.size; });
  trial.failed = true;
  trial.kind = worst->property;
  trial.words = worst->words;
  trial.size = worst->size;
  return trial;
}

// A law in the loop of a host: whatever velocity it is given, its state stays finite and does not
// grow beyond what the law allows.
Trial in_a_host(Random& random, std::uint64_t index) {
  Trial trial;
  Machine machine;
  std::shared_ptr<const AnyLaw> law;
  for (std::uint64_t k = index; !law; ++k) {
    machine = draw(random, k);
    law = assemble(machine).law;
    if (law->set_valued() || law->remembers()) law.reset();
  }
  machine.erase("mechanism");
  machine.erase("input");
  trial.machine = machine;
  trial.law = law->name();
  trial.mechanism = "host";
  const double scale = law->state_scale(), force = law->force_scale(1.0);
  const double step = decades(random, -5.0, -1.0), speed = decades(random, -5.0, 1.0);
  const double most = 1.001 * scale * bound_of(*law);
  double z = 0.0, position = 0.0;
  for (int i = 0; i < 400; ++i) {
    const double v = speed * between(random, -1.0, 1.0);
    position += step * v;
    const Motion<double> m{position, v, 1.0, i * step};
    z = law->advance(z, m, step);
    const auto r = law->respond(z, m, law->engage(z, m, sign(v), {}));
    if (!std::isfinite(z) || !std::isfinite(r.force)) trial.kind = "finite";
    else if (std::abs(z) > most) trial.kind = "bounded";
    if (trial.kind == "holds") continue;
    trial.failed = true;
    trial.size = std::abs(z) / scale;
    trial.words = "z = " + words(z) + " m of " + words(scale) + " m after " +
                  std::to_string(i + 1) + " steps of " + words(step) + " s up to " + words(speed) +
                  " m/s, force scale " + words(force) + " N";
    break;
  }
  return trial;
}

}  // namespace

int run_fixed(const Request& request) {
  return carry_out(
      "fixed", request,
      [&](std::uint64_t index) {
        Random random = random_of(request.seed, index);
        if (index % 4 == 3) return in_a_host(random, index / 4);
        return by_coupled_step(coupled_machine(random, index - index / 4));
      },
      [](const Machine& machine, const std::string& kind) {
        return machine.contains("mechanism") && by_coupled_step(machine).kind == kind;
      });
}

}  // namespace bristle::campaign
