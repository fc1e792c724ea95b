// SPDX-License-Identifier: MIT
// The linear equation of a bristle over one panel of time, to sixth order:
//
//   z' = drive(t) - decay(t) z,    z(end) = z(start) left + gain
//
// with drive and decay known at the three nodes of Gauss and Legendre. The integral of the decay is
// that of the parabola through its nodes. Where the panel is long or drive / decay hardly changes
// along it, the gain is integrated by parts: it is then exact, at any length, for coefficients that
// do not change.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle {

struct Growth {
  double left = 1.0, gain = 0.0;
};

// First one, then another.
inline Growth then(const Growth& first, const Growth& next) {
  return {first.left * next.left, first.gain * next.left + next.gain};
}

struct GrowthNodes {
  static constexpr double root = 3.872983346207417;  // of 15
  static constexpr std::array<double, 3> place{0.5 - root / 10.0, 0.5, 0.5 + root / 10.0};
  static constexpr std::array<double, 3> weight{5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0};
  // The integral from node i to the end of what is one at node j: weight[j] less the coefficients
  // of the Gauss method of three stages.
  static constexpr double rest[3][3]{
      {5.0 / 36.0, 2.0 / 9.0 + root / 15.0, 5.0 / 36.0 + root / 30.0},
      {5.0 / 36.0 - root / 24.0, 2.0 / 9.0, 5.0 / 36.0 + root / 24.0},
      {5.0 / 36.0 - root / 30.0, 2.0 / 9.0 - root / 15.0, 5.0 / 36.0}};
};

inline Growth grown(const std::array<double, 3>& decay, const std::array<double, 3>& drive,
                    double length) {
  using N = GrowthNodes;
  double whole = 0.0, least = decay[0];
  std::array<double, 3> ahead{};  // integral of the decay from a node to the end
  for (std::size_t i = 0; i < 3; ++i) {
    whole += length * N::weight[i] * decay[i];
    least = std::min(least, decay[i]);
    for (std::size_t j = 0; j < 3; ++j) ahead[i] += length * N::rest[i][j] * decay[j];
  }
  Growth g{std::exp(-whole), 0.0};
  // The limit drive / decay as a parabola through the nodes, x from -1 to 1 between the outer two.
  const bool defined = least * length > 1e-12;
  const double a = defined ? drive[0] / decay[0] : 0.0, b = defined ? drive[1] / decay[1] : 0.0,
               c = defined ? drive[2] / decay[2] : 0.0;
  const double slope = 0.5 * (c - a), bend = 0.5 * (a - 2.0 * b + c);
  if (!defined || (whole < 1.0 && std::abs(slope) + std::abs(bend) > 1e-3 * std::abs(b))) {
    for (std::size_t i = 0; i < 3; ++i)
      g.gain += length * N::weight[i] * drive[i] * std::exp(-ahead[i]);
    return g;
  }
  constexpr double unit = N::root / 10.0, start = -0.5 / unit;
  g.gain = (b + start * (slope + start * bend)) * -std::expm1(-whole);
  for (int i = 0; i < 3; ++i)
    g.gain += N::weight[std::size_t(i)] * (slope + 2.0 * (i - 1) * bend) / unit *
              -std::expm1(-ahead[std::size_t(i)]);
  return g;
}

}  // namespace bristle
