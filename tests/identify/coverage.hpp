// SPDX-License-Identifier: MIT
// How often the 95 % intervals of a fit hold the truth, over records that differ by their noise.
#pragma once

#include "identify/noisy_motion.hpp"

namespace bristle::test {

struct CoverageOptions {
  int records = 10;
  int repetitions = 40;  // of each fit with the noise of the position
  unsigned seed = 1;     // of the first record
  int starts = 0;        // of the search; 0: from the truth
  bool smooth = true;    // false: the position is used as measured
};

struct Coverage {
  int records = 0, converged = 0, smoothed = 0, warned = 0;
  std::map<std::string, int> inside;  // records whose interval of this parameter holds the truth

  int held() const {
    int all = 0;
    for (const auto& [name, count] : inside) all += count;
    return all;
  }
  int intervals() const { return records * int(inside.size()); }
  double part() const { return double(held()) / double(intervals()); }
  void add(const Coverage& other) {
    records += other.records, converged += other.converged, smoothed += other.smoothed;
    warned += other.warned;
    for (const auto& [name, count] : other.inside) inside[name] += count;
  }
};

// A parameter that ends at its bound has no interval and counts as outside.
template <class L>
Coverage coverage(const L& law, const NamedMotion& motion, const Measuring& m,
                  const CoverageOptions& options) {
  // Samples at the turning points themselves would have a velocity of rounding errors.
  constexpr double from = 0.0137;
  const Record clean = exact_record(law, motion, m, from);
  const auto values = truth(law);
  Coverage c;
  for (int k = 0; k < options.records; ++k) {
    FitOptions o{.starts = options.starts};
    o.threads = 1, o.repetitions = options.repetitions;
    if (options.starts == 0) o.guess = values;
    const Record record = measured(clean, m, options.seed + unsigned(k));
    const auto f = fit(L::name, {prepare(record, {.smooth = options.smooth})}, o);
    bool warned = false;
    ++c.records, c.converged += f.converged(), c.smoothed += f.problem.runs[0].filter.used;
    for (const auto& p : f.parameters) {
      if (!p.free) continue;
      const double t = values.at(p.name);
      c.inside[p.name] += !p.at_bound && t >= p.lower && t <= p.upper;
      warned = warned || p.noise_decides;
    }
    c.warned += warned;
  }
  return c;
}

}  // namespace bristle::test
