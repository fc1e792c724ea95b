// SPDX-License-Identifier: MIT
// The friction-force-based model (FFBM): a sawtooth force with a bristle's smoothness.
//
//   z' = v - |v| stiffness z / g,     F = stiffness z
//   g  = minimum_force + (maximum_force - minimum_force) mod(sign(v) x, spacing) / spacing
//
// The sawtooth approximates a row of rotating bristles released one by one every `spacing`.
// Limits: slow sliding follows the sawtooth; minimum_force = maximum_force is Dahl with gamma = 1.
// Shows stick-slip and hysteresis by position, without a Stribeck effect. Does not show: damping of
// the stick vibration (the bristle has none), viscous friction. Source: thesis (3.65)-(3.71).
#pragma once

#include <array>

#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct Ffbm {
  using Number = T;
  static constexpr std::string_view name = "ffbm";
  static constexpr std::string_view summary = "sawtooth of position smoothed by one bristle";

  T stiffness = T(1e5);
  T minimum_force = T(1.0);
  T maximum_force = T(1.5);
  T spacing = T(0.05);

  static constexpr auto fields() {
    return std::array{
        Field<Ffbm>{"stiffness", "N/m", "stiffness of the bristle", positive, &Ffbm::stiffness},
        Field<Ffbm>{"minimum_force", "N", "force just after a release", positive,
                    &Ffbm::minimum_force},
        Field<Ffbm>{"maximum_force", "N", "force just before a release", positive,
                    &Ffbm::maximum_force},
        Field<Ffbm>{"spacing", "m", "distance between releases", positive, &Ffbm::spacing}};
  }

  template <class S, class V>
  S curve(const Motion<S>& motion, const Branch<V>& branch) const {
    const S within = branch.direction * motion.position / spacing - branch.cell;
    return minimum_force + (maximum_force - minimum_force) * within;
  }

  template <class S, class V>
  Affine<S> affine(const Motion<S>& motion, const Branch<V>& branch) const {
    const S speed = branch.direction * motion.velocity;
    return {stiffness * speed / curve(motion, branch), motion.velocity};
  }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    const Affine<S> bristle = affine(motion, branch);
    const S rate = bristle.drive - bristle.decay * z;
    return spring_response(rate, S(stiffness * z), motion.velocity, stiffness, z);
  }

  // The cell is the number of the tooth counted along the direction of motion.
  template <class S, class V>
  V cell(const S&, const Motion<S>& motion, const V& direction) const {
    return V(floor(S(direction * motion.position / value_of(spacing))));
  }
  template <class S>
  S margin(const S&, const Motion<S>& motion, const Branch<double>& branch) const {
    return (branch.cell + 1.0) - branch.direction * motion.position / spacing;
  }
  Branch<double> crossed(Branch<double> branch) const {
    return {branch.direction, branch.cell + 1.0};
  }

  template <class S, class V>
  S steady(const Motion<S>& motion, const Branch<V>& branch) const {
    return branch.direction * curve(motion, branch);
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 0.5 * stiffness * z * z;
  }
  T state_scale() const { return maximum_force / stiffness; }
};

}  // namespace bristle
