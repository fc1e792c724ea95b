// SPDX-License-Identifier: MIT
#include "run.hpp"
#include "verify.hpp"

namespace bristle {

Simulation simulate(const AnyLaw& law, const DraggedMass& mechanism, const Options& options) {
  return detail::verified_on<DraggedMass>(
      options, [&](const Options& o) { return detail::simulate_on(law, mechanism, o); });
}

}  // namespace bristle
