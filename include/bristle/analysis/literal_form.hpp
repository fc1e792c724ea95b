// SPDX-License-Identifier: MIT
// The hysteretic law exactly as its source prints it, to show why the engine does not use it.
//
// As printed the contact yields by the speed and the acceleration along the motion b,
//   f = contact_stiffness v^2 / (2 load |b|) - f0,
// so that mass b = push - load f may have several solutions for b, or none. Source: hysteretic
// effects of dry friction (4.2) with (5.4).
#pragma once

#include <vector>

#include "bristle/mechanism/base_excited_mass.hpp"
#include "bristle/model/hysteretic_static.hpp"
#include "bristle/solve/options.hpp"

namespace bristle {

struct LiteralRoot {
  double acceleration = 0.0, coefficient = 0.0;
  double piece = HystereticStatic<>::Piece::holds;
};

// All accelerations that solve the equation, in ascending order; none at rest.
std::vector<LiteralRoot> literal_roots(const HystereticStatic<>& law, double mass, double load,
                                       double velocity, double push);

// A motion at fixed steps (Runge-Kutta of order 4) that takes the acceleration nearest to the last
// one, and holds its speed where there is none.
struct LiteralMotion {
  double most_position = 0.0;                   // from record_from on [m]
  long evaluations = 0, several = 0, none = 0;  // those with several accelerations, and with none
  bool finished = true;
};
// Uses end, record_from, step, initial and progress of the options.
LiteralMotion literal_motion(const HystereticStatic<>& law, const BaseExcitedMass& body,
                             const Options& options);

}  // namespace bristle
