// SPDX-License-Identifier: MIT
// A sawtooth of position: the mean behaviour of a row of bristles released one by one.
//
//   F = sign(v) (Fmin + (Fmax - Fmin) mod(sign(v) x, spacing) / spacing),   at rest any F between
//   the values of the two directions
//
// Fmin minimum_force, Fmax maximum_force. Limits: Fmin = Fmax is Coulomb. Shows true stick,
// stick-slip and hysteresis by position. Does not show: presliding, Stribeck effect, viscous
// friction. Source: thesis (3.47)-(3.50).
#pragma once

#include <array>

#include "bristle/model/expansion.hpp"
#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct Sawtooth {
  using Number = T;
  static constexpr bool by_position = true;
  static constexpr std::string_view name = "sawtooth";
  static constexpr std::string_view summary = "sawtooth of position, interval at rest";

  T minimum_force = T(0.5);
  T maximum_force = T(1.0);
  T spacing = T(0.1);

  static constexpr auto fields() {
    using L = Sawtooth;
    return std::array{
        Field<L>{"minimum_force", "N", "force just after a release", non_negative,
                 &L::minimum_force},
        Field<L>{"maximum_force", "N", "force just before a release", positive, &L::maximum_force}
            .no_less_than("minimum_force"),
        Field<L>{"spacing", "m", "distance between releases", positive, &L::spacing}};
  }

  T force_scale() const { return maximum_force; }

  template <class S, class V>
  S sliding(const Motion<S>& motion, const Branch<V>& branch) const {
    const S within = branch.direction * motion.position / spacing - branch.cell;
    return branch.direction * (minimum_force + (maximum_force - minimum_force) * within);
  }
  template <class S>
  Interval<S> limits(const Motion<S>& motion) const {
    const S ahead = value_cell(motion.position, 1.0), behind = value_cell(motion.position, -1.0);
    return {sliding(motion, Branch<S>{S(-1.0), behind}), sliding(motion, Branch<S>{S(1.0), ahead})};
  }

  // The number of the tooth counted along the direction of motion.
  template <class S, class V>
  V cell(const S&, const Motion<S>& motion, const V& direction) const {
    return V(floor(S(direction * motion.position / value_of(spacing) + 1e-9)));
  }
  template <class S>
  S margin(const S&, const Motion<S>& motion, const Branch<double>& branch) const {
    return (branch.cell + 1.0) - branch.direction * motion.position / spacing;
  }
  Branch<double> crossed(Branch<double> branch) const {
    branch.cell += 1.0;
    return branch;
  }
  Expansion expand(double position, const Branch<double>& branch, double) const {
    Expansion out;
    out.terms = 2;
    out.coefficient[0] = value_of(sliding(Motion<double>{position}, branch));
    out.coefficient[1] = value_of((maximum_force - minimum_force) / spacing);
    out.end = branch.direction * (branch.cell + 1.0) * value_of(spacing);
    return out;
  }

 private:
  template <class S>
  S value_cell(const S& position, double direction) const {
    return floor(S(direction * position / value_of(spacing) + 1e-9));
  }
};

}  // namespace bristle
