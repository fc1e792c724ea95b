// SPDX-License-Identifier: MIT
// Separates viscous from Coulomb friction by the turning points of a free oscillation.
//
//   |X_{i+1}| = e |X_i| - (1 + e) F / k,      e = exp(-pi z / sqrt(1 - z^2)),   c = 2 z sqrt(k m)
//
// X_i are the successive turning points of a mass on a spring with viscous damping c and Coulomb
// friction F: every half swing is that of a damped oscillator about the place where the spring
// balances the friction. A straight line through |X_{i+1}| over |X_i| gives e by its slope and F by
// its intercept. Limits: friction that varies with the speed bends the line, `scatter` says how
// much; at least three turning points are needed. Source: Liang and Feeny (1998), the method by
// which hysteretic effects of dry friction (5b) finds c.
#pragma once

#include <span>
#include <vector>

namespace bristle {

struct Decrements {
  std::vector<double> turns;  // X_i [m]
  double viscous = 0.0;       // c [N s/m]
  double coulomb = 0.0;       // F [N]
  double damping_ratio = 0.0;
  double scatter = 0.0;  // root of the mean square distance from the line, over the first |X|
};

// From turning points: mass [kg], spring [N/m]. Throws InvalidInput for fewer than three turning
// points, for ones that do not fall, and for mass or spring that are not positive.
Decrements decrements(std::span<const double> turns, double mass, double spring);

// The turning points of a motion given by samples: where the velocity changes sign, by the cubic
// through two samples. The start counts if the body starts at rest.
std::vector<double> turning_points(std::span<const double> time, std::span<const double> position,
                                   std::span<const double> velocity);

}  // namespace bristle
