// SPDX-License-Identifier: MIT
// The mean-pivot-angle-based model (MPABM): one bristle stands for the mean angle of many.
//
//   z' = v - |v| angle_gain z / theta(v),     F = stiffness z
//   theta(v) = theta_min + (theta_max - theta_min) exp(-(v / vs)^2)
//
// theta_min minimum_angle, theta_max maximum_angle, vs stribeck_velocity. The document sets
// stiffness = (kappa / h) angle_gain for pivots of stiffness kappa at height h. Limits: steady
// sliding gives sign(v) (stiffness / angle_gain) theta(v); equals LuGre without damping with g =
// (stiffness / angle_gain) theta. Does not show: damping of the stick vibration, viscous friction;
// its Stribeck effect comes from the averaging, not from the bristles.
// Source: thesis (3.83)-(3.89).
#pragma once

#include <array>

#include "bristle/model/curve.hpp"
#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct Mpabm {
  using Number = T;
  static constexpr std::string_view name = "mpabm";
  static constexpr std::string_view summary = "mean pivot angle of rotating bristles, LuGre-like";

  T stiffness = T(1e5);
  T angle_gain = T(1e5);
  T minimum_angle = T(0.5);
  T maximum_angle = T(0.75);
  T stribeck_velocity = T(0.001);

  static constexpr auto fields() {
    return std::array{
        Field<Mpabm>{"stiffness", "N/m", "force per bristle state", positive, &Mpabm::stiffness},
        Field<Mpabm>{"angle_gain", "rad/m", "pivot angle per bristle state", positive,
                     &Mpabm::angle_gain}
            .held_in_fits(),
        Field<Mpabm>{"minimum_angle", "rad", "mean pivot angle at high speed", positive,
                     &Mpabm::minimum_angle},
        Field<Mpabm>{"maximum_angle", "rad", "mean pivot angle at rest", positive,
                     &Mpabm::maximum_angle},
        Field<Mpabm>{"stribeck_velocity", "m/s", "speed over which the mean angle falls", positive,
                     &Mpabm::stribeck_velocity}};
  }

  template <class S>
  S angle(const S& velocity) const {
    return stribeck_curve(minimum_angle, maximum_angle, velocity, stribeck_velocity, T(2.0));
  }

  template <class S, class V>
  Affine<S> affine(const Motion<S>& motion, const Branch<V>& branch) const {
    const S speed = branch.direction * motion.velocity;
    return {angle_gain * speed / angle(motion.velocity), motion.velocity};
  }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    const Affine<S> bristle = affine(motion, branch);
    const S rate = bristle.drive - bristle.decay * z;
    return spring_response(rate, S(stiffness * z), motion.velocity, stiffness, z);
  }

  template <class S, class V>
  S steady(const Motion<S>& motion, const Branch<V>& branch) const {
    return branch.direction * (stiffness / angle_gain) * angle(motion.velocity);
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 0.5 * stiffness * z * z;
  }
  T state_scale() const { return maximum_angle / angle_gain; }
};

}  // namespace bristle
