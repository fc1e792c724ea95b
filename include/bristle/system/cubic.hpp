// SPDX-License-Identifier: MIT
// x' = -x^3 + x + u, y = x: two stable equilibria for |u| < 2/sqrt(27), a jump beyond.
//
// Rate-dependent hysteresis by bifurcation: the equilibria map folds at x = +-1/sqrt(3).
// Source: thesis (1.5)-(1.6), (1.8).
#pragma once

#include "bristle/system/system.hpp"

namespace bristle {

struct Cubic {
  using Number = double;
  static constexpr std::string_view name = "cubic";
  static constexpr std::string_view summary = "x' = -x^3 + x + u; hysteretic by bifurcation";

  std::vector<double> states{};

  static constexpr auto fields() {
    using F = Field<Cubic>;
    return std::array{
        F{"states", "", "x at the start, zero if none is given", any_number, &Cubic::states}};
  }
  void check() const { check_states(name, states, size()); }

  int size() const { return 1; }
  template <class T>
  void rates(const T* x, T u, T, T* dx) const {
    dx[0] = u + x[0] * (1.0 - x[0] * x[0]);
  }
  template <class T>
  T output(const T* x, T) const {
    return x[0];
  }
  template <class T>
  T resting_input(T y) const {
    return y * (y * y - 1.0);
  }
};

}  // namespace bristle
