// SPDX-License-Identifier: MIT
// The kernels of fits of motion. They are compiled in two files, side by side: the laws at even
// places of the list in the one, those at odd places in the other.
#pragma once

#include <utility>

#include "bristle/model/law_list.hpp"
#include "direct_walk.hpp"
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

// Laws that can be fitted along a measured motion, but for those whose load has a sign: the load of
// a mechanism with an input is a normal force.
template <template <class> class L>
constexpr bool rolls_out() {
  return follows_motion<L>() && !requires { L<double>::signed_load; };
}

// Those of the laws at every second place, from place `half` on.
template <std::size_t half, template <class> class... Laws>
std::vector<LawKernel> rollout_kernels(LawTypes<Laws...>) {
  std::vector<LawKernel> kernels;
  const auto add = [&]<template <class> class L, std::size_t place>(
                       LawTypes<L>, std::integral_constant<std::size_t, place>) {
    if constexpr (place % 2 == half && rolls_out<L>()) kernels.push_back(rollout_kernel<L>());
  };
  [&]<std::size_t... place>(std::index_sequence<place...>) {
    (add(LawTypes<Laws>{}, std::integral_constant<std::size_t, place>{}), ...);
  }
  (std::make_index_sequence<sizeof...(Laws)>{});
  return kernels;
}

}  // namespace detail

std::vector<LawKernel> odd_rollout_kernels();

}  // namespace bristle
