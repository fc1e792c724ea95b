// SPDX-License-Identifier: MIT
#include "bristle/model/dahl.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/mpabm.hpp"
#include "bristle/model/reset_integrator.hpp"
#include "bristle/model/sbm.hpp"
#include "rollout_kernel.hpp"

namespace bristle {

std::span<const LawKernel> shaped_rollout_kernels() {
  using detail::rollout_kernel;
  static const std::array all{rollout_kernel<Dahl>(), rollout_kernel<ElastoPlastic>(),
                              rollout_kernel<Mpabm>(), rollout_kernel<ResetIntegrator>(),
                              rollout_kernel<Sbm>()};
  return all;
}

}  // namespace bristle
