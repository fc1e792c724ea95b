// SPDX-License-Identifier: MIT
#include "bristle/model/coulomb.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/stribeck.hpp"
#include "rollout_walk.hpp"

namespace bristle {
namespace {

using namespace detail;

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
          cost<L, RolloutWalker>, linearise<L, RolloutWalker, most_slopes, 8>,
          single_costs<L>,        predict<L, RolloutWalker>,
          state_scale<L>};
}

const std::array<LawKernel, 5>& all_kernels() {
  static const std::array<LawKernel, 5> all{rollout_kernel<Coulomb>(), rollout_kernel<Stribeck>(),
                                            rollout_kernel<Dahl>(), rollout_kernel<LuGre>(),
                                            rollout_kernel<FrBD>()};
  return all;
}

}  // namespace

const LawKernel* rollout_kernel_of(std::string_view law) {
  for (const LawKernel& k : all_kernels())
    if (k.name == law) return &k;
  return nullptr;
}

std::vector<std::string> rolled_laws() {
  std::vector<std::string> names;
  for (const LawKernel& k : all_kernels()) names.emplace_back(k.name);
  return names;
}

}  // namespace bristle
