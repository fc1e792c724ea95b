// SPDX-License-Identifier: MIT
#include "bristle/analysis/limit_cycle.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {

std::string_view words(StickSlip kind) {
  switch (kind) {
    case StickSlip::none: return "none";
    case StickSlip::quasi: return "quasi";
    case StickSlip::exact: return "exact";
  }
  return "";
}

LimitCycle find_limit_cycle(const Trajectory& run, const LimitCycleOptions& options) {
  LimitCycle cycle;
  const auto& beats = run.crossings;
  if (beats.size() < 2) return cycle;
  cycle.cycles = int(beats.size()) - 1;

  // The period: the mean over the last half, when the start has been forgotten.
  const std::size_t first = beats.size() - 1 - std::max<std::size_t>(1, (beats.size() - 1) / 2);
  double least = 1e300, most = 0.0;
  for (std::size_t i = first; i + 1 < beats.size(); ++i) {
    const double one = beats[i + 1].time - beats[i].time;
    least = std::min(least, one);
    most = std::max(most, one);
  }
  cycle.period = (beats.back().time - beats[first].time) / double(beats.size() - 1 - first);
  cycle.period_spread = most - least;

  // The last complete period of samples.
  const double to = beats.back().time, from = beats[beats.size() - 2].time;
  double top = 0.0, low = 1e300, high = -1e300;
  long count = 0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (run.time[i] < from || run.time[i] > to) continue;
    top = std::max(top, std::abs(run.velocity[i]));
    low = std::min(low, run.velocity[i]);
    high = std::max(high, run.velocity[i]);
    ++count;
  }
  if (count == 0) return cycle;
  // Rest takes time: both ends of an interval between samples must be slow.
  double resting = 0.0;
  const auto slow = [&](std::size_t i) {
    return std::abs(run.velocity[i]) <= options.rest_speed * top;
  };
  for (std::size_t i = 0; i + 1 < run.size(); ++i)
    if (run.time[i] >= from && run.time[i + 1] <= to && slow(i) && slow(i + 1))
      resting += run.time[i + 1] - run.time[i];
  cycle.amplitude = 0.5 * (high - low);
  cycle.stick_fraction = resting / (to - from);
  cycle.reverse_speed = std::abs(high) >= std::abs(low) ? std::max(0.0, -low) : std::max(0.0, high);
  cycle.kind = cycle.stick_fraction >= options.rest_fraction ? StickSlip::exact : StickSlip::quasi;
  return cycle;
}

}  // namespace bristle
