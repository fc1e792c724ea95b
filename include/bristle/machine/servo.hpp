// SPDX-License-Identifier: MIT
// A position servo on a body that turns: a direct-current motor behind a gear under proportional
// control, continuous in time.
//
//   duty = controller_gain gain (goal - q), kept within -1 and 1
//   T    = enabled motor_constant / resistance (duty supply - motor_constant q')
//
// goal and enabled are signals: the angle it is to reach, and the part of the torque that acts (1,
// or 0 while the terminals are open, when the motor does not brake either). gain is what is set in
// the servo, controller_gain belongs to its firmware. Torque and constant are those at the output
// of the gear. The defaults are those of an XL330-M288-T: the maker gives a stall current of 1.47 A
// and 103 turns a minute without load, both at 5 V, hence 3.4 ohm and at most 0.464 N m/A; a tenth
// less if, as is usual, a tenth of the stall current is needed to turn the motor without load.
// Not modelled: inductance, delay and dead zone of the controller, sag of the supply (a part of the
// resistance here), heating.
#pragma once

#include <numbers>

#include "bristle/machine/coupling.hpp"

namespace bristle {

struct Servo {
  using Number = double;
  static constexpr std::string_view name = "servo";
  static constexpr std::string_view summary = "motor under proportional control of its position";
  static constexpr std::array<std::string_view, 2> signal_names{"goal", "enabled"};
  static constexpr std::array<double, 2> signal_rest{0.0, 1.0};

  double motor_constant = 0.417;
  double resistance = 3.4;
  double supply = 7.3;
  // Encoder steps per radian over 256 per unit of gain and 885 counts of full duty.
  double controller_gain = 4096.0 / (2.0 * std::numbers::pi * 256.0 * 885.0);
  double gain = 400.0;

  static constexpr auto fields() {
    using C = Servo;
    using F = Field<C>;
    return std::array{
        F{"motor_constant", "N m/A", "torque per current at the output", positive,
          &C::motor_constant},
        F{"resistance", "ohm", "resistance of motor and supply", positive, &C::resistance},
        F{"supply", "V", "voltage at full duty", positive, &C::supply},
        F{"controller_gain", "1/rad", "duty per error and unit of gain", positive,
          &C::controller_gain},
        F{"gain", "", "proportional gain as set in the servo", non_negative, &C::gain}};
  }

  // The part of the supply that the controller applies; piece 1 or -1 is full duty.
  template <class S>
  S duty(const S& s, int piece, const double* u) const {
    return piece != 0 ? S(double(piece)) : S(controller_gain * gain * (u[0] - s));
  }
  template <class S>
  S force(const S& s, const S& w, int piece, const double* u) const {
    return -(u[1] * motor_constant / resistance) *
           (duty(s, piece, u) * supply - motor_constant * w);
  }
  // Back-EMF brakes; what is left of the torque is the work of the supply.
  template <class S>
  S loss(const S&, const S& w, int, const double* u) const {
    return u[1] * motor_constant / resistance * motor_constant * w * w;
  }
  double work(double s, double w, int piece, const double* u) const {
    return u[1] * motor_constant / resistance * supply * duty(s, piece, u) * w;
  }
  int piece(double s, double, const double* u) const {
    const double whole = duty(s, 0, u);
    return whole > 1.0 ? 1 : whole < -1.0 ? -1 : 0;
  }
  double margin(double s, double, int piece, const double* u) const {
    const double whole = duty(s, 0, u);
    return piece == 0 ? 1.0 - std::abs(whole) : piece * whole - 1.0;
  }
  int next(double s, double, int piece, const double* u) const {
    return piece != 0 ? 0 : duty(s, 0, u) > 0.0 ? 1 : -1;
  }
};

}  // namespace bristle
