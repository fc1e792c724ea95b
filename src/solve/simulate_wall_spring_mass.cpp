// SPDX-License-Identifier: MIT
#include "run.hpp"
#include "verify.hpp"

namespace bristle {

Simulation simulate(const AnyLaw& law, const WallSpringMass& mechanism, const Options& options) {
  return detail::verified_on<WallSpringMass>(
      options, [&](const Options& o) { return detail::simulate_on(law, mechanism, o); });
}

}  // namespace bristle
