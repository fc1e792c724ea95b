// SPDX-License-Identifier: MIT
// The largest Lyapunov exponent: how fast two motions that begin close together part.
//
// From the equations (Benettin): two copies run side by side and the second is pulled back to a
// small distance after every drive period; the exponent is the mean growth of the logarithm of the
// distance. From a series (Rosenstein, Collins and De Luca): each point of an embedding in delays
// is followed with its nearest neighbour of another time; the exponent is the slope of the mean
// logarithm of their distance. Positive for chaos, zero for quasi-periodic motion, negative for an
// attracting cycle. Limits: with friction two motions may fall together exactly; the exponent is
// then given as minus infinity. From a series only a positive exponent can be found.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "bristle/machine/machine.hpp"

namespace bristle {

struct LyapunovOptions {
  int transient = 100;     // drive periods before the growth is counted
  int beats = 400;         // counted
  double distance = 1e-7;  // in units of the scales: far above rounding, far below the motion
};

struct Lyapunov {
  double exponent = 0.0;    // [1/s], or per step of a map
  double difference = 0.0;  // between the second half of the record and the whole: its uncertainty
};

// Of a map of states, per step; `scales` are the sizes of the states.
using StateMap = std::function<std::vector<double>(const std::vector<double>&)>;
Lyapunov largest_exponent(const StateMap& map, std::vector<double> start,
                          std::span<const double> scales, const LyapunovOptions& options = {});

// Of a machine, by the common period of its drives [s]; `reach` is the size of its motion.
// Positions and velocities are compared, memories of laws included. Throws InvalidInput for a
// period that is not positive.
Lyapunov largest_exponent(MachineParts parts, double beat, double reach, double tolerance,
                          const LyapunovOptions& options = {});

struct SeriesOptions {
  int dimension = 3;
  int delay = 1;   // in samples
  int apart = 10;  // samples that neighbours must be apart in time
  int follow = 8;  // samples over which they part
};
// Of a series of samples `step` apart [1/s]. Throws InvalidInput if there are too few.
double series_exponent(std::span<const double> series, double step,
                       const SeriesOptions& options = {});

}  // namespace bristle
