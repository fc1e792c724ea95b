// SPDX-License-Identifier: MIT
// Stick-slip limit cycles: whether there is one, its period, and whether the body truly sticks.
#pragma once

#include "bristle/solve/trajectory.hpp"

namespace bristle {

enum class StickSlip {
  none,   // the body keeps sliding, or stays at rest
  quasi,  // it slows down or swings back, but never rests
  exact   // it rests during a part of every cycle
};

struct LimitCycle {
  int cycles = 0;               // complete periods found
  double period = 0.0;          // mean of the last half of them [s]
  double period_spread = 0.0;   // largest minus smallest of those [s]
  double amplitude = 0.0;       // half the range of the velocity over the last period [m/s]
  double stick_fraction = 0.0;  // part of the last period at rest
  double reverse_speed = 0.0;   // largest speed against the direction of travel [m/s]
  StickSlip kind = StickSlip::none;
};

struct LimitCycleOptions {
  // A state law never rests exactly: below this part of the top speed the body counts as resting.
  // Creep in presliding is some 1e-5 of the top speed of a slip, so a thousandth separates the two.
  double rest_speed = 1e-3;
  double rest_fraction = 0.02;  // of the period, for a cycle to count as exact stick-slip
};

LimitCycle find_limit_cycle(const Trajectory& run, const LimitCycleOptions& options = {});

std::string_view words(StickSlip kind);

}  // namespace bristle
