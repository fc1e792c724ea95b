// SPDX-License-Identifier: MIT
// A bounded velocity keeps bristles bounded. Numerical certificates of this: bounds with constants
// from the parameters, tried with random initial states and random inputs.
//
// One bristle (friction with bristle dynamics, Lemma III.1). If the steady deflection |z_ss(v)| has
// a bound over all velocities, every |z(0)| <= bound gives |z(t)| <= bound. This is not yet
// input-to-state stability: at rest the bristle keeps its deflection for ever.
//
// A rolling contact (Lemma IV.1 and Corollary IV.1, (46)-(48)), in the norm of L2 along the patch:
//
//   |z(t)| <= spread |z(0)| exp(1 - t / passage) + gain sup|v|         input-to-state
//   |F(t)| <= elastic |z(t)| + direct sup|v|                           input-to-output
//
//   passage  time a bristle takes through the patch, integral of dxi / V [s]
//   spread   sqrt(largest V / smallest V)
//   gain     norm of the time a bristle takes to reach xi [s]; it needs |drive(v)| <= |v|, which
//            holds for mu / g <= 1, and decay(v) >= 0
//   elastic  load, largest slope of the force over z, largest stiffness times pressure [N/m]
//   direct   load, largest direct force over v [N s/m]
//
// The source leaves the functions of (46) to another paper; these follow from the characteristics.
// With derivative = "partial" the force depends on the deflection at the end of the patch, which no
// norm of L2 bounds, and the second inequality fails, as its Remark IV.4 says.
#pragma once

#include <string>

#include "bristle/model/any_law.hpp"
#include "bristle/system/contact_patch.hpp"

namespace bristle {

struct StabilityOptions {
  int trials = 24;
  double top_speed =
      10.0;  // of the inputs and of the velocities the constants are taken over [m/s]
  unsigned seed = 1;
};

// Ratios a little above one are rounding and the sampling of profiles.
inline constexpr double stability_slack = 1e-3;

struct StateBound {
  double bound = 0.0;   // largest steady deflection up to top_speed [m]
  double speed = 0.0;   // where it is reached [m/s]
  bool premise = true;  // it does not grow on beyond top_speed
  double worst = 0.0;   // largest |z| over bound; infinite for a run that breaks off
  int trials = 0;

  bool holds() const { return worst <= 1.0 + stability_slack; }
  std::string words() const;
};
// Throws InvalidInput for a law without a state or without a steady one.
StateBound certify_bound(const AnyLaw& law, const StabilityOptions& options = {});

struct PatchStability {
  double passage = 0.0, spread = 1.0, gain = 0.0, elastic = 0.0, direct = 0.0;
  double worst_state = 0.0, worst_force = 0.0;  // left side over right side of the inequalities
  int trials = 0;

  bool state_holds() const { return worst_state <= 1.0 + stability_slack; }
  bool force_holds() const { return worst_force <= 1.0 + stability_slack; }
  std::string words() const;
};
PatchStability certify_stability(const ContactPatch& patch, const StabilityOptions& options = {});

}  // namespace bristle
