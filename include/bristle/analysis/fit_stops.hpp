// SPDX-License-Identifier: MIT
// Stops beside a spring from measured clockwise loops: dampers, structures, presliding friction.
//
//   y = k0 (u - u_mean) + c + sum_i k_i (u - x_i),    x_i <- max(u - w_i, min(u + w_i, x_i))
//
// Each stop is a spring k_i >= 0 that slips at the force k_i w_i (Maxwell-slip, Iwan). Stiffnesses
// come from linear least squares; the spring k0 and the offset c may have either sign. Thresholds
// are w_i = reach (i / (n + 1))^p, with the power p found by a search: above one it crowds them at
// small deflections, which loops with steep flanks need. A run begins with all stops relaxed, or
// with the deflections that going through its own inputs once leaves behind, whichever fits better:
// the first suits a record from the virgin state, the second a loop cut from a steady oscillation.
//
// The whole sum is a Prandtl-Ishlinskii operator with negative weights. Its inverse is of play type
// with positive weights and exists if the spring is positive: without one, a force beyond the sum
// of all slip forces belongs to no displacement.
#pragma once

#include "bristle/analysis/fit_plays.hpp"

namespace bristle {

struct StopFitOptions {
  int stops = 20;
};

struct StopFit : PlayFit {
  bool settled = false;  // runs begin with the deflections of a pass through their own inputs
  double power = 1.0;    // p
  double spring = 0.0;   // k0: the slope that is left when all stops slip

  double stiffness(std::size_t i) const { return -model.weights[i]; }
  // A spring of less than a millionth of the stiffness at a reversal is none.
  bool invertible() const { return spring > 1e-6 * model.direct && model.invertible(); }
};

// Stops that carry nothing are left out of the model. Throws InvalidInput as fit_plays() does.
StopFit fit_stops(std::span<const MeasuredRun> runs, const StopFitOptions& options = {});

}  // namespace bristle
