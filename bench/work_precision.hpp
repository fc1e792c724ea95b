// SPDX-License-Identifier: MIT
// Time against error: a contender is run at many tolerances, and the time it needs for a given
// error is read off the curve. So what a contender calls its tolerance does not matter.
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

// Tolerances from 1e-3 down, `per_decade` in each decade, until the error is far below all targets.
inline Scan scan(Solver& solve, const Problem& p, const Curves& reference, int per_decade,
                 const Effort& effort) {
  Scan all;
  Curves found;
  for (int i = 0, precise = 0; i <= 10 * per_decade && precise < 2; ++i) {
    const double tolerance = std::pow(10.0, -3.0 - double(i) / per_decade);
    if (!solve(p, tolerance, found)) continue;
    const double error = error_of(found, reference);
    if (!std::isfinite(error)) continue;
    precise = error < 3e-8 ? precise + 1 : 0;
    all.push_back({tolerance, error, best_seconds([&] { solve(p, tolerance, found); }, effort)});
  }
  return all;
}

// The time at which the error is the target: a power law through the runs within a decade of it, or
// more if these are few, since the error of a single run is partly chance. NaN if the scan does not
// reach the target.
inline double seconds_at(const Scan& scan, double target) {
  bool above = false, below = false;
  for (const Point& p : scan) (p.error > target ? above : below) = true;
  if (!above || !below) return std::numeric_limits<double>::quiet_NaN();
  for (double decades = 1.0;; decades += 1.0) {
    double n = 0.0, sum_e = 0.0, sum_t = 0.0, sum_ee = 0.0, sum_et = 0.0;
    for (const Point& p : scan) {
      const double e = std::log10(p.error / target), t = std::log(p.seconds);
      if (std::abs(e) > decades) continue;
      n += 1.0, sum_e += e, sum_t += t, sum_ee += e * e, sum_et += e * t;
    }
    const double spread = n * sum_ee - sum_e * sum_e;
    if ((n < 3.0 || !(spread > 0.1)) && decades < 20.0) continue;
    const double slope = spread > 0.0 ? (n * sum_et - sum_e * sum_t) / spread : 0.0;
    return std::exp((sum_t - slope * sum_e) / n);
  }
}

}  // namespace bench
