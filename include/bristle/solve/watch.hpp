// SPDX-License-Identifier: MIT
// Watches a guard over a whole step, so that a dip below zero and back inside the step is found.
//
// A guard that is smooth on the step is read at the ends of a few cells, with its slope there. It
// can be negative inside a cell with positive ends only where it falls at the first end and rises
// at the second; if it is convex there, it lies above its two tangents. So only a cell whose
// tangents meet below zero is searched for its minimum.
#pragma once

#include <algorithm>
#include <cmath>

#include "bristle/solve/locate.hpp"

namespace bristle {

// The argument between `low` and `high` at which the guard is lowest, by golden section. The value
// there is exact to rounding, since it changes with the square of the argument's error.
template <class Guard>
double lowest_between(const Guard& guard, double low, double high) {
  constexpr double golden = 0.3819660112501051;
  double a = low + golden * (high - low), b = high - golden * (high - low);
  double at_a = guard(a), at_b = guard(b);
  for (int i = 0; i < 45 && a < b; ++i) {
    if (at_a <= at_b) {
      high = b;
      b = a, at_b = at_a;
      a = low + golden * (high - low), at_a = guard(a);
    } else {
      low = a;
      a = b, at_a = at_b;
      b = high - golden * (high - low), at_b = guard(b);
    }
  }
  return at_a <= at_b ? a : b;
}

// The first argument in (0, width] found at which the guard is below -slack; NaN if there is none.
// Dips that are narrower than a cell are found where the guard has one minimum per cell.
template <class Guard>
double first_dip(const Guard& guard, double width, int cells, double slack) {
  const double cell = width / cells, near = 1e-4 * cell;
  const auto slope = [&](double at, double value, double by) {
    return (guard(at + by) - value) / by;
  };
  double low = 0.0, at_low = guard(0.0), falls = slope(0.0, at_low, near);
  for (int i = 1; i <= cells; ++i) {
    const double high = i == cells ? width : cell * i, at_high = guard(high);
    const double rises = slope(high, at_high, -near);
    if (falls < 0.0 && rises > 0.0) {
      const double meet = (at_high - at_low - rises * cell) / (falls - rises);
      if (at_low + falls * meet < 0.0 || at_high < -slack) {
        const double lowest = lowest_between(guard, low, high);
        if (guard(lowest) < -slack) return lowest;
      }
    }
    if (at_high < -slack) return high;
    low = high, at_low = at_high, falls = slope(high, at_high, i < cells ? near : -near);
  }
  return NAN;
}

// Whether a guard with these values at both ends and inside may reach zero in between: only if it
// changes by as much as it is away from it.
inline bool may_dip(double first, double inside, double last) {
  const auto [low, high] = std::minmax({first, inside, last});
  return !(low > 2.0 * (high - low));
}

}  // namespace bristle
