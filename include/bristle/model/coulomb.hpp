// SPDX-License-Identifier: MIT
// Coulomb friction.
//
//   F = coulomb_force * sign(v),    at rest any F in [-coulomb_force, coulomb_force]
//
// Limits: none; the force does not depend on speed. Does not show: presliding, Stribeck effect,
// viscous friction, memory.
// Source: thesis (1.17), where sign(0) must be read as [-1, 1]; hysteretic effects (3.1).
#pragma once

#include <array>

#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct Coulomb {
  using Number = T;
  static constexpr std::string_view name = "coulomb";
  static constexpr std::string_view summary = "constant force against the motion, interval at rest";

  T coulomb_force = T(1.0);

  static constexpr auto fields() {
    return std::array{Field<Coulomb>{"coulomb_force", "N", "magnitude of the friction force",
                                     non_negative, &Coulomb::coulomb_force}};
  }

  template <class S, class V>
  S sliding(const Motion<S>&, const Branch<V>& branch) const {
    return S(coulomb_force * branch.direction);
  }

  template <class S>
  Interval<S> limits(const Motion<S>&) const {
    return {S(-coulomb_force), S(coulomb_force)};
  }
};

}  // namespace bristle
