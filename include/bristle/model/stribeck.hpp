// SPDX-License-Identifier: MIT
// Static friction that falls with speed: the Stribeck family.
//
//   F = sign(v) (Fc + (Fs - Fc) g(|v|)) + viscous * v,   at rest any F in [-Fs, Fs]
//
//   exponential   g = exp(-|v| / vs)                     (Tustin)
//   generalised   g = exp(-decay |v|^exponent)           (Bo and Pavelescu)
//   gaussian      g = exp(-(v / vs)^2)                   (Armstrong-Helouvry)
//   lorentzian    g = 1 / (1 + (v / vs)^2)               (Hess and Soom)
//   popp_stelter  g = 1 / (1 + falling |v|) + rising v^2 / (Fs - Fc)
//
// Fc coulomb_force, Fs static_force, vs stribeck_velocity. The power of the generalised curve is a
// straight line below 1e-9 m/s. For Fs = Fc only the rising part of
// popp_stelter remains of g. Limits: F -> Fs as v -> 0+. Does not show: presliding, memory, lag.
// Source: hysteretic effects (3.2)-(3.7), with forces in place of load times coefficients.
#pragma once

#include <array>

#include "bristle/model/curve.hpp"
#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct Stribeck {
  using Number = T;
  static constexpr std::string_view name = "stribeck";
  static constexpr std::string_view summary =
      "static friction curve falling from a static to a Coulomb force, interval at rest";

  static constexpr double slowest = 1e-9;  // [m/s]

  enum Curve : int { exponential, generalised, gaussian, lorentzian, popp_stelter };
  static constexpr std::array<std::string_view, 5> curves{"exponential", "generalised", "gaussian",
                                                          "lorentzian", "popp_stelter"};

  T coulomb_force = T(1.0);
  T static_force = T(1.5);
  T stribeck_velocity = T(0.01);
  T viscous = T(0.0);
  int curve = gaussian;
  T decay = T(100.0);
  T exponent = T(1.0);
  T falling = T(100.0);
  T rising = T(0.0);

  static constexpr auto fields() {
    using S = Stribeck;
    return std::array{
        Field<S>{"coulomb_force", "N", "force at high speed without the viscous part", non_negative,
                 &S::coulomb_force},
        Field<S>{"static_force", "N", "largest force at rest", non_negative, &S::static_force}
            .no_less_than("coulomb_force"),
        Field<S>{"stribeck_velocity", "m/s", "speed over which the force falls", positive,
                 &S::stribeck_velocity},
        Field<S>{"viscous", "N s/m", "viscous coefficient", non_negative, &S::viscous},
        Field<S>{"curve", "shape of the fall", curves, &S::curve},
        Field<S>{"decay", "(s/m)^exponent", "decay of the generalised curve", non_negative,
                 &S::decay},
        Field<S>{"exponent", "", "exponent of the generalised curve", positive, &S::exponent}
            .usually(0.05, 20.0),
        Field<S>{"falling", "s/m", "falling part of popp_stelter", non_negative, &S::falling},
        Field<S>{"rising", "N s2/m2", "rising part of popp_stelter", non_negative, &S::rising}};
  }

  // The magnitude of the force at the given speed, without the viscous part.
  template <class S>
  S magnitude(const S& speed) const {
    const T rise = static_force - coulomb_force;
    switch (curve) {
      case exponential: return coulomb_force + rise * exp(-(speed / stribeck_velocity));
      case generalised: return coulomb_force + rise * exp(-(decay * steepened(speed)));
      case lorentzian:
        return coulomb_force + rise / (T(1.0) + square(S(speed / stribeck_velocity)));
      case popp_stelter:
        return coulomb_force + rise / (T(1.0) + falling * speed) + rising * square(speed);
      default: return coulomb_force + rise * exp(-square(S(speed / stribeck_velocity)));
    }
  }

  // speed^exponent. For exponents below 1 its slope at rest is infinite; below `slowest` the power
  // goes on straight, so that a body can leave rest.
  template <class S>
  S steepened(const S& speed) const {
    const auto slow = speed < S(slowest);
    const T chord = magnitude_power(T(slowest), exponent) * (1.0 / slowest);
    return select(slow, S(speed * chord),
                  magnitude_power(S(select(slow, S(slowest), speed)), exponent));
  }

  template <class S, class V>
  S sliding(const Motion<S>& motion, const Branch<V>& branch) const {
    const S speed = branch.direction * motion.velocity;
    return branch.direction * magnitude(speed) + viscous * motion.velocity;
  }

  template <class S>
  Interval<S> limits(const Motion<S>&) const {
    return {S(-static_force), S(static_force)};
  }
};

}  // namespace bristle
