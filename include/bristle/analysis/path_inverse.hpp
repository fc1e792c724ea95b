// SPDX-License-Identifier: MIT
// The displacement of a structural loop for a given force: the inverse of degrading_bouc_wen.
//
// Over a way from where the loop is, the force rises by at least elastic times that way, so each
// force belongs to one displacement if elastic > 0. It is found between two ways that bracket it,
// by the rule of false position (Illinois), to 1e-12 of the force.
//
// A way is gone by the law's own update of second order, in steps of a fiftieth of yield_force /
// stiffness that grow after every 64 of them, the last one cut off: so the force is a continuous
// and rising function of the way, and what was computed forward comes back.
//
// Limits: elastic must be positive; losses and pinching are undone as well, since the states go
// along with the displacement.
#pragma once

#include <array>
#include <span>

#include "bristle/model/degrading_bouc_wen.hpp"

namespace bristle {

class BoucWenInverse {
 public:
  // From displacement and states zero. Throws InvalidInput where there is no spring.
  explicit BoucWenInverse(const DegradingBoucWen<>& law);
  // The displacement at which the force is this one, from where the last one ended [m].
  double update(double force);

 private:
  struct Place {
    std::array<double, 2> states{};
    double displacement = 0.0, force = 0.0;
  };
  Place after(double way) const;

  DegradingBoucWen<> law_;
  Place now_;
};

// The forces along displacements, from displacement and states zero, in the same steps.
std::vector<double> forces_along(const DegradingBoucWen<>& law,
                                 std::span<const double> displacements);

}  // namespace bristle
