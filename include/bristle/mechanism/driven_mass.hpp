// SPDX-License-Identifier: MIT
// What the mechanisms with one body and one input have in common, for any kind of number.
//
//   mass v' = bias + gain w - spring x - weight sin(x - tilt) - F,
//   lag w' = u - w,    w = u at the start
//
//   wall_spring_mass   u the force:             gain 1, no bias, no lag
//   dragged_mass       u the drag position:     gain = spring, no bias, no lag
//   diaphragm_valve    u the command:           gain = area gain, bias = area least_pressure -
//                                               preload, lag = time_constant; area P = gain w + ...
//   pendulum           u the torque:            gain 1, weight and tilt; its inertia for the mass
//
// The input stands for the drive of the mechanism; drag_velocity and signal have no part in it.
#pragma once

#include <optional>

#include "bristle/mechanism/diaphragm_valve.hpp"
#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/mechanism/pendulum.hpp"
#include "bristle/mechanism/wall_spring_mass.hpp"

namespace bristle {

template <class S>
struct DrivenMass {
  S mass = S(1.0);    // [kg]
  S spring = S(0.0);  // [N/m]
  S gain = S(1.0);    // [N per unit of the input]
  S bias = S(0.0);    // [N]
  S lag = S(0.0);     // [s]
  S weight = S(0.0);  // [N m], and it turns: x is an angle
  S tilt = S(0.0);    // [rad]

  // The force on the body beside its friction.
  template <class V>
  auto push(const V& position, const V& lagged) const {
    auto straight = bias + gain * lagged - spring * position;
    return value_of(weight) != 0.0 ? straight - weight * sin(position - tilt) : straight;
  }
  // What it falls by, per unit of the position.
  S stiffness(const S& position) const {
    return value_of(weight) != 0.0 ? S(spring + weight * cos(S(position - tilt))) : spring;
  }
};

// The body of a mechanism; value(name) gives its parameters by the names of its table. Nothing if
// there is no such mechanism.
template <class S, class Value>
std::optional<DrivenMass<S>> driven_mass(std::string_view mechanism, const Value& value) {
  DrivenMass<S> body;
  if (mechanism == WallSpringMass::name) {
    body = {value("mass"), value("spring")};
  } else if (mechanism == DraggedMass::name) {
    body = {value("mass"), value("spring"), value("spring")};
  } else if (mechanism == DiaphragmValve::name) {
    const S area = value("area");
    body = {value("mass"), value("spring"), S(area * value("gain")),
            S(area * value("least_pressure") - value("preload")), value("time_constant")};
  } else if (mechanism == Pendulum::name) {
    body.mass = value("inertia");
    body.weight = value("weight"), body.tilt = value("tilt");
  } else {
    return std::nullopt;
  }
  return body;
}

}  // namespace bristle
