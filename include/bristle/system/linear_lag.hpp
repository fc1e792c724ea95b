// SPDX-License-Identifier: MIT
// A mass behind a spring and a dashpot: m x'' + c x' + k (x - u) = 0, y = x.
//
// A linear system: its loop vanishes with the frequency, so it is not hysteretic. The area of the
// loop of u = A sin wt is pi A^2 k c w / ((k - m w^2)^2 + (c w)^2). Source: thesis (1.3)-(1.4).
#pragma once

#include "bristle/system/system.hpp"

namespace bristle {

struct LinearLag {
  using Number = double;
  static constexpr std::string_view name = "linear_lag";
  static constexpr std::string_view summary = "mass behind a spring and a dashpot; not hysteretic";

  double mass = 1.0;
  double damping = 2.0;
  double stiffness = 1.0;
  std::vector<double> states{};

  static constexpr auto fields() {
    using F = Field<LinearLag>;
    return std::array{
        F{"mass", "kg", "mass of the body", positive, &LinearLag::mass},
        F{"damping", "N s/m", "damping to the ground", non_negative, &LinearLag::damping},
        F{"stiffness", "N/m", "stiffness of the spring between input and body", positive,
          &LinearLag::stiffness},
        F{"states", "m, m/s", "position and velocity at the start, zeros if none are given",
          any_number, &LinearLag::states}};
  }
  void check() const { check_states(name, states, size()); }

  int size() const { return 2; }
  template <class T>
  void rates(const T* x, T u, T, T* dx) const {
    dx[0] = x[1];
    dx[1] = -(damping * x[1] + stiffness * (x[0] - u)) / mass;
  }
  template <class T>
  T output(const T* x, T) const {
    return x[0];
  }
  template <class T>
  T resting_input(T y) const {
    return y;
  }
};

}  // namespace bristle
