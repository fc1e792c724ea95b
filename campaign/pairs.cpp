// SPDX-License-Identifier: MIT
// The default method against `cvode` on the same random machines.
//
// Two runs agree if their positions (of a given motion: their forces) differ nowhere by more than
// ten tolerances of the motion there is. Where they do not, the machine is asked how it answers if
// one of its parameters is off by as much as the error that a step may have: two runs that differ
// by less than ten times that answer are counted as sensitive, since a run is the exact one of a
// machine that near, and no method that looks at one step after the other can know more. Where the
// summary of a run warns, or says that it did not reach its end, its difference is no failure.
#include <algorithm>
#include <cmath>

#include "agreement.hpp"
#include "draw.hpp"
#include "trials.hpp"

namespace bristle::campaign {
namespace {

constexpr double agreed = 10.0;  // tolerances

// The parameters that may be off, those first to which a motion answers most.
std::vector<std::pair<std::string, std::string>> parameters(const Machine& machine) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [section, values] : machine)
    for (const auto& [field, value] : values) {
      const double* number = std::get_if<double>(&value);
      if (section == "solve" || !number || *number == 0.0 || *number == std::round(*number))
        continue;
      all.emplace_back(section, field);
    }
  const auto rank = [](const auto& p) {
    return p.second == "stiffness" ? 0 : p.first == "model" ? 1 : p.first == "mechanism" ? 2 : 3;
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return all;
}

// How far the motion goes astray, in tolerances, if a parameter is off by what one step may be off:
// one tolerance, and for the stiffness of a bristle the thirty that are allowed of its deflection.
// Ends with the first parameter to which it answers by as much as `enough`.
double sensitivity(const Machine& machine, const Parts& parts, double tolerance, double enough) {
  const auto exact = run_by(machine, Options::rosenbrock, 1e-2 * tolerance, interrupted);
  double worst = 0.0;
  for (const auto& [section, field] : parameters(machine)) {
    Machine other = machine;
    other[section][field] = std::get<double>(machine.at(section).at(field)) *
                            (1.0 + (field == "stiffness" ? 30.0 : 1.0) * tolerance);
    try {
      const auto changed = run_by(other, Options::rosenbrock, 1e-2 * tolerance, interrupted);
      worst = std::max(worst, distance(compared(parts, exact), compared(parts, changed)));
    } catch (const InvalidInput&) {
      // A parameter at the edge of its range is not changed.
    }
    if (worst >= enough * tolerance) break;
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
    return trial;
  }
  const double off = distance(compared(parts, first), compared(parts, second)) / tolerance;
  trial.kind = "agree";
  if (off <= agreed) return trial;
  const auto fine = run_by(machine, Options::rosenbrock, 1e-3 * tolerance, interrupted);
  const double own = distance(compared(parts, fine), compared(parts, first)) / tolerance;
  const double its = distance(compared(parts, fine), compared(parts, second)) / tolerance;
  // What a summary warns of is known. A warning of cvode does not excuse the default method.
  if (!first.summary.warning.empty() || (!second.summary.warning.empty() && own <= agreed)) {
    trial.kind = first.summary.warning.empty() ? "cvode warns" : "default warns";
    return trial;
  }
  const double expected = sensitivity(machine, parts, tolerance, off / agreed);
  if (off <= agreed * expected) {
    trial.kind = "sensitive";
    return trial;
  }
  if (!second.summary.warning.empty() && own <= agreed * expected) {
    trial.kind = "cvode warns";
    return trial;
  }
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
