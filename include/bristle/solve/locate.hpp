// SPDX-License-Identifier: MIT
// Where a guard reaches zero.
#pragma once

#include <cmath>

namespace bristle {

// The argument at which `guard` is within `enough` of zero, between `low` (guard positive) and
// `high` (negative). Tries `guess` first, goes on by Newton's rule with the slope where that is
// negative, then by the Illinois form of false position with a bisection now and then. Ends with
// the better of the two ends, or on the far side of the crossing if `beyond` is set.
struct Hint {
  double guess = NAN, slope = 0.0, enough = 0.0;
};
// With the slope of the guard at the argument of its last evaluation.
template <class Guard, class Slope>
double locate(const Guard& guard, double low, double at_low, double high, double at_high,
              double resolution, bool beyond, const Hint& hint, const Slope& slope) {
  int kept = 0;
  double middle = hint.guess;
  if (std::isnan(middle)) middle = low + (high - low) * (at_low / (at_low - at_high));
  for (int i = 0; i < 80 && high - low > resolution; ++i) {
    if (i % 8 == 7 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double value = guard(middle);
    if (std::abs(value) <= hint.enough) return middle;
    if (value > 0.0) {
      low = middle;
      at_low = value;
      if (kept == 1) at_high *= 0.5;
      kept = 1;
    } else {
      high = middle;
      at_high = value;
      if (kept == -1) at_low *= 0.5;
      kept = -1;
    }
    const double steep = i < 2 ? slope() : 0.0;
    middle =
        steep < 0.0 ? middle - value / steep : low + (high - low) * (at_low / (at_low - at_high));
  }
  return beyond || std::abs(at_high) <= std::abs(at_low) ? high : low;
}
template <class Guard>
double locate(const Guard& guard, double low, double at_low, double high, double at_high,
              double resolution, bool beyond, const Hint& hint = {}) {
  return locate(guard, low, at_low, high, at_high, resolution, beyond, hint,
                [&] { return hint.slope; });
}

}  // namespace bristle
