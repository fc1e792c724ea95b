// SPDX-License-Identifier: MIT
// Properties of a friction law, found by numerical experiments.
//
//   Stribeck     the steady force falls with speed: from its largest value to the least beyond
//                (a law that lifts its body has a second way: the force falls as the body rises)
//   presliding   force over displacement as a body at rest is moved a hundredth of the deflection
//                at which it breaks away; rigid if the law rests on an interval of forces
//   stick        the speed left after half the break-away force was held for a while
//   drift        how far twenty waves between zero and half the break-away force move the body
//   stick-slip   the motion of a mass dragged from rest by a soft spring; a swing that friction
//                does not enlarge is none
//   memory       by the definitions of thesis 1.1, of displacement to force
//   continuity   of the rate of the state over the state, or of the force of a law without a state
//   passivity    the certificate of passivity.hpp; a law without a state is tried at many speeds
//
// Everything holds for one set of parameters at load 1 N and says nothing about others. A test
// that could not be run leaves its answer unknown.
#pragma once

#include <memory>
#include <optional>

#include "bristle/analysis/continuity.hpp"
#include "bristle/analysis/io_map.hpp"
#include "bristle/analysis/limit_cycle.hpp"
#include "bristle/analysis/passivity.hpp"

namespace bristle {

struct LawTraits {
  double break_away = 0.0;           // largest force at rest or in slow motion [N]
  double deflection = 0.0;           // at which it breaks away, 0 for a rigid law [m]
  double fall = 0.0;                 // of the steady force over speed, as part of its largest value
  double fall_speed = 0.0;           // at which half of the fall is done [m/s], 0 without one
  bool by_position = false;          // the steady force depends on the position
  double stiffness = 0.0;            // in presliding [N/m], infinite for a rigid law
  std::optional<double> held_speed;  // left after half the break-away force was held [m/s]
  std::optional<double> drift;       // of twenty waves [m]
  std::optional<StickSlip> stick_slip;
  double with_height = 0.0;  // correlation of force and height while the dragged mass slips
  MapProperties map;
  std::optional<Continuity> continuity;  // empty for a law that remembers more than its state
  Certificate passivity;

  bool stribeck() const { return fall > 0.01; }
  bool falls_with_height() const { return with_height < -0.5; }
  // At rest: exactly, or for all practical purposes.
  bool rests_exactly() const { return held_speed && *held_speed == 0.0; }
  bool rests() const { return held_speed && *held_speed < 1e-9; }
  bool drifts() const { return drift && deflection > 0.0 && *drift > 1e-2 * deflection; }
};

LawTraits law_traits(const std::shared_ptr<const AnyLaw>& law);

}  // namespace bristle
