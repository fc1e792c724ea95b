// SPDX-License-Identifier: MIT
#include "bristle/model/law_list.hpp"
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

const std::vector<LawKernel>& all_kernels() {
  static const auto all = kernels(AllLaws{});
  return all;
}

}  // namespace

const LawKernel& kernel_of(std::string_view law) {
  for (const LawKernel& k : all_kernels())
    if (k.name == law) return k;
  throw InvalidInput("model", not_found("model that can be fitted", law, fitted_laws()));
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
