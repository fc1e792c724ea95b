// SPDX-License-Identifier: MIT
#include "rollout_kernel.hpp"

namespace bristle {

std::vector<LawKernel> odd_rollout_kernels() { return detail::rollout_kernels<1>(AllLaws{}); }

}  // namespace bristle
