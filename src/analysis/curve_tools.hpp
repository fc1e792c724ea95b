// SPDX-License-Identifier: MIT
// Small tools for closed curves and loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "bristle/analysis/butterfly.hpp"

namespace bristle {

// Points that crowd towards both ends, where a closed curve is steep.
inline double crowded(double x0, double x1, double part) {
  const double x = 0.5 * (x0 + x1) - 0.5 * (x1 - x0) * std::cos(std::numbers::pi * part);
  return std::clamp(x, x0, x1);
}

// Whether a function rises (sign 1) or falls (-1) over an interval, but for steps of `slack` back.
inline bool monotone(const std::function<double(double)>& f, double a, double b, double sign,
                     double slack, double* where = nullptr) {
  constexpr int n = 1000;
  double best = sign * f(crowded(a, b, 0.0));
  for (int i = 1; i <= n; ++i) {
    const double x = crowded(a, b, double(i) / n), y = sign * f(x);
    if (y < best - slack) {
      if (where) *where = x;
      return false;
    }
    best = std::max(best, y);
  }
  return true;
}

struct Box {
  double y0, y1;
};
inline Box box_of(const ClosedCurve& c) {
  Box b{c.lower(c.x0), c.upper(c.x0)};
  for (int i = 0; i <= 4000; ++i) {
    const double x = crowded(c.x0, c.x1, i / 4000.0);
    b.y0 = std::min(b.y0, c.lower(x));
    b.y1 = std::max(b.y1, c.upper(x));
  }
  return b;
}

inline double height_of(const LoopBranches& l) {
  const auto [a, b] = std::minmax_element(l.up.y.begin(), l.up.y.end());
  const auto [c, d] = std::minmax_element(l.down.y.begin(), l.down.y.end());
  return std::max(*b, *d) - std::min(*a, *c);
}

}  // namespace bristle
