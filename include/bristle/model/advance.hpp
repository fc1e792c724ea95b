// SPDX-License-Identifier: MIT
// The state of a law after a step at given motion: the update for controllers and for measured
// data.
//
//   linear in its state (LuGre, FrBD ...)   z + step (drive - decay z) (1 - exp(-decay step)) /
//   (decay step) rate-independent (Dahl, reset)          the law's own closed form of the
//   displacement with an update of its own               that one (elasto-plastic: of second order)
//   otherwise                               the first formula with the slope of the rate at z
//
// Exact for constant velocity in the first two cases. With samples of a varying velocity pass the
// velocity in the middle of the step: the error is then of second order with a small constant.
// Passing the velocity at either end is stable but no better than Euler's rule. Never unstable: |z|
// stays within its bound at any step.
#pragma once

#include "bristle/model/model.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

template <class S>
S advance(const Affine<S>& bristle, const S& z, const S& step) {
  return z + (bristle.drive - bristle.decay * z) * decay_integral(bristle.decay, step);
}

template <Described L, class S>
S advance(const L& law, const S& z, const Motion<S>& middle, const S& step) {
  const auto branch = branch_of(law, z, middle);
  if constexpr (requires { law.advance(z, z); }) {
    return law.advance(z, S(middle.velocity * step));
  } else if constexpr (requires { law.affine(middle, branch); }) {
    return advance(law.affine(middle, branch), z, step);
  } else if constexpr (requires { law.advance(z, middle, step); }) {
    return law.advance(z, middle, step);
  } else {
    using D = Dual<S, 1>;
    const Motion<D> motion{D(middle.position), D(middle.velocity), D(middle.load), D(middle.time)};
    const auto r = law.respond(variable<1>(z, 0), motion, branch).rate;
    return z + r.value * decay_integral(S(-r.slope[0]), step);
  }
}

template <class S>
struct Stepped {
  S state;
  S force;
};

// The state after a step and the force at that state and the same motion, for a time loop whose
// samples are the middles of its steps. Costs less than advance() and force() since the curve is
// evaluated once.
template <Described L, class S>
Stepped<S> take_step(const L& law, const S& z, const Motion<S>& middle, const S& step) {
  if constexpr (requires(Affine<S> bristle) { law.respond(z, middle, bristle); }) {
    const auto bristle = law.affine(middle, branch_of(law, z, middle));
    const S next = advance(bristle, z, step);
    return {next, law.respond(next, middle, bristle).force};
  } else {
    const S next = advance(law, z, middle, step);
    return {next, force(law, next, middle)};
  }
}

}  // namespace bristle
