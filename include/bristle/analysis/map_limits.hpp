// SPDX-License-Identifier: MIT
// Limits of a hysteresis map: its area as the frequency vanishes, and coexisting loops.
#pragma once

#include <vector>

#include "bristle/solve/simulate.hpp"
#include "bristle/system/system.hpp"

namespace bristle {

// The area of the loop of the last of `periods` periods at falling frequencies, each half of the
// one before, and where it is heading. Areas are of output over input, positive if clockwise.
//
// The error estimate adds three parts: the distance of the last two extrapolated limits (that from
// the first of four areas left out, and that from the last left out), by how much the last loop
// still changed from one period to the next, and the tolerance of the integration.
struct FrequencyLimit {
  std::vector<double> frequency;  // [rad/s]
  std::vector<double> area;
  std::vector<double> change;  // of the area from the period before
  double limit = 0.0;          // by Aitken's rule where the areas converge, else the last of them
  double error = 0.0;          // how far the limit may be off
  bool converges = false;      // false: the areas do not come closer from one to the next
};
FrequencyLimit slow_limit(const AnySystem& system, const Signal& input, const Options& options,
                          int halvings = 3, int periods = 3);

// Loops that a body settles on depending on where it starts.
struct SettledLoop {
  double area = 0.0;           // mean of those found [J]
  double spread = 0.0;         // largest minus smallest [J]
  std::vector<double> starts;  // positions that lead to it [m]
};
// From `count` starts at rest between two positions; loops whose areas differ by less than `apart`
// of the larger are one. The last of `periods` periods counts. Largest basin first.
std::vector<SettledLoop> coexisting_loops(const AnyLaw& law, const WallSpringMass& body,
                                          const Options& options, double from, double to, int count,
                                          double apart = 0.01, int periods = 3);

}  // namespace bristle
