// SPDX-License-Identifier: MIT
// Measured torque (or force) in place of friction: the mechanics around the law, fitted with it.
//
//   tau = inertia a + gravity sin(q + q0) + viscous v + offset + F(law)
//
// All but the law are linear in their factors: gravity sin(q + q0) is gravity_sine sin q +
// gravity_cosine cos q. With a payload, a load in N that differs between runs or samples,
//
//   inertia = inertia_0 + payload_inertia m,   gravity = gravity_0 + payload_gravity m g
//
// with m = load / 9.80665, so that any number of loads has the same factors. The factors are
// unknowns of the one least squares, beside those of the law; their search starts from a linear
// regression with Coulomb friction.
//
// a is the slope of the velocity: along a smoothed motion that of the curve, otherwise that of the
// differentiator. Limits: noise of the position beyond its filter makes inertias too small;
// with a constant acceleration inertia cannot be distinguished from friction.
#pragma once

#include "bristle/identify/fit_problem.hpp"

namespace bristle {

struct FitOptions;
struct FitSummary;

struct TermOptions {
  bool inertia = false;
  bool gravity = false;  // of a rotation; that of a translation is an offset
  bool viscous = false;  // beside a law without one
  bool payload = false;  // inertia and gravity grow with the load
  bool any() const { return inertia || gravity || viscous; }
};

// Adds the factors to the parameters and their numbers to the runs. Throws InvalidInput: gravity of
// a translation, a law with a viscous part of its own, a payload that is the same throughout.
void add_terms(FitProblem& problem, const FitOptions& options);

// The numbers of the terms along the motion of a run as it is now.
void refresh_terms(const FitSetup& problem, Track& run);

// What mechanics and Coulomb friction alone would predict: the same terms, a constant and the sign
// of the velocity by linear regression over the fitted samples.
std::vector<std::vector<double>> mechanics_alone(const FitProblem& problem);

// gravity sin(q + q0) from its two parts, with standard deviations.
struct GravityTerm {
  bool there = false;
  double torque = 0.0, torque_deviation = 0.0;  // [N m]
  double angle = 0.0, angle_deviation = 0.0;    // q0 [rad]
};
GravityTerm gravity_of(const FitSummary& fit);

}  // namespace bristle
