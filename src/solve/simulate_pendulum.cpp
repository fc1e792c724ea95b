// SPDX-License-Identifier: MIT
#include "run.hpp"

namespace bristle {

Simulation simulate(const AnyLaw& law, const Pendulum& mechanism, const Options& options) {
  return detail::simulate_on(law, mechanism, options);
}

}  // namespace bristle
