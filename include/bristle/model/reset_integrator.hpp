// SPDX-License-Identifier: MIT
// The reset integrator: a bristle that stretches up to a range and is then dragged along.
//
//   z' = 0  if z >= range and v > 0, or z <= -range and v < 0 (slip);      z' = v otherwise (stick)
//   F  = stiffness (1 + gradient) z + damping(v) v  in stick,     F = stiffness z  in slip
//   damping(v) = damping exp(-(v / damping_velocity)^2), constant for damping_velocity = 0
//
// Limits: break-away at stiffness (1 + gradient) range, sliding at stiffness range; the force jumps
// at break-away and at reversal. Does not show: Stribeck curve, viscous friction in sliding, lag.
// Source: planar friction (3.1)-(3.2), (3.7), in one dimension, with the second line of (3.1) read
// z <= -range.
#pragma once

#include <array>

#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct ResetIntegrator {
  using Number = T;
  static constexpr std::string_view name = "reset_integrator";
  static constexpr std::string_view summary = "spring to a stiction range, then constant force";

  T stiffness = T(100.0);
  T gradient = T(0.1);
  T damping = T(74.15);
  T range = T(0.01);
  T damping_velocity = T(0.01);

  static constexpr auto fields() {
    using L = ResetIntegrator;
    return std::array{
        Field<L>{"stiffness", "N/m", "stiffness of the bristle", positive, &L::stiffness},
        Field<L>{"gradient", "", "stiction gradient: extra stiffness in stick as a part",
                 non_negative, &L::gradient},
        Field<L>{"damping", "N s/m", "damping in stick", non_negative, &L::damping},
        Field<L>{"range", "m", "stiction range: deflection at which the bristle slips", positive,
                 &L::range},
        Field<L>{"damping_velocity", "m/s", "speed over which the damping falls, 0: constant",
                 non_negative, &L::damping_velocity}};
  }

  template <class S>
  S damping_at(const S& velocity) const {
    const auto constant = damping_velocity <= T(0.0);
    const T scale = select(constant, T(1.0), damping_velocity);
    return damping * select(constant, S(1.0), S(exp(-square(S(velocity / scale)))));
  }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    const S& v = motion.velocity;
    const auto slips = branch.cell > V(0.5);
    const S rate = select(slips, S(0.0), v);
    const S held = stiffness * (T(1.0) + gradient) * z + damping_at(v) * v;
    const S force = select(slips, S(stiffness * z), held);
    return spring_response(rate, force, v, S(stiffness * (T(1.0) + gradient)), z);
  }

  // Cell 1: slip.
  template <class S, class V>
  V cell(const S& z, const Motion<S>&, const V& direction) const {
    return select(direction * z >= S(value_of(range)), V(1.0), V(0.0));
  }
  template <class S>
  S margin(const S& z, const Motion<S>&, const Branch<double>& branch) const {
    return branch.cell > 0.5 ? S(1.0) : S(range - branch.direction * z);
  }
  Branch<double> crossed(Branch<double> branch) const { return {branch.direction, 1.0}; }

  template <class S, class V>
  S steady(const Motion<S>&, const Branch<V>& branch) const {
    return S(stiffness * range * branch.direction);
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 0.5 * stiffness * (T(1.0) + gradient) * z * z;
  }
  T state_scale() const { return range; }

  template <class S>
  S advance(const S& z, const S& displacement) const {
    const S next = z + displacement;
    return select(next > S(range), S(range), select(next < S(-range), S(-range), next));
  }
};

}  // namespace bristle
