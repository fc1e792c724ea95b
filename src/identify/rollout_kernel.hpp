// SPDX-License-Identifier: MIT
// The kernels of fits of motion. They are compiled in two files, side by side.
#pragma once

#include "rollout_walk.hpp"

namespace bristle {
namespace detail {

// One after the other: a body takes as many iterations as it needs.
template <template <class> class L>
void single_costs(const FitProblem& problem, std::span<const double> many,
                  std::span<double> result) {
  const std::size_t n = std::size_t(problem.unknowns());
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = cost<L, RolloutWalker>(problem, many.subspan(i * n, n));
}

template <template <class> class L>
LawKernel rollout_kernel() {
  return {L<double>::name,        StateLaw<L<double>>,
          cost<L, RolloutWalker>, linearise<L, RolloutWalker, false, 8, most_slopes>,
          single_costs<L>,        predict<L, RolloutWalker>,
          state_scale<L>};
}

}  // namespace detail

// Of laws with a state of displacement alone, or with pieces.
std::span<const LawKernel> shaped_rollout_kernels();

}  // namespace bristle
