// SPDX-License-Identifier: MIT
// The default method against `cvode` on the same random machines.
//
// Two runs agree if their positions (of a given motion: their forces) differ nowhere by more than
// ten tolerances of the motion there is. Where they do not, a run at a thousandth of the tolerance
// tells which of them is off. The summary of that run has to say so: every run is verified by a
// finer one of its own method. A run that does not reach its end says that, too.
#include <algorithm>
#include <cmath>

#include "agreement.hpp"
#include "draw.hpp"
#include "trials.hpp"

namespace bristle::campaign {
namespace {

Trial judge(const Machine& machine) {
  Trial trial;
  trial.machine = machine;
  trial.law = text(machine, "model", "name");
  trial.mechanism = text(machine, "mechanism", "name");
  const Parts parts = assemble(machine);
  const double tolerance = parts.options.tolerance;
  const auto first = run_by(machine, Options::rosenbrock, tolerance, interrupted);
  const auto second = run_by(machine, Options::cvode, tolerance, interrupted);
  if (!first.summary.ok() || !second.summary.ok()) {
    const bool both = first.summary.status == second.summary.status;
    trial.kind =
        (both                 ? "both "
         : first.summary.ok() ? "cvode "
                              : "default ") +
        std::string(words(first.summary.ok() ? second.summary.status : first.summary.status));
    return trial;
  }
  const double off = distance(compared(parts, first), compared(parts, second)) / tolerance;
  trial.kind = "agree";
  if (off <= agreed) return trial;
  const auto fine = run_by(machine, Options::rosenbrock, 1e-3 * tolerance, interrupted);
  const double own = distance(compared(parts, fine), compared(parts, first)) / tolerance;
  const double its = distance(compared(parts, fine), compared(parts, second)) / tolerance;
  judge_pair({off, own, its, tolerance}, first.summary, second.summary, trial);
  return trial;
}

}  // namespace

int run_pairs(const Request& request) {
  return carry_out(
      "pairs", request,
      [&](std::uint64_t index) {
        Random random = random_of(request.seed, index);
        Machine machine = draw(random, index);
        machine["solve"]["step_limit"] = 5e4;
        machine["solve"]["verify"] = std::string("yes");
        return judge(machine);
      },
      [](const Machine& machine, const std::string& kind) { return judge(machine).kind == kind; });
}

}  // namespace bristle::campaign
