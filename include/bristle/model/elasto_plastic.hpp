// SPDX-License-Identifier: MIT
// The elasto-plastic single-state model: purely elastic up to a break-away deflection.
//
//   z' = v (1 - alpha(v, z) sign(v) z / z_ss(v)),     z_ss = g(v) / stiffness
//   F  = stiffness z + damping z' + viscous v,        g as in LuGre
//
//   alpha = 0                                        |z| <= z_ba, or z opposes v
//         = 1/2 + 1/2 sin(pi (|z| - (z_ss + z_ba)/2) / (z_ss - z_ba))     in between
//         = 1                                        |z| >= z_ss
//
// z_ba = breakaway_fraction * coulomb_force / stiffness. Limits: alpha = 1 everywhere would be
// LuGre; steady sliding gives the same curve as LuGre. Unlike LuGre and Dahl it does not drift
// under a small oscillating load below break-away: the bristle is then a lossless spring. Does not
// show: nonlocal memory. Source: thesis (3.59)-(3.60); alpha after Dupont, Hayward, Armstrong and
// Altpeter (2002).
#pragma once

#include <array>
#include <numbers>

#include "bristle/model/curve.hpp"
#include "bristle/model/model.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

template <class T = double>
struct ElastoPlastic {
  using Number = T;
  static constexpr std::string_view name = "elasto_plastic";
  static constexpr std::string_view summary = "LuGre with a lossless elastic range, drift free";

  T stiffness = T(1e5);
  T damping = T(316.22776601683796);
  T viscous = T(0.4);
  T coulomb_force = T(1.0);
  T static_force = T(1.5);
  T stribeck_velocity = T(0.001);
  T breakaway_fraction = T(0.7);

  static constexpr auto fields() {
    using L = ElastoPlastic;
    return std::array{
        Field<L>{"stiffness", "N/m", "stiffness of the bristles", positive, &L::stiffness},
        Field<L>{"damping", "N s/m", "damping of the bristles", non_negative, &L::damping},
        Field<L>{"viscous", "N s/m", "viscous coefficient", non_negative, &L::viscous},
        Field<L>{"coulomb_force", "N", "steady force at high speed without the viscous part",
                 positive, &L::coulomb_force},
        Field<L>{"static_force", "N", "steady force as the speed goes to zero", positive,
                 &L::static_force}
            .no_less_than("coulomb_force"),  // or the elastic range could exceed the deflection
        Field<L>{"stribeck_velocity", "m/s", "speed over which the steady force falls", positive,
                 &L::stribeck_velocity},
        Field<L>{"breakaway_fraction", "", "elastic range as a part of coulomb_force / stiffness",
                 Bounds{0.0, 0.999, true}, &L::breakaway_fraction}};
  }

  template <class S>
  S curve(const S& velocity) const {
    return stribeck_curve(coulomb_force, static_force, velocity, stribeck_velocity, T(2.0));
  }

  // The plastic part of the flow, from 0 (elastic) to 1 (sliding).
  template <class S, class V>
  S alpha(const S& z, const S& deflection, const Branch<V>& branch) const {
    const S elastic = S(breakaway_fraction * coulomb_force / stiffness);
    const S size = abs(z);
    const S phase =
        std::numbers::pi * (size - 0.5 * (deflection + elastic)) / (deflection - elastic);
    const S between = 0.5 + 0.5 * sin(phase);
    const S plastic = select(size <= elastic, S(0.0), select(size >= deflection, S(1.0), between));
    return select(branch.direction * z > S(0.0), plastic, S(0.0));
  }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    const S deflection = curve(motion.velocity) / stiffness;
    const S flow = alpha(z, deflection, branch) * branch.direction * z / deflection;
    const S rate = motion.velocity * (1.0 - flow);
    return spring_response(rate, combine(z, rate, motion.velocity), motion.velocity, stiffness, z);
  }

  // z' = v - decay z for a bristle bent by `size` along the motion, and the force of the bristle:
  // what the planar form is made of (planar_form.hpp).
  template <class S>
  S decay(const S& size, const Motion<S>& motion) const {
    const S deflection = curve(motion.velocity) / stiffness;
    return alpha(size, deflection, Branch<double>{1.0, 0.0}) * motion.velocity / deflection;
  }
  template <class S>
  S combine(const S& z, const S& rate, const S& velocity) const {
    return stiffness * z + damping * rate + viscous * velocity;
  }

  template <class S, class V>
  S steady(const Motion<S>& motion, const Branch<V>& branch) const {
    return branch.direction * curve(motion.velocity) + viscous * motion.velocity;
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 0.5 * stiffness * z * z;
  }
  T state_scale() const { return static_force / stiffness; }

  // A step at constant velocity: exact up to z_ba, then by the exponential formula with the slope
  // of the flow there, and never past z_ss. Second order; |z| stays bounded at any step.
  template <class S>
  S advance(const S& z, const Motion<S>& middle, const S& step) const {
    const S direction = sign(middle.velocity);
    const S distance = abs(middle.velocity) * step;
    const S deflection = curve(middle.velocity) / stiffness;
    const S room = S(breakaway_fraction * coulomb_force / stiffness) - direction * z;
    const S elastic = select(room > S(0.0), select(room < distance, room, distance), S(0.0));
    const S bent = direction * z + elastic;
    const S rest = distance - elastic;
    const auto x = variable<1>(bent, 0);
    const auto plastic = alpha(x, Dual<S, 1>(deflection), Branch<S>{S(1.0), S(0.0)});
    const auto flow = 1.0 - plastic * x / deflection;
    const S next = bent + flow.value * decay_integral(S(-flow.slope[0]), rest);
    const S confined = select(next > deflection, select(bent < deflection, deflection, next), next);
    return select(direction * direction > S(0.5), S(direction * confined), z);
  }
};

}  // namespace bristle
