// SPDX-License-Identifier: MIT
#include "warnings.hpp"

#include <algorithm>
#include <cstdio>

namespace bristle::detail {
namespace {

std::string two_digits(double value) {
  char text[24];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

}  // namespace

double steepest_fall(const AnyLaw& law, double load) {
  constexpr double ratio = 1.05;
  double most = 0.0, before = 0.0;
  for (double v = 1e-9; v < 1e3; v *= ratio) {
    const double force = std::abs(law.steady(Motion<double>{0.0, v, load, 0.0}));
    if (before > 0.0 && force > 0.0)
      most = std::max(most, std::log(before / force) / std::log(ratio));
    before = force;
  }
  return most;
}

void warn(const std::string& sentence, Summary& summary) {
  if (!summary.warning.empty()) summary.warning += "; ";
  summary.warning += sentence;
  summary.message += "; warning: " + sentence;
}

double time_in_motion(const Trajectory& trajectory) {
  if (trajectory.time.empty()) return 0.0;
  const auto& mode = trajectory.mode;
  const auto moves = std::count_if(mode.begin(), mode.end(), [](double m) { return m != 0.0; });
  return trajectory.time.back() * double(moves) / double(mode.size());
}

void warn_of_rounding(const Options& options, Summary& summary) {
  if (options.method != Options::cvode || options.tolerance >= 1e-9) return;
  warn("below a tolerance of 1e-9 rounding adds up over the many steps of cvode; the run may be off "
       "by a hundred tolerances",
       summary);
}

void warn_of_method(const AnyLaw& law, double load, const Ringing& ringing, double moved,
                    const Options& options, Summary& summary) {
  const double rings = ringing.rings(moved);
  const bool cvode = options.method == Options::cvode;
  if (ringing.undamped() && rings > (cvode ? 10.0 : double(summary.counts.steps)))
    warn("the bristles may ring " + two_digits(rings) + " times without damping, which " +
             (cvode ? "cvode follows in very short steps; it"
                    : "is more often than there are steps; the run") +
             " may be off by more than ten tolerances",
         summary);
  if (!cvode) return;
  warn_of_rounding(options, summary);
  if (const double fall = steepest_fall(law, load); fall > 2.0)
    warn("the steady force falls almost as a step, as v^-" + two_digits(fall) +
             "; near the fall cvode may find another motion than the default method",
         summary);
}

}  // namespace bristle::detail
