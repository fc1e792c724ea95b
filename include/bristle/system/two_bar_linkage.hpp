// SPDX-License-Identifier: MIT
// The preloaded two-bar linkage: two bars of length l, joined by a pin that a vertical force F
// pushes down, the ends held together by a spring and a dashpot.
//
//   (a sin^2 t + b) t'' + a sin t cos t t'^2 + 2 k l^2 (cos t0 - cos t) sin t
//     + 2 c l^2 sin^2 t t' = -(l/2) cos t F,     a = 2 m l^2 + p m_bar l^2,  b = r m_bar l^2
//   y = l sin t (height of the pin),  q = 2 l cos t (distance of the ends)
//
// The thesis prints p = 9/8, r = 5/24; the Lagrangian of two uniform bars gives p = 1, r = 1/3,
// since the right bar moves up and down as well. Both are here. F against y is a simple loop, F
// against q a butterfly, y -> q being unimodal. The dissipated energy of a cycle is minus the
// integral of F dy, that is the area of the loop of y over F. Source: thesis (5.12)-(5.17).
#pragma once

#include <numbers>

#include "bristle/system/system.hpp"

namespace bristle {

struct TwoBarLinkage {
  using Number = double;
  static constexpr std::string_view name = "two_bar_linkage";
  static constexpr std::string_view summary =
      "snapping linkage of two bars; height of the pin, and distance of the ends as a butterfly";
  static constexpr std::array<std::string_view, 2> inertias{"printed", "corrected"};

  double mass = 1.0;
  double bar_mass = 0.5;
  double damping = 1.0;
  double stiffness = 1.0;
  double length = 1.0;
  double rest_angle = std::numbers::pi / 4.0;
  int inertia = 0;
  std::vector<double> states{};

  static constexpr auto fields() {
    using F = Field<TwoBarLinkage>;
    using T = TwoBarLinkage;
    return std::array{
        F{"mass", "kg", "mass at the sliding end", non_negative, &T::mass},
        F{"bar_mass", "kg", "mass of each bar", positive, &T::bar_mass},
        F{"damping", "N s/m", "damping of the sliding end", non_negative, &T::damping},
        F{"stiffness", "N/m", "stiffness of the spring", positive, &T::stiffness},
        F{"length", "m", "length of each bar", positive, &T::length},
        F{"rest_angle", "rad", "angle of the bars where the spring is relaxed",
          Bounds{0.0, 1.57, true}, &T::rest_angle},
        F{"inertia", "printed: coefficients 9/8 and 5/24 of the thesis; corrected: 1 and 1/3",
          inertias, &T::inertia},
        F{"states", "rad, rad/s",
          "angle and its rate at the start, at rest with the spring relaxed if none are given",
          any_number, &T::states}};
  }
  void check() const { check_states(name, states, size()); }

  int size() const { return 2; }
  void settle(std::vector<double>& x) const {
    if (states.empty()) x[0] = rest_angle;
  }
  template <class T>
  void rates(const T* x, T u, T, T* dx) const {
    using std::cos, std::sin;
    const T s = sin(x[0]), c = cos(x[0]);
    const double square = length * length;
    const double turning = square * (2.0 * mass + (inertia == 0 ? 9.0 / 8.0 : 1.0) * bar_mass);
    const double least = square * (inertia == 0 ? 5.0 / 24.0 : 1.0 / 3.0) * bar_mass;
    dx[0] = x[1];
    dx[1] = -(turning * s * c * x[1] * x[1] +
              2.0 * stiffness * square * (std::cos(rest_angle) - c) * s +
              2.0 * damping * square * s * s * x[1] + 0.5 * length * c * u) /
            (turning * s * s + least);
  }
  template <class T>
  T output(const T* x, T) const {
    using std::sin;
    return length * sin(x[0]);
  }
  static std::string_view second_name() { return "distance"; }
  double second(const double* x, double) const { return 2.0 * length * std::cos(x[0]); }

  // The force under which the linkage rests with its pin at y, downwards positive: (5.13).
  template <class T>
  T resting_input(T y) const {
    using std::sqrt;
    return 4.0 * stiffness * y *
           (1.0 - length * std::cos(rest_angle) / sqrt(length * length - y * y));
  }
  double resting_second(double y) const { return 2.0 * std::sqrt(length * length - y * y); }
  // The angle at which a stable equilibrium ends and the linkage snaps, and the force there.
  double fold_angle() const { return std::acos(std::cbrt(std::cos(rest_angle))); }
  double fold_force() const {
    return 4.0 * stiffness * length *
           std::pow(1.0 - std::pow(std::cos(rest_angle), 2.0 / 3.0), 1.5);
  }
};

}  // namespace bristle
