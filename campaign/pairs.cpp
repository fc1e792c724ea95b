// SPDX-License-Identifier: MIT
// The default method against `cvode` on the same random machines.
//
// Two runs agree if their positions (of a given motion: their forces) differ nowhere by more than
// ten tolerances of the motion there is. Where they do not, the machine is asked how it answers if
// one of its parameters is off by as much as the error that a step may have: two runs that differ
// by less than ten times that answer are counted as sensitive, since a run is the exact one of a
// machine that near, and no method that looks at one step after the other can know more.
#include <algorithm>
#include <cmath>

#include "agreement.hpp"
#include "draw.hpp"
#include "trials.hpp"

namespace bristle::campaign {
namespace {

constexpr double agreed = 10.0;  // tolerances

// How far the motion goes astray, in tolerances, if a parameter is off by what one step may be off:
// one tolerance, and for the stiffness of a bristle the thirty that are allowed of its deflection.
double sensitivity(const Machine& machine, const Parts& parts, double tolerance) {
  const auto exact = run_by(machine, Options::rosenbrock, 1e-2 * tolerance, interrupted);
  double worst = 0.0;
  for (const auto& [section, values] : machine)
    for (const auto& [field, value] : values) {
      const double* number = std::get_if<double>(&value);
      if (section == "solve" || !number || *number == 0.0 || *number == std::round(*number))
        continue;
      Machine other = machine;
      other[section][field] = *number * (1.0 + (field == "stiffness" ? 30.0 : 1.0) * tolerance);
      try {
        const auto changed = run_by(other, Options::rosenbrock, 1e-2 * tolerance, interrupted);
        worst = std::max(worst, distance(compared(parts, exact), compared(parts, changed)));
      } catch (const InvalidInput&) {
        // A parameter at the edge of its range is not changed.
      }
    }
  return worst / tolerance;
}

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
    trial.failed = !both && first.summary.ok();
    trial.words = second.summary.message;
    return trial;
  }
  const double off = distance(compared(parts, first), compared(parts, second)) / tolerance;
  trial.kind = "agree";
  if (off <= agreed) return trial;
  const double expected = sensitivity(machine, parts, tolerance);
  if (off <= agreed * expected) {
    trial.kind = "sensitive";
    return trial;
  }
  const auto fine = run_by(machine, Options::rosenbrock, 1e-3 * tolerance, interrupted);
  const double own = distance(compared(parts, fine), compared(parts, first)) / tolerance;
  const double its = distance(compared(parts, fine), compared(parts, second)) / tolerance;
  trial.failed = true;
  trial.kind = its > own ? "cvode off" : "default off";
  trial.size = off;
  trial.words = "differ by " + std::to_string(off) + " tolerances of " + words(tolerance) +
                " (default " + std::to_string(own) + ", cvode " + std::to_string(its) +
                ", sensitivity " + std::to_string(expected) + ")";
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
        return judge(machine);
      },
      [](const Machine& machine, const std::string& kind) { return judge(machine).kind == kind; });
}

}  // namespace bristle::campaign
