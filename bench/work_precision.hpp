// SPDX-License-Identifier: MIT
// Time against error: a contender is run at many tolerances, and the time it needs for a given error
// is read off the curve. So no contender gains from what it happens to call a tolerance.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stick_slip.hpp"
#include "timing.hpp"

namespace bench {

struct Point {
  double tolerance, error, seconds;
};
using Scan = std::vector<Point>;

// The largest difference of x and of F, each relative to its largest value.
inline double error_of(const Curves& found, const Curves& reference) {
  const auto relative = [](const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0, off = 0.0;
    for (int i = 0; i < points; ++i) {
      largest = std::max(largest, std::abs(b[i]));
      const double d = std::abs(a[i] - b[i]);
      off = d <= off ? off : d;  // keeps a NaN
    }
    return off / largest;
  };
  const double x = relative(found.x, reference.x), force = relative(found.force, reference.force);
  return x <= force ? force : x;
}

// Tolerances from `loose` to `tight`, `per_decade` in each decade.
inline Scan scan(Solver& solve, const Problem& p, const Curves& reference, double loose,
                 double tight, int per_decade, const Effort& effort) {
  Scan all;
  Curves found;
  const int count = int(std::lround(std::log10(loose / tight) * per_decade));
  for (int i = 0; i <= count; ++i) {
    const double tolerance = loose * std::pow(10.0, -double(i) / per_decade);
    if (!solve(p, tolerance, found)) continue;
    const double error = error_of(found, reference);
    if (!std::isfinite(error)) continue;
    all.push_back({tolerance, error, best_seconds([&] { solve(p, tolerance, found); }, effort)});
  }
  return all;
}

// The time at which the error is the target: a power law through the runs within a decade of it, since
// the error of a single run is partly chance. NaN if the scan does not reach the target.
inline double seconds_at(const Scan& scan, double target) {
  double n = 0.0, sum_e = 0.0, sum_t = 0.0, sum_ee = 0.0, sum_et = 0.0;
  bool above = false, below = false;
  for (const Point& p : scan) {
    const double e = std::log10(p.error / target), t = std::log(p.seconds);
    above = above || e >= 0.0;
    below = below || e <= 0.0;
    if (std::abs(e) > 1.0) continue;
    n += 1.0, sum_e += e, sum_t += t, sum_ee += e * e, sum_et += e * t;
  }
  const double spread = n * sum_ee - sum_e * sum_e;
  if (n < 2.0 || !above || !below || !(spread > 0.0))
    return std::numeric_limits<double>::quiet_NaN();
  const double slope = (n * sum_et - sum_e * sum_t) / spread;
  return std::exp((sum_t - slope * sum_e) / n);
}

}  // namespace bench
