// SPDX-License-Identifier: MIT
#include "bristle/analysis/dither.hpp"

#include <cmath>
#include <numbers>

namespace bristle {

double mean_friction_along(double velocity, double amplitude) {
  if (std::abs(velocity) >= amplitude) return velocity < 0.0 ? -1.0 : 1.0;
  return 2.0 / std::numbers::pi * std::asin(velocity / amplitude);
}

double mean_friction_across(double velocity, double amplitude) {
  const double size = std::hypot(velocity, amplitude);
  if (size == 0.0) return 0.0;
  return 2.0 / std::numbers::pi * velocity / size * std::comp_ellint_1(amplitude / size);
}

double effective_damping_along(double coulomb_force, double amplitude) {
  return 2.0 * coulomb_force / (std::numbers::pi * amplitude);
}

double effective_damping_across(double coulomb_force, double amplitude, double velocity) {
  return effective_damping_along(coulomb_force, amplitude) * std::log(4.0 * amplitude / velocity);
}

}  // namespace bristle
