// SPDX-License-Identifier: MIT
#include "bristle/model/law_list.hpp"
#include "bristle/model/registry.hpp"
#include "direct_walk.hpp"

namespace bristle {
namespace {

template <template <class> class... Laws>
std::vector<LawKernel> kernels(LawTypes<Laws...>) {
  std::vector<LawKernel> all;
  const auto add = [&]<template <class> class L>(LawTypes<L>) {
    if constexpr (detail::follows_motion<L>()) all.push_back(law_kernel<L>());
  };
  (add(LawTypes<Laws>{}), ...);
  [&]<template <class> class... L>(LawTypes<L...>) {
    (all.push_back(path_kernel<L>()), ...);
  }(AllPathLaws{});
  return all;
}

// The kernels in lanes that this processor can run.
std::vector<BlockKernel> block_kernels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return block_kernels_avx2();
#endif
  return {};
}

const std::vector<LawKernel>& all_kernels() {
  static const auto all = [] {
    auto found = kernels(AllLaws{});
    for (const BlockKernel& blocks : block_kernels())
      for (LawKernel& k : found)
        if (k.name == blocks.law) k.blocks = blocks;
    return found;
  }();
  return all;
}

}  // namespace

const LawKernel& kernel_of(std::string_view law) {
  for (const LawKernel& k : all_kernels())
    if (k.name == law) return k;
  const std::string unknown = not_found("model that can be fitted", law, fitted_laws());
  for (const LawEntry& entry : laws())
    if (entry.description.name == law)
      throw InvalidInput("model", "the law '" + std::string(law) + "' is known but not fitted" +
                                      unknown.substr(unknown.find(" (")));
  throw InvalidInput("model", unknown);
}

std::vector<std::string> fitted_laws() {
  std::vector<std::string> names;
  for (const LawKernel& k : all_kernels()) names.emplace_back(k.name);
  return names;
}

std::vector<std::string> compared_laws() {
  std::vector<std::string> names;
  for (const LawKernel& k : all_kernels())
    if (k.compared) names.emplace_back(k.name);
  return names;
}

}  // namespace bristle
