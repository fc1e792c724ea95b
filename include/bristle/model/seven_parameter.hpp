// SPDX-License-Identifier: MIT
// The seven-parameter model: a spring in stick, a delayed Stribeck curve in slip, and a break-away
// that rises with the time at rest.
//
//   stick   F = F1 + stiffness (x - x1),    F1 the force and x1 the place at which the slip ended
//   slip    F = sign(v) (coulomb_force + viscous |v| + Fs(td) / (1 + (v(t - delay) / vs)^2))
//   Fs(td)  = Fe + (static_rise - Fe) td / (td + dwell_time)
//
// Parameters: stiffness, coulomb_force, viscous, vs stribeck_velocity, delay, static_rise (of the
// break-away over the Coulomb force after long rest) and dwell_time (gamma). td is how long the
// stick lasted, Fe = static_rise / (1 + (v(t - delay) / vs)^2) as the slip before it ended: a short
// rest leaves friction low. Slip begins when the spring carries coulomb_force + Fs, and ends when
// the velocity reaches zero; both rules, the spring that begins with the force of the slip, and Fe
// are choices, which the source leaves open ("a major problem"). Limits: without viscous part the
// force in slip lies between coulomb_force and coulomb_force + static_rise. Does not show: creep
// before break-away. Source: hysteretic effects of dry friction (3.9)-(3.10).
#pragma once

#include <array>

#include "bristle/model/field.hpp"
#include "bristle/scalar/scalar.hpp"

namespace bristle {

struct SevenParameter {
  using Number = double;
  static constexpr std::string_view name = "seven_parameter";
  static constexpr std::string_view summary =
      "spring in stick, delayed Stribeck curve in slip, break-away that rises with the dwell time";

  double stiffness = 1e6;
  double coulomb_force = 8.75;
  double viscous = 0.0;
  double static_rise = 2.45;
  double stribeck_velocity = 0.02;
  double delay = 0.002;
  double dwell_time = 0.01;

  static constexpr auto fields() {
    using S = SevenParameter;
    using F = Field<S>;
    return std::array{
        F{"stiffness", "N/m", "stiffness of the contact in stick", positive, &S::stiffness},
        F{"coulomb_force", "N", "force at high speed without the viscous part", positive,
          &S::coulomb_force},
        F{"viscous", "N s/m", "viscous coefficient", non_negative, &S::viscous},
        F{"static_rise", "N", "break-away force less Coulomb force after long rest", non_negative,
          &S::static_rise},
        F{"stribeck_velocity", "m/s", "speed over which the force falls", positive,
          &S::stribeck_velocity},
        F{"delay", "s", "lag of the force behind the velocity", non_negative, &S::delay},
        F{"dwell_time", "s", "time at rest in which half the break-away comes back", positive,
          &S::dwell_time}};
  }

  // What is left of the Stribeck effect at a velocity (that of a delay ago).
  template <class S>
  S fall(const S& velocity) const {
    return S(1.0) / (S(1.0) + square(S(velocity / stribeck_velocity)));
  }
  // The force against a slip, for the rise of its break-away.
  template <class S>
  S slipping(const S& speed, const S& delayed, double rise) const {
    return coulomb_force + viscous * speed + rise * fall(delayed);
  }
  // The rise after a rest, for that with which the slip before it ended.
  double rise_after(double ended, double rest) const {
    return ended + (static_rise - ended) * rest / (rest + dwell_time);
  }
};

}  // namespace bristle
