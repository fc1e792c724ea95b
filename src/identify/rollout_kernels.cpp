// SPDX-License-Identifier: MIT
#include "bristle/model/coulomb.hpp"
#include "bristle/model/ffbm.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/stribeck.hpp"
#include "rollout_kernel.hpp"

namespace bristle {
namespace {

const std::vector<LawKernel>& all_kernels() {
  using detail::rollout_kernel;
  static const auto all = [] {
    std::vector<LawKernel> kernels{rollout_kernel<Coulomb>(), rollout_kernel<Stribeck>(),
                                   rollout_kernel<LuGre>(), rollout_kernel<FrBD>(),
                                   rollout_kernel<Ffbm>()};
    for (const LawKernel& k : shaped_rollout_kernels()) kernels.push_back(k);
    return kernels;
  }();
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
