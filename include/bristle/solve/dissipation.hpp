// SPDX-License-Identifier: MIT
// What is dissipated within a step, counted so that it never falls where no power is negative.
//
// The quadrature that rides along with the states has weights of either sign: where little is
// dissipated beside what flows back and forth, its error can exceed its value: the sum would fall.
// A sum with positive weights (Gauss-Lobatto, five nodes) along the interpolated states cannot.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/solve/system.hpp"

namespace bristle {

// The energy dissipated over the step from t to t + h that the method holds [J]; NaN if the power
// is negative at a node by more than rounding, as a law that is not passive has it.
template <class Sys, class Method>
double dissipated_over(const Sys& system, const Method& method, const Mode& mode, double t,
                       double h) {
  constexpr std::array node{0.0, 0.17267316464601146, 0.5, 0.82732683535398854, 1.0};
  constexpr std::array weight{0.05, 49.0 / 180.0, 16.0 / 45.0, 49.0 / 180.0, 0.05};
  double sum = 0.0;
  for (std::size_t i = 0; i < node.size(); ++i) {
    typename Sys::State rate{};
    std::array<double, Sys::powers> power{};
    const double at = t + node[i] * h;
    const typename Sys::State y = Method::states(method.dense(node[i]));
    system.evaluate(at, y, mode, rate, power);
    // A velocity within its error of zero may have the other sign than its branch; what is
    // dissipated has it then, too.
    const bool turned = mode.branch.direction * system.motion(at, y, mode).velocity < 0.0;
    if (!turned && !(power[2] >= -1e-10 * std::abs(power[1]))) return NAN;
    sum += weight[i] * std::max(power[2], 0.0);
  }
  return h * sum;
}

}  // namespace bristle
