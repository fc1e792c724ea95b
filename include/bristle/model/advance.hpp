// SPDX-License-Identifier: MIT
// The state of a law after a step at given motion: the update for controllers and for measured data.
//
//   linear in its state (LuGre, FrBD ...)   z + step (drive - decay z) (1 - exp(-decay step)) / (decay step)
//   rate independent (Dahl, reset)          the law's own closed form of the displacement
//   with an update of its own               that one (elasto-plastic: of second order)
//   otherwise                               the first formula with the slope of the rate at z
//
// Exact for constant velocity in the first two cases. With samples of a varying velocity pass the
// velocity in the middle of the step: the error is then of second order with a small constant. Passing
// the velocity at either end is stable but no better than Euler's rule. Never unstable: |z| stays
// within its bound at any step.
#pragma once

#include "bristle/model/model.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

template <Described L, class S>
S advance(const L& law, const S& z, const Motion<S>& middle, const S& step) {
  const auto branch = branch_of(law, z, middle);
  if constexpr (requires { law.advance(z, z); }) {
    return law.advance(z, S(middle.velocity * step));
  } else if constexpr (requires { law.affine(middle, branch); }) {
    const auto bristle = law.affine(middle, branch);
    return z + step * (bristle.drive - bristle.decay * z) * decay_mean(S(bristle.decay * step));
  } else if constexpr (requires { law.advance(z, middle, step); }) {
    return law.advance(z, middle, step);
  } else {
    using D = Dual<S, 1>;
    const Motion<D> motion{D(middle.position), D(middle.velocity), D(middle.load), D(middle.time)};
    const auto r = law.respond(variable<1>(z, 0), motion, branch).rate;
    return z + step * r.value * decay_mean(S(-r.slope[0] * step));
  }
}

}  // namespace bristle
