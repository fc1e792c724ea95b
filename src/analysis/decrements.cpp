// SPDX-License-Identifier: MIT
#include "bristle/analysis/decrements.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "bristle/model/error.hpp"
#include "bristle/model/field.hpp"

namespace bristle {

std::vector<double> turning_points(std::span<const double> t, std::span<const double> x,
                                   std::span<const double> v) {
  std::vector<double> turns;
  const std::size_t n = std::min({t.size(), x.size(), v.size()});
  if (n > 1 && v[0] == 0.0 && v[1] != 0.0) turns.push_back(x[0]);
  for (std::size_t i = 1; i < n; ++i) {
    if (!(v[i - 1] * v[i] < 0.0 || (v[i] == 0.0 && v[i - 1] != 0.0))) continue;
    // Hermite's cubic between the two samples, at the root of the straight line of the velocity.
    const double h = t[i] - t[i - 1], s = v[i - 1] / (v[i - 1] - v[i]);
    const double a = (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s), b = s * (1.0 - s) * (1.0 - s),
                 c = s * s * (3.0 - 2.0 * s), d = s * s * (s - 1.0);
    turns.push_back(a * x[i - 1] + b * h * v[i - 1] + c * x[i] + d * h * v[i]);
  }
  return turns;
}

Decrements decrements(std::span<const double> turns, double mass, double spring) {
  const auto positive = [](const char* name, double value) {
    if (!(value > 0.0))
      throw InvalidInput(name, std::string("decrements: ") + name + " = " + words(value) +
                                   " must be greater than 0");
  };
  positive("mass", mass);
  positive("spring", spring);
  const std::size_t n = turns.size();
  if (n < 3)
    throw InvalidInput(
        "turns", "decrements: needs at least three turning points, there are " + std::to_string(n));
  Decrements d;
  d.turns.assign(turns.begin(), turns.end());
  // Towards the side where each swing should end; a body that sticks before the middle is negative.
  const auto size = [&](std::size_t i) {
    return (i % 2 == 0) == (turns[0] > 0.0) ? turns[i] : -turns[i];
  };
  double mx = 0.0, my = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (!(size(i + 1) < size(i)))
      throw InvalidInput("turns", "decrements: turning point " + std::to_string(i + 2) + " = " +
                                      words(turns[i + 1]) + " m is no further swing after " +
                                      words(turns[i]) + " m, the amplitude must fall");
    mx += size(i), my += size(i + 1);
  }
  const double count = double(n - 1);
  mx /= count, my /= count;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double x = size(i) - mx, y = size(i + 1) - my;
    xx += x * x, xy += x * y;
  }
  const double e = xy / xx, intercept = my - e * mx;
  const double decay = -std::log(e) / std::numbers::pi;
  d.damping_ratio = decay / std::sqrt(1.0 + decay * decay);
  d.viscous = 2.0 * d.damping_ratio * std::sqrt(spring * mass);
  d.coulomb = -spring * intercept / (1.0 + e);
  double off = 0.0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double miss = size(i + 1) - (e * size(i) + intercept);
    off += miss * miss;
  }
  d.scatter = std::sqrt(off / count) / std::abs(turns[0]);
  return d;
}

}  // namespace bristle
