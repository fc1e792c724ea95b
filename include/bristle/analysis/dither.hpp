// SPDX-License-Identifier: MIT
// Mean friction force under dither: how dither smooths dry friction.
//
// The mean friction against a constant velocity v under a harmonic dither of velocity amplitude A,
// as a part of the Coulomb force:
//
//   along the motion    (2 / pi) asin(v / A), 1 for v > A
//   across the motion   (2 / pi) v / sqrt(v^2 + A^2) K(A^2 / (v^2 + A^2)), K with the parameter m
//
// For small velocities both are a damping [N s/m]: 2 F / (pi A) along the motion, and that times
// ln(4 A / v) across it. Limits: Coulomb friction, a dither that is fast against the motion.
#pragma once

namespace bristle {

double mean_friction_along(double velocity, double amplitude);
double mean_friction_across(double velocity, double amplitude);
double effective_damping_along(double coulomb_force, double amplitude);
double effective_damping_across(double coulomb_force, double amplitude, double velocity);

}  // namespace bristle
