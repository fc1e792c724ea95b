// SPDX-License-Identifier: MIT
// The Dahl model: a spring that yields.
//
//   z' = v |w|^gamma sign(w),   w = 1 - stiffness z sign(v) / coulomb_force,   F = stiffness z
//
// gamma (the field `exponent`) shapes the knee: gamma = 0 is a clipped spring, gamma = 1 the usual
// exponential approach, gamma >= 2 a slow one. For gamma < 1 the force reaches coulomb_force after
// a finite displacement and the right-hand side is not Lipschitz there; the law then saturates (z
// stands) until the velocity reverses. Limits: |F| stays below coulomb_force if it starts there.
// Rate-independent, local memory. Does not show: Stribeck effect, viscous friction, break-away
// peak. Source: thesis (1.23) with F = stiffness z; hysteretic effects (3.12).
#pragma once

#include <array>

#include "bristle/model/curve.hpp"
#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct Dahl {
  using Number = T;
  static constexpr std::string_view name = "dahl";
  static constexpr std::string_view summary = "yielding spring of any exponent, rate-independent";

  T stiffness = T(1e5);
  T coulomb_force = T(1.0);
  T exponent = T(1.0);

  static constexpr auto fields() {
    return std::array{
        Field<Dahl>{"stiffness", "N/m", "slope of the force at zero force", positive,
                    &Dahl::stiffness},
        Field<Dahl>{"coulomb_force", "N", "force approached in steady sliding", positive,
                    &Dahl::coulomb_force},
        Field<Dahl>{"exponent", "", "gamma, shape of the knee", Bounds{0.0, 20.0}, &Dahl::exponent}
            .held_in_fits()};
  }

  // At this reserve a law with gamma < 1 saturates.
  static constexpr double saturation = 1e-13;

  template <class S, class V>
  S reserve(const S& z, const V& direction) const {
    return T(1.0) - (stiffness / coulomb_force) * (direction * z);
  }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    const S w = reserve(z, branch.direction);
    // For gamma < 1 the side of w belongs to the branch: a step that runs past w = 0 stays smooth.
    const S side = select(branch.cell > V(1.5), S(-1.0), S(1.0));
    const S flow =
        motion.velocity * magnitude_power(w, exponent) * select(exponent < T(1.0), side, sign(w));
    const S rate = select(abs(branch.cell - V(1.0)) < V(0.5), S(0.0), flow);
    return spring_response(rate, S(stiffness * z), motion.velocity, stiffness, z);
  }

  // Cell 1: saturated; cell 2: beyond the Coulomb force. Only laws with gamma < 1 leave cell 0.
  template <class S, class V>
  V cell(const S& z, const Motion<S>&, const V& direction) const {
    const S w = S(1.0) - S(value_of(stiffness) / value_of(coulomb_force)) * (direction * z);
    const V number =
        select(w > S(2.0 * saturation), V(0.0), select(w < S(-2.0 * saturation), V(2.0), V(1.0)));
    return select(exponent < T(1.0), number, V(0.0));
  }
  template <class S>
  S margin(const S& z, const Motion<S>&, const Branch<double>& branch) const {
    if (branch.cell == 1.0 || exponent >= T(1.0)) return S(1.0);
    const S w = reserve(z, branch.direction);
    return (branch.cell > 1.5 ? S(-w) : w) - saturation;
  }
  Branch<double> crossed(Branch<double> branch) const { return {branch.direction, 1.0}; }

  template <class S, class V>
  S steady(const Motion<S>&, const Branch<V>& branch) const {
    return S(coulomb_force * branch.direction);
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 0.5 * stiffness * z * z;
  }
  T state_scale() const { return coulomb_force / stiffness; }

  // The closed form: w^(1 - gamma) falls linearly with the distance, w itself exponentially at
  // gamma = 1. Written as w exp(log(1 - gap q) / gap) with gap = 1 - gamma and q = distance /
  // w^gap, by its series for small gap q, so that nothing is lost near gamma = 1.
  template <class S>
  S advance(const S& z, const S& displacement) const {
    const S direction = sign(displacement);
    const S w = reserve(z, direction);
    const S distance = abs(displacement) * (stiffness / coulomb_force);
    const T gap = T(1.0) - exponent;
    const S size = abs(w);
    const S q = distance * pow(size, T(-gap));
    const S used = gap * q;
    const auto small = abs(used) < S(1e-2);
    const auto slides = used >= S(1.0);
    const S series =
        -q * (1.0 +
              used * (1.0 / 2 +
                      used * (1.0 / 3 +
                              used * (1.0 / 4 +
                                      used * (1.0 / 5 +
                                              used * (1.0 / 6 + used * (1.0 / 7 + used / 8.0)))))));
    const S logarithm = log(select(slides, S(1.0), S(1.0 - used))) / select(small, S(1.0), S(gap));
    const S left = size * exp(select(small, series, logarithm));
    const S next = sign(w) * select(slides, S(0.0), left);
    return select(direction * direction > S(0.5),
                  S(direction * (coulomb_force / stiffness) * (T(1.0) - next)), z);
  }
};

}  // namespace bristle
