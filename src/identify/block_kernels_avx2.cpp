// SPDX-License-Identifier: MIT
// Fits in lanes with AVX2; compiled for it, and called only where the processor has it.
#include "block_table.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#define BRISTLE_BLOCKS blocks_avx2
#include "block_walk.hpp"
#include "bristle/model/law_list.hpp"

namespace bristle {
namespace blocks_avx2 {

template <template <class> class... Laws>
std::vector<BlockKernel> kernels(LawTypes<Laws...>) {
  std::vector<BlockKernel> all;
  const auto add = [&]<template <class> class L>(LawTypes<L>) {
    if constexpr (detail::follows_motion<L>() && in_blocks<L>()) all.push_back(block_kernel<L>());
  };
  (add(LawTypes<Laws>{}), ...);
  return all;
}

}  // namespace blocks_avx2

std::vector<BlockKernel> block_kernels_avx2() { return blocks_avx2::kernels(AllLaws{}); }

}  // namespace bristle
#else
namespace bristle {

std::vector<BlockKernel> block_kernels_avx2() { return {}; }

}  // namespace bristle
#endif
