// SPDX-License-Identifier: MIT
// Force against constant velocity, and the forces between which a law can rest.
#pragma once

#include <span>
#include <vector>

#include "bristle/model/any_law.hpp"

namespace bristle {

struct SteadyCurve {
  std::vector<double> velocity;  // [m/s]
  std::vector<double> force;     // [N]
};

// The steady force at `points` velocities from `from` to `to`, with both one-sided values at zero
// if the range crosses it.
SteadyCurve steady_curve(const AnyLaw& law, double from, double to, int points, double load = 1.0);

// The friction forces at which a body at the given position can rest: from the steady force of a
// vanishing velocity backward to that forward. For a mass on a wall spring these bound the
// equilibria map.
Interval<double> rest_interval(const AnyLaw& law, double position, double load = 1.0);

}  // namespace bristle
