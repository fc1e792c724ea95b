// SPDX-License-Identifier: MIT
// How a run of a system reads between two instants.
#pragma once

#include <array>

#include "bristle/solve/system.hpp"
#include "finish.hpp"

namespace bristle::detail {

// The state between two instants, by cubics through the states and their rates.
template <class Sys>
auto between(const Sys& system, double t, double h, const typename Sys::State& from,
             const typename Sys::State& to, const Mode& mode) {
  typename Sys::State first{}, last{};
  std::array<double, 3> power{};
  system.evaluate(t, from, mode, first, power);
  system.evaluate(t + h, to, mode, last, power);
  return [=](double s) {
    typename Sys::State y{};
    for (int i = 0; i < Sys::size; ++i) {
      const double rise = to[i] - from[i];
      y[i] = from[i] + s * rise +
             s * (1.0 - s) * ((1.0 - s) * (h * first[i] - rise) - s * (h * last[i] - rise));
    }
    return y;
  };
}

}  // namespace bristle::detail
