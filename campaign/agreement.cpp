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

}  // namespace bristle::campaign
