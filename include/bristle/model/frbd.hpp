// SPDX-License-Identifier: MIT
// Friction with bristle dynamics (FrBD), lumped: LuGre derived from a physical bristle.
//
//   z' = (mu(v) v - stiffness(v) |v|_e z) / g(v),      g(v) = damping(v) |v|_e + mu(v)
//   F  = load (stiffness(v) z + damping(v) z')
//   mu(v) = mu_d + (mu_s - mu_d) exp(-|v / vs|^n) + viscous |v|,    |v|_e = sqrt(v^2 +
//   regularisation)
//
// stiffness(v) and damping(v) go from their values at rest to ratio times that over
// coefficient_velocity: s(v) = s (ratio + (1 - ratio) exp(-(v / coefficient_velocity)^2)); ratio 1
// is a constant. Coefficients are normalised by the load. Limits: the relaxation rate of z stays
// below stiffness / damping where that of LuGre grows with |v|; damping = 0 gives Dahl with a
// Stribeck curve. Passive for every constant stiffness. Does not show: true stick, nonlocal memory.
// Source: friction with bristle dynamics (5), (13)-(18).
#pragma once

#include <array>

#include "bristle/model/curve.hpp"
#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct FrBD {
  using Number = T;
  static constexpr std::string_view name = "frbd";
  static constexpr std::string_view summary =
      "bristles with bounded rates, passive, load dependent";

  T stiffness = T(1e4);
  T damping = T(64.5);
  T viscous = T(0.04);
  T dynamic_coefficient = T(1.0);
  T static_coefficient = T(1.5);
  T stribeck_velocity = T(0.01);
  T stribeck_exponent = T(2.0);
  T regularisation = T(0.0);
  T stiffness_ratio = T(1.0);
  T damping_ratio = T(1.0);
  T coefficient_velocity = T(0.01);

  static constexpr auto fields() {
    using L = FrBD;
    return std::array{
        Field<L>{"stiffness", "1/m", "normalised stiffness of the bristles", positive,
                 &L::stiffness},
        Field<L>{"damping", "s/m", "normalised damping of the bristles", non_negative, &L::damping},
        Field<L>{"viscous", "s/m", "normalised viscous coefficient", non_negative, &L::viscous},
        Field<L>{"dynamic_coefficient", "", "friction coefficient at high speed", positive,
                 &L::dynamic_coefficient},
        Field<L>{"static_coefficient", "", "friction coefficient as the speed goes to zero",
                 positive, &L::static_coefficient},
        Field<L>{"stribeck_velocity", "m/s", "speed over which the coefficient falls", positive,
                 &L::stribeck_velocity},
        Field<L>{"stribeck_exponent", "", "exponent of the fall", Bounds{0.0, 10.0, true},
                 &L::stribeck_exponent}
            .held_in_fits(),
        Field<L>{"regularisation", "m2/s2", "square of the speed that rounds the kink of |v|",
                 non_negative, &L::regularisation}
            .held_in_fits(),
        Field<L>{"stiffness_ratio", "", "stiffness at high speed over stiffness at rest", positive,
                 &L::stiffness_ratio}
            .held_in_fits(),
        Field<L>{"damping_ratio", "", "damping at high speed over damping at rest", non_negative,
                 &L::damping_ratio}
            .held_in_fits(),
        Field<L>{"coefficient_velocity", "m/s",
                 "speed over which stiffness and damping change to their high-speed values",
                 positive, &L::coefficient_velocity}
            .held_in_fits()};
  }

  // |v|_e, with the frozen direction where there is no regularisation.
  template <class S, class V>
  S speed(const S& velocity, const Branch<V>& branch) const {
    const auto sharp = regularisation <= T(0.0);
    const T safe = select(sharp, T(1.0), regularisation);
    return select(sharp, S(branch.direction * velocity), S(sqrt(S(velocity * velocity + safe))));
  }
  template <class S, class V>
  S coefficient(const S& velocity, const Branch<V>& branch) const {
    return stribeck_curve(dynamic_coefficient, static_coefficient, velocity, stribeck_velocity,
                          stribeck_exponent) +
           viscous * (branch.direction * velocity);
  }
  template <class S>
  S varying(const T& at_rest, const T& ratio, const S& velocity) const {
    if constexpr (PlainNumber<T>) {
      if (ratio == T(1.0)) return S(at_rest);
    }
    return at_rest * (ratio + (T(1.0) - ratio) * exp(-square(S(velocity / coefficient_velocity))));
  }

  template <class S, class V>
  Affine<S> affine(const Motion<S>& motion, const Branch<V>& branch) const {
    const S& v = motion.velocity;
    const S magnitude = speed(v, branch);
    const S mu = coefficient(v, branch);
    const S inverse = 1.0 / (varying(damping, damping_ratio, v) * magnitude + mu);
    return {varying(stiffness, stiffness_ratio, v) * magnitude * inverse, mu * v * inverse};
  }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    return respond(z, motion, affine(motion, branch));
  }
  template <class S>
  Response<S> respond(const S& z, const Motion<S>& motion, const Affine<S>& bristle) const {
    const S& v = motion.velocity;
    const S rate = bristle.drive - bristle.decay * z;
    const S force = motion.load * (varying(stiffness, stiffness_ratio, v) * z +
                                   varying(damping, damping_ratio, v) * rate);
    return {rate, force, force * v - motion.load * stiffness * z * rate};
  }

  template <class S, class V>
  S steady(const Motion<S>& motion, const Branch<V>& branch) const {
    const S& v = motion.velocity;
    const S magnitude = speed(v, branch);
    const auto rest = magnitude <= S(0.0);
    const S direction = select(rest, S(0.0), S(v / select(rest, S(1.0), magnitude)));
    return motion.load * direction * coefficient(v, branch);
  }
  template <class S>
  S stored(const S& z, const Motion<S>& motion) const {
    return 0.5 * motion.load * stiffness * z * z;
  }
  T state_scale() const { return static_coefficient / stiffness; }
};

}  // namespace bristle
