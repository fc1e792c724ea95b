// SPDX-License-Identifier: MIT
// Motions under an input with known parameters: by the adaptive method, not by the steps of a fit.
#pragma once

#include "bristle/solve/simulate.hpp"
#include "identify/simulated.hpp"

namespace bristle::test {

struct MotionNoise {
  double position = 0.0;  // standard deviation [m]
  unsigned seed = 1;
};

// The run of a simulation as a record of input and position.
inline Record seen_motion(const Simulation& simulation, const MotionNoise& noise = {}) {
  const Trajectory& t = simulation.trajectory;
  Record r{.name = "rolled", .time = t.time};
  // The noise of simulated.hpp goes to forces.
  r.force = t.position;
  r = noisy(std::move(r), noise.position, noise.seed);
  r.position = std::move(r.force);
  r.force.clear();
  r.input_time = t.time, r.input = t.input;
  return r;
}

inline Options tightly(double end, double samples) {
  Options o{.end = end, .tolerance = 1e-10, .samples = samples};
  return o;
}

}  // namespace bristle::test
