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

#include "bristle/mechanism/registry.hpp"

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

// The body of each of them; value(name) gives its parameters by the names of its table.
template <class S, class Value>
DrivenMass<S> body_of(const WallSpringMass&, const Value& value) {
  return {value("mass"), value("spring")};
}
template <class S, class Value>
DrivenMass<S> body_of(const DraggedMass&, const Value& value) {
  return {value("mass"), value("spring"), value("spring")};
}
template <class S, class Value>
DrivenMass<S> body_of(const DiaphragmValve&, const Value& value) {
  const S area = value("area");
  return {value("mass"), value("spring"), S(area * value("gain")),
          S(area * value("least_pressure") - value("preload")), value("time_constant")};
}
template <class S, class Value>
DrivenMass<S> body_of(const Pendulum&, const Value& value) {
  DrivenMass<S> body;
  body.mass = value("inertia");
  body.weight = value("weight"), body.tilt = value("tilt");
  return body;
}

template <class M>
concept DrivenMechanism = requires(const M& m, double (*value)(std::string_view)) {
  body_of<double>(m, value);
};

// The parameter whose place the input takes; empty if there is none.
template <DrivenMechanism M>
constexpr std::string_view replaced_by_input(const M&) {
  return {};
}
constexpr std::string_view replaced_by_input(const DraggedMass&) { return "drag_velocity"; }

// Whether its position is an angle.
template <DrivenMechanism M>
constexpr bool turns(const M&) {
  return requires(const M& m) { m.inertia; };
}

// Calls look(M{}) for every mechanism that is one.
template <class Look>
void for_each_driven(const Look& look) {
  for_each_mechanism([&]<class M>(const M& mechanism) {
    if constexpr (DrivenMechanism<M>) look(mechanism);
  });
}

// Whether the input takes the place of a parameter of the mechanism of a name.
inline bool input_replaces_parameter(std::string_view mechanism) {
  bool replaces = false;
  for_each_driven([&](const auto& one) {
    if (mechanism == one.name) replaces = !replaced_by_input(one).empty();
  });
  return replaces;
}

// The body of the mechanism of a name; nothing if there is no such one.
template <class S, class Value>
std::optional<DrivenMass<S>> driven_mass(std::string_view mechanism, const Value& value) {
  std::optional<DrivenMass<S>> body;
  for_each_driven([&](const auto& one) {
    if (mechanism == one.name) body = body_of<S>(one, value);
  });
  return body;
}

}  // namespace bristle
