// SPDX-License-Identifier: MIT
#include "bristle/analysis/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "bristle/solve/simulate.hpp"

namespace bristle {
namespace {

constexpr int bins = 100;

// The range of forces in a bin of velocity, by direction and by whether the motion speeds up.
struct Range2 {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  int count = 0;
};
using Bins = std::array<std::array<Range2, bins>, 4>;

Bins sorted(const Characteristic& c, double top, double near_rest) {
  Bins b{};
  for (std::size_t i = 0; i < c.force.size(); ++i) {
    const double v = c.velocity[i], part = std::abs(v) / top;
    if (!(part >= near_rest && part < 0.95)) continue;
    const int kind = (v > 0.0 ? 1 : 0) + (v * c.acceleration[i] > 0.0 ? 2 : 0);
    Range2& r = b[std::size_t(kind)][std::size_t(part * bins)];
    r.least = std::min(r.least, c.force[i]);
    r.most = std::max(r.most, c.force[i]);
    ++r.count;
  }
  return b;
}

}  // namespace

Sensitivity classify_sensitivity(const ForceOver& force, const SensitivityOptions& o) {
  const double top = o.amplitude * o.frequency;
  Signal slow, fast, both;
  slow.amplitude = o.amplitude, slow.frequency = o.frequency;
  fast.amplitude = 0.5 * o.amplitude, fast.frequency = 2.0 * o.frequency;
  // Their sum, with the same top speed at time zero.
  both = slow;
  both.shape = Signal::two_sines;
  both.amplitude = 0.5 * o.amplitude;
  both.second_amplitude = 0.25 * o.amplitude;
  both.second_frequency = 2.0 * o.frequency;
  Options options;
  options.end = 6.0 * 2.0 * std::numbers::pi / o.frequency;
  options.record_from = options.end * (2.0 / 3.0);
  options.samples = 40001;
  options.tolerance = 1e-8;
  std::array<Bins, 3> all;
  double largest = 0.0;
  const Signal* motions[]{&slow, &fast, &both};
  for (std::size_t k = 0; k < 3; ++k) {
    const Characteristic c = force(*motions[k], options);
    stop_if_asked();
    for (const double f : c.force) largest = std::max(largest, std::abs(f));
    all[k] = sorted(c, top, o.near_rest);
  }
  Sensitivity s;
  for (std::size_t k = 1; k < 3; ++k)
    for (std::size_t kind = 0; kind < 4; ++kind)
      for (std::size_t i = 0; i < bins; ++i) {
        const Range2 &a = all[0][kind][i], &b = all[k][kind][i];
        if (a.count < 3 || b.count < 3) continue;
        // Ranges that overlap may be the same curve; the gap between those that do not is not.
        const double gap = std::max({a.least - b.most, b.least - a.most, 0.0}) / largest;
        if (gap <= s.difference) continue;
        s.difference = gap;
        s.velocity = (kind & 1 ? 1.0 : -1.0) * top * (double(i) + 0.5) / bins;
      }
  s.sensitive = s.difference > o.threshold;
  return s;
}

Sensitivity classify_sensitivity(const AnyLaw& law, const SensitivityOptions& o) {
  return classify_sensitivity(
      [&](const Signal& motion, const Options& options) {
        PrescribedMotion m;
        m.load = o.load;
        m.signal = motion;
        const Simulation run = simulate(law, m, options);
        const auto& t = run.trajectory;
        Characteristic c{t.velocity, {}, t.force};
        for (const double at : t.time)
          c.acceleration.push_back(motion.curvature(at, motion.piece(at)));
        return c;
      },
      o);
}

}  // namespace bristle
