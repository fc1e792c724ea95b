// SPDX-License-Identifier: MIT
#include "rollout_kernel.hpp"

namespace bristle {
namespace {

const std::vector<LawKernel>& all_kernels() {
  static const auto all = [] {
    auto kernels = detail::rollout_kernels<0>(AllLaws{});
    for (const LawKernel& k : odd_rollout_kernels()) kernels.push_back(k);
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
  for (const std::string& name : fitted_laws())
    if (rollout_kernel_of(name)) names.push_back(name);
  return names;
}

}  // namespace bristle
