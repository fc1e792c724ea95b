// SPDX-License-Identifier: MIT
// A pendulum turned by a hobby servo: a direct-current motor behind a gear, under position control.
//
//   duty  = gain * (goal - q) * controller_gain, kept within -1 and 1 (0 if the motor is off)
//   Tm    = motor_constant / resistance * (duty supply - motor_constant v)    (0 if off)
//   Tg    = -mass gravity length sin(q - tilt)
//   W     = Tg - mass length^2 v'                   the torque of the pendulum on the gear
//   armature v' = Tm + W - F(v, W)
//
// q is zero where the pendulum hangs. `gain` belongs to a run (what is set in the servo),
// controller_gain to the servo. Torques and inertias are those at the output of the gear; with the
// motor off its terminals are open, so that it does not brake. F is a set-valued law; as it may
// depend on the load W and W depends on the acceleration, acceleration() solves for both.
// The defaults are those of an XL330-M288-T: the maker gives a stall current of 1.47 A and 103
// turns a minute without load, both at 5 V, hence 3.4 ohm and at most 0.464 N m/A; a tenth less if,
// as is usual, a tenth of the stall current is needed to turn the motor without load.
// Not modelled: inductance, backlash, delay of the controller, sag of the supply (a part of the
// resistance here), heating.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/model/model.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

template <class T = double>
struct ServoPendulum {
  using Number = T;
  static constexpr std::string_view name = "servo_pendulum";
  static constexpr std::string_view summary =
      "pendulum on a position-controlled servo; the input is its goal";

  T mass = T(0.49);
  T length = T(0.1);
  T gravity = T(9.81);
  T tilt = T(0.0);
  T armature = T(0.002);
  T motor_constant = T(0.417);
  T resistance = T(3.4);
  T supply = T(7.3);
  // Encoder steps per radian over 256 per unit of gain and 885 counts of full duty.
  T controller_gain = T(4096.0 / (2.0 * std::numbers::pi * 256.0 * 885.0));

  static constexpr auto fields() {
    using P = ServoPendulum;
    using F = Field<P>;
    return std::array{
        F{"mass", "kg", "mass at the end of the pendulum", positive, &P::mass},
        F{"length", "m", "length of the pendulum", positive, &P::length},
        F{"gravity", "m/s2", "acceleration of gravity", non_negative, &P::gravity},
        F{"tilt", "rad", "angle at which the pendulum hangs", Bounds{-0.3, 0.3}, &P::tilt},
        F{"armature", "kg m2", "inertia of motor and gear at the output", positive, &P::armature},
        F{"motor_constant", "N m/A", "torque per current at the output", positive,
          &P::motor_constant},
        F{"resistance", "ohm", "resistance of motor and supply", positive, &P::resistance},
        F{"supply", "V", "voltage at full duty", positive, &P::supply},
        F{"controller_gain", "1/rad", "duty per error and unit of gain", positive,
          &P::controller_gain}};
  }

  T load_inertia() const { return mass * length * length; }

  // The part of the supply the controller applies.
  template <class S>
  S duty(double gain, double goal, const S& q) const {
    const S u = controller_gain * gain * (goal - q);
    return select(u > S(1.0), S(1.0), select(u < S(-1.0), S(-1.0), u));
  }
  template <class S>
  S motor_torque(double gain, double goal, bool on, const S& q, const S& v) const {
    if (!on) return S(0.0);
    return motor_constant / resistance * (duty(gain, goal, q) * supply - motor_constant * v);
  }
  template <class S>
  S gravity_torque(const S& q) const {
    return -(mass * gravity * length) * sin(q - tilt);
  }
  // Of motion and height; zero where the pendulum hangs at rest [J].
  template <class S>
  S energy(const S& q, const S& v) const {
    return 0.5 * (armature + load_inertia()) * v * v +
           mass * gravity * length * (1.0 - cos(q - tilt));
  }
};

// What holds while the pendulum moves.
template <class S>
struct ServoBalance {
  S acceleration{};  // [rad/s2]
  S friction{};      // [N m]
  S load{};          // [N m]
};

// Solves armature v' = Tm + W - F(v, W), W = Tg - I v' in the direction of the branch. In W the
// rest R = r (Tg - W) - Tm - W + F(W), r = armature / I, falls as long as a load that drives back
// loses less than 1 + r of what is added to it; Newton's method then ends at the one root, for a
// law linear in the load on each side of zero in three steps. Where there is none the gear jams: it
// stops at once, which a very large deceleration stands for. `plain` is the law in plain numbers:
// the iteration needs no derivatives, they come with the last step.
template <class Law, class PlainLaw, class S>
ServoBalance<S> servo_balance(const Law& law, const PlainLaw& plain, const S& inertia,
                              const S& armature, const S& motor, const S& gravity, const S& v,
                              double direction) {
  using D = Dual<double, 1>;
  const Branch<double> branch{direction};
  const double tg = value_of(gravity), tm = value_of(motor);
  const double ratio = value_of(armature) / value_of(inertia);
  double load = tg, slope = -1.0;
  bool found = false, turned = false;
  for (int i = 0; i < 20 && !found; ++i) {
    Motion<D> at{D(0.0), D(value_of(v)), variable<1>(load, 0)};
    const D force = plain.sliding(at, branch);
    slope = force.slope[0] - 1.0 - ratio;
    if (!(slope < 0.0)) {  // driven back it would jam: is it driving?
      if (turned) break;
      turned = true;
      load = -direction * (std::abs(tg) + std::abs(tm));
      continue;
    }
    const double change = (ratio * (tg - load) - tm - load + force.value) / slope;
    load -= change;
    found = std::abs(change) <= 1e-13 * (std::abs(tg) + std::abs(tm) + std::abs(force.value));
  }
  if (!found) {
    const S stop(-1e9 * direction);
    return {stop, motor + gravity - (armature + inertia) * stop, gravity - inertia * stop};
  }
  const Motion<S> at{S(0.0), v, S(load)};
  const S friction = law.sliding(at, branch);
  const S rest = armature / inertia * (gravity - load) - motor - load + friction;
  ServoBalance<S> balance;
  balance.load = load - rest * (1.0 / slope);
  balance.acceleration = (gravity - balance.load) / inertia;
  balance.friction = motor + balance.load - armature * balance.acceleration;
  return balance;
}

}  // namespace bristle
