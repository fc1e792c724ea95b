// SPDX-License-Identifier: MIT
#include "bristle/model/law_list.hpp"
#include "shaped_walk.hpp"

namespace bristle {
namespace {

template <template <class> class... Laws>
std::vector<LawKernel> shaped_kernels(LawTypes<Laws...>) {
  std::vector<LawKernel> all;
  const auto add = [&]<template <class> class L>(LawTypes<L>) {
    if constexpr (detail::follows_motion<L>()) all.push_back(shaped_kernel<L>());
  };
  (add(LawTypes<Laws>{}), ...);
  return all;
}

}  // namespace

const LawKernel* shaped_kernel_of(std::string_view law) {
  static const auto all = shaped_kernels(AllLaws{});
  for (const LawKernel& k : all)
    if (k.name == law) return &k;
  return nullptr;
}

}  // namespace bristle
