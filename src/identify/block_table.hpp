// SPDX-License-Identifier: MIT
// Cost and derivatives of fits along a measured motion in SIMD lanes, one sample each
// (block_walk.hpp), for the laws that allow it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "bristle/identify/fit_problem.hpp"

namespace bristle {

struct BlockKernel {
  std::string_view law;
  int most = 0;  // unknowns of one run for which there are derivatives
  double (*cost)(const FitProblem&, std::span<const double>) = nullptr;
  double (*linearise)(const FitProblem&, std::span<const double>, NormalEquations&) = nullptr;
};

// None where the program was built for processors without these instructions.
std::vector<BlockKernel> block_kernels_avx2();

}  // namespace bristle
