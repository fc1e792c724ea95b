// SPDX-License-Identifier: MIT
// Sliding, read from samples of a run: the range of the friction force, the largest speed of each
// slip, and whether the force lags behind a varying velocity.
#pragma once

#include <span>
#include <vector>

#include "bristle/analysis/loop.hpp"

namespace bristle {

// Least and largest force against the motion, F sign(v), over the samples faster than `above`.
// Both are NaN if no sample is.
Range sliding_force(std::span<const double> velocity, std::span<const double> force,
                    double above = 0.0);

// The top of one slip: a spell of motion between two rests.
struct SlipPeak {
  double time = 0.0;
  double speed = 0.0;
};
// One per slip that begins and ends within the samples, refined by a parabola through the fastest
// sample and its neighbours. A body rests where it is slower than `rest` times its top speed.
std::vector<SlipPeak> slip_peaks(std::span<const double> time, std::span<const double> velocity,
                                 double rest = 1e-2);

// Frictional lag of one period of motion in one direction: the area of the loop of force over
// velocity as a part of the rectangle around it. Positive is the normal direction, with more
// friction while the speed grows than while it falls; negative is the reversed one. NaN for motion
// that turns back, or that varies in neither force nor velocity.
double lag_fraction(std::span<const double> velocity, std::span<const double> force);

}  // namespace bristle
