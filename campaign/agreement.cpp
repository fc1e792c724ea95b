// SPDX-License-Identifier: MIT
#include "agreement.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::campaign {

Simulation run_by(const Machine& machine, int method, double tolerance, bool (*stop)()) {
  Machine asked = machine;
  asked["solve"]["method"] = std::string(Options::methods[std::size_t(method)]);
  asked["solve"]["tolerance"] = std::max(tolerance, 1e-13);
  Parts parts = assemble(asked);
  if (stop) parts.options.progress = [stop](double) { return !stop(); };
  return run(parts);
}

const std::vector<double>& compared(const Parts& parts, const Simulation& run) {
  const bool given = std::holds_alternative<PrescribedMotion>(parts.mechanism);
  return given ? run.trajectory.force : run.trajectory.position;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0, size = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(a[i] - a[0]));
  }
  return worst > 0.0 ? worst / std::max(size, 1e-300) : 0.0;
}

void judge_pair(const PairErrors& off, const Summary& first, const Summary& second, Trial& trial) {
  // A summary tells by a warning, or by an error of its own that is at most three times too small.
  const auto told = [&](const Summary& s, double error) {
    return !s.warning.empty() || error <= 3.0 * s.global_error / off.tolerance;
  };
  const bool ours_off = off.first > agreed, theirs_off = off.second > agreed;
  const bool ours_told = told(first, off.first), theirs_told = told(second, off.second);
  if ((!ours_off || ours_told) && (!theirs_off || theirs_told) && (ours_told || theirs_told)) {
    trial.kind = ours_told && theirs_told ? "both tell"
                 : ours_told              ? "default tells"
                                          : "cvode tells";
    return;
  }
  trial.failed = true;
  trial.kind = ours_off && !ours_told ? "default off" : "cvode off";
  trial.size = off.apart;
  trial.words = "differ by " + std::to_string(off.apart) + " tolerances of " +
                words(off.tolerance) + " (default " + std::to_string(off.first) + ", cvode " +
                std::to_string(off.second) + "; verified to " +
                std::to_string(first.global_error / off.tolerance) + " and " +
                std::to_string(second.global_error / off.tolerance) + ")";
}

}  // namespace bristle::campaign
