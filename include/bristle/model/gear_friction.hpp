// SPDX-License-Identifier: MIT
// Friction of a gear: it grows with the torque in the teeth and differs between driving and
// backdriving.
//
//   F = sign(v) (Tc + Tr g + mu |W|) + viscous v,    g = exp(-|v| / vs)
//   mu = driving + driving_rise g + driving_growth |W|              where v W <= 0
//   mu = backdriving + backdriving_rise g + backdriving_growth |W|  where v W > 0
//
// W is the load (Motion::load): the torque with which what hangs on the gear turns it, positive
// along positive motion. It opposes the motion when the motor drives the load, and pushes it when
// the load drives the motor back. At rest any F of the interval between both directions at v = 0;
// with a load that interval is not symmetric. Tc coulomb_torque, Tr coulomb_rise, vs
// stribeck_velocity; what ends in _rise is there at rest and gone at speed.
//
// Limits: without a load and a rise, Coulomb friction with a viscous part; F is odd if velocity and
// load change sign together. A gear whose break-away torque in driving exceeds what the motor adds
// locks. Does not show: presliding, backlash, dwell time. The load-dependent, directional and
// quadratic terms follow the servo models of Duclusaud, Passault, Padois and Ly (arXiv 2410.08650,
// model M6), with the load taken behind the gear and one coefficient for each direction of power.
#pragma once

#include <array>

#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct GearFriction {
  using Number = T;
  static constexpr std::string_view name = "gear_friction";
  static constexpr std::string_view summary =
      "gear whose friction grows with its load, driving or driven back, interval at rest";

  static constexpr bool signed_load = true;  // a load turns the gear either way

  T coulomb_torque = T(0.005);
  T coulomb_rise = T(0.0);
  T viscous = T(0.005);
  T stribeck_velocity = T(0.3);
  T driving = T(0.1);
  T driving_rise = T(0.4);
  T driving_growth = T(1.0);
  T backdriving = T(0.1);
  T backdriving_rise = T(0.3);
  T backdriving_growth = T(0.0);

  static constexpr auto fields() {
    using G = GearFriction;
    using F = Field<G>;
    // What is lost of the load; a gear that loses more than twice of it is no gear.
    constexpr Bounds part{0.0, 2.0};
    constexpr Bounds growth{-10.0, 10.0};
    return std::array{
        F{"coulomb_torque", "N m", "friction without load", non_negative, &G::coulomb_torque},
        F{"coulomb_rise", "N m", "added to it at rest", non_negative, &G::coulomb_rise},
        F{"viscous", "N m s/rad", "viscous coefficient", non_negative, &G::viscous},
        F{"stribeck_velocity", "rad/s", "speed over which what is added at rest falls", positive,
          &G::stribeck_velocity},
        F{"driving", "", "part of the load lost while the motor drives", part, &G::driving},
        F{"driving_rise", "", "added to it at rest", part, &G::driving_rise},
        F{"driving_growth", "1/(N m)", "added to it per load", growth, &G::driving_growth},
        F{"backdriving", "", "part of the load lost while the load drives", part, &G::backdriving},
        F{"backdriving_rise", "", "added to it at rest", part, &G::backdriving_rise},
        F{"backdriving_growth", "1/(N m)", "added to it per load", growth, &G::backdriving_growth}};
  }

  // The magnitude at a speed, without the viscous part. `along` is the load in the direction of the
  // motion. A growth below zero cannot turn friction into a push.
  template <class S>
  S magnitude(const S& speed, const S& along) const {
    const S g = exp(-(speed / stribeck_velocity));
    const S size = abs(along);
    const S loses =
        select(along > S(0.0), S(backdriving + backdriving_rise * g + backdriving_growth * size),
               S(driving + driving_rise * g + driving_growth * size));
    return coulomb_torque + coulomb_rise * g + select(loses > S(0.0), loses, S(0.0)) * size;
  }

  template <class S, class V>
  S sliding(const Motion<S>& motion, const Branch<V>& branch) const {
    const S speed = branch.direction * motion.velocity;
    return branch.direction * magnitude(speed, S(branch.direction * motion.load)) +
           viscous * motion.velocity;
  }

  template <class S>
  Interval<S> limits(const Motion<S>& motion) const {
    return {S(-magnitude(S(0.0), S(-motion.load))), S(magnitude(S(0.0), motion.load))};
  }
};

}  // namespace bristle
