// SPDX-License-Identifier: MIT
// The LuGre model: bristles that bend and slip.
//
//   z' = v - |v| stiffness z / g(v),      g(v) = Fc + (Fs - Fc) exp(-|v / vs|^n)
//   F  = stiffness z + damping z' + viscous v
//
// Fc coulomb_force, Fs static_force, vs stribeck_velocity, n stribeck_exponent. With
// viscous_form = "in_curve" the viscous part sits in the curve instead: g(v) gains viscous |v| and
// F loses viscous v. Limits: steady sliding gives sign(v) g(v) + viscous v; for small motion a
// spring of the given stiffness; equals Dahl with gamma = 1 when Fs = Fc and damping = viscous = 0.
// The rate of z grows without bound with |v|. Does not show: true stick (a held body creeps until z
// balances), nonlocal memory; it is passive only while damping^2 |v| <= 4 (damping + viscous) g(v).
// Source: thesis (1.24)-(1.27); hysteretic effects (3.14).
#pragma once

#include <array>

#include "bristle/model/curve.hpp"
#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct LuGre {
  using Number = T;
  static constexpr std::string_view name = "lugre";
  static constexpr std::string_view summary = "bending bristles with Stribeck effect and lag";

  enum ViscousForm : int { parallel, in_curve };
  static constexpr std::array<std::string_view, 2> viscous_forms{"parallel", "in_curve"};

  T stiffness = T(1e5);
  T damping = T(316.22776601683796);
  T viscous = T(0.4);
  T coulomb_force = T(1.0);
  T static_force = T(1.5);
  T stribeck_velocity = T(0.001);
  T stribeck_exponent = T(2.0);
  int viscous_form = parallel;

  static constexpr auto fields() {
    using L = LuGre;
    return std::array{
        Field<L>{"stiffness", "N/m", "stiffness of the bristles", positive, &L::stiffness},
        Field<L>{"damping", "N s/m", "damping of the bristles", non_negative, &L::damping},
        Field<L>{"viscous", "N s/m", "viscous coefficient", non_negative, &L::viscous},
        Field<L>{"coulomb_force", "N", "steady force at high speed without the viscous part",
                 positive, &L::coulomb_force},
        Field<L>{"static_force", "N", "steady force as the speed goes to zero", positive,
                 &L::static_force},
        Field<L>{"stribeck_velocity", "m/s", "speed over which the steady force falls", positive,
                 &L::stribeck_velocity},
        Field<L>{"stribeck_exponent", "", "exponent of the fall", Bounds{0.0, 10.0, true},
                 &L::stribeck_exponent}
            .held_in_fits(),
        Field<L>{"viscous_form", "viscous part beside the bristles or inside the curve",
                 viscous_forms, &L::viscous_form}};
  }

  // g(v), the magnitude of the steady bristle force.
  template <class S>
  S curve(const S& velocity, const S& speed) const {
    const S g =
        stribeck_curve(coulomb_force, static_force, velocity, stribeck_velocity, stribeck_exponent);
    return viscous_form == in_curve ? S(g + viscous * speed) : g;
  }

  template <class S, class V>
  Affine<S> affine(const Motion<S>& motion, const Branch<V>& branch) const {
    const S speed = branch.direction * motion.velocity;
    return {stiffness * speed / curve(motion.velocity, speed), motion.velocity};
  }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    return respond(z, motion, affine(motion, branch));
  }
  template <class S>
  Response<S> respond(const S& z, const Motion<S>& motion, const Affine<S>& bristle) const {
    const S rate = bristle.drive - bristle.decay * z;
    S force = stiffness * z;
    if (viscous_form == parallel) force = force + viscous * motion.velocity;
    force = force + damping * rate;
    return spring_response(rate, force, motion.velocity, stiffness, z);
  }

  template <class S, class V>
  S steady(const Motion<S>& motion, const Branch<V>& branch) const {
    const S speed = branch.direction * motion.velocity;
    const S bristle = branch.direction * curve(motion.velocity, speed);
    return viscous_form == parallel ? S(bristle + viscous * motion.velocity) : bristle;
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 0.5 * stiffness * z * z;
  }
  T state_scale() const { return static_force / stiffness; }
};

}  // namespace bristle
