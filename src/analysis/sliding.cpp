// SPDX-License-Identifier: MIT
#include "bristle/analysis/sliding.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {

Range sliding_force(std::span<const double> velocity, std::span<const double> force, double above) {
  Range range{NAN, NAN};
  for (std::size_t i = 0; i < std::min(velocity.size(), force.size()); ++i) {
    if (!(std::abs(velocity[i]) > above)) continue;
    const double against = velocity[i] < 0.0 ? -force[i] : force[i];
    range = {std::fmin(range.least, against), std::fmax(range.most, against)};
  }
  return range;
}

std::vector<SlipPeak> slip_peaks(std::span<const double> time, std::span<const double> velocity,
                                 double rest) {
  double top = 0.0;
  for (const double v : velocity) top = std::max(top, std::abs(v));
  std::vector<SlipPeak> peaks;
  const std::size_t n = std::min(time.size(), velocity.size());
  const auto speed = [&](std::size_t i) { return std::abs(velocity[i]); };
  bool rested = false;   // a rest was seen before this slip
  std::size_t best = n;  // fastest sample of this slip
  for (std::size_t i = 0; i < n; ++i) {
    if (speed(i) > rest * top) {
      if (rested && (best == n || speed(i) > speed(best))) best = i;
      continue;
    }
    if (best != n) {
      // Rests stand on both sides, so the fastest sample has two neighbours.
      const double a = speed(best - 1), b = speed(best), c = speed(best + 1);
      const double bend = a - 2.0 * b + c, shift = bend < 0.0 ? 0.5 * (a - c) / bend : 0.0;
      peaks.push_back(
          {time[best] + shift * (time[best + 1] - time[best]), b - 0.25 * (a - c) * shift});
    }
    rested = true;
    best = n;
  }
  return peaks;
}

double lag_fraction(std::span<const double> velocity, std::span<const double> force) {
  bool forward = false, backward = false;
  for (const double v : velocity) forward = forward || v > 0.0, backward = backward || v < 0.0;
  if (forward == backward) return NAN;
  // Turned by half a turn, a backward motion is a forward one; its area stays.
  const Loop loop = polygon_loop(velocity, force);
  return loop.width > 0.0 && loop.height > 0.0 ? loop.area / (loop.width * loop.height) : NAN;
}

}  // namespace bristle
