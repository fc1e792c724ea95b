// SPDX-License-Identifier: MIT
// The response of a system as a function of time, not as samples: pieces along which it is smooth,
// as the integrator made them, with values at any time within.
#pragma once

#include <functional>
#include <vector>

namespace bristle {

struct PathPoint {
  double input = 0.0, output = 0.0, second = 0.0;
};

// From one time to another [s]. The system and the input it was made from must outlive it.
struct PathPiece {
  double from = 0.0, to = 0.0;
  std::function<PathPoint(double time)> at;
};
using Path = std::vector<PathPiece>;

}  // namespace bristle
