// SPDX-License-Identifier: MIT
// Random machines of several bodies: properties of the default method, and `cvode` beside it. Both
// agree if the positions of all bodies differ nowhere by more than ten tolerances of the largest
// motion. Where they do not, a run at a thousandth of the tolerance tells which of them is off, and
// the summary of that run has to say so.
#include <algorithm>
#include <cmath>

#include "agreement.hpp"
#include "bristle/version.hpp"
#include "many_bodies.hpp"
#include "trials.hpp"

namespace bristle::campaign {
namespace {

MachineResult run_by(const bristle::Machine& machine, Options options, int method) {
  options.method = method;
  options.verify = Options::yes;
  options.progress = [](double) { return !interrupted(); };
  return simulate(machine, options);
}

// The largest difference of the positions over the largest way of a body.
double distance(const bristle::Machine& machine, const MachineResult& a, const MachineResult& b) {
  double worst = 0.0, size = 0.0;
  for (const auto& body : machine.parts().bodies) {
    const auto &one = a[body.name + ".position"], &other = b[body.name + ".position"];
    for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
      worst = std::max(worst, std::abs(one[i] - other[i]));
      size = std::max(size, std::abs(one[i] - one[0]));
    }
  }
  return worst > 0.0 ? worst / std::max(size, 1e-300) : 0.0;
}

Trial judge(const ManyBodies& drawn) {
  Trial trial;
  trial.text = toml_text(drawn, "trial");
  trial.law = "several";
  const bristle::Machine machine = built(drawn);
  trial.mechanism = std::to_string(machine.parts().bodies.size()) + " bodies";
  const Options options = make<Options>(drawn.solve);
  const MachineResult first = run_by(machine, options, Options::rosenbrock);
  const auto found = violations(machine, options, first);
  if (!found.empty()) {
    trial.failed = true;
    trial.kind = found.front().property;
    trial.words = found.front().words;
    trial.size = found.front().size;
    return trial;
  }
  if (!first.summary.ok()) {
    trial.kind = std::string(words(first.summary.status));
    return trial;
  }
  if (!with_sundials) return trial;
  const MachineResult second = run_by(machine, options, Options::cvode);
  if (!second.summary.ok()) {
    trial.kind = "cvode " + std::string(words(second.summary.status));
    return trial;
  }
  const double off = distance(machine, first, second) / options.tolerance;
  trial.kind = "agree";
  if (off <= agreed) return trial;
  Options finer = options;
  finer.tolerance = std::max(1e-3 * options.tolerance, 1e-13);
  const MachineResult fine = run_by(machine, finer, Options::rosenbrock);
  judge_pair({off, distance(machine, fine, first) / options.tolerance,
              distance(machine, fine, second) / options.tolerance, options.tolerance},
             first.summary, second.summary, trial);
  return trial;
}

}  // namespace

int run_machines(const Request& request) {
  return carry_out("machines", request,
                   [&](std::uint64_t index) {
                     Random random = random_of(request.seed, index);
                     return judge(draw_bodies(random, index));
                   },
                   {});
}

}  // namespace bristle::campaign
