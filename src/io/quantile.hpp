// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <vector>

namespace bristle::io {

// The quantile of sorted values, linear between them; NaN of none.
inline double sorted_quantile(const std::vector<double>& sorted, double probability) {
  if (sorted.empty()) return NAN;
  const double at = probability * double(sorted.size() - 1);
  const auto below = std::size_t(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - double(below)) * (sorted[below + 1] - sorted[below]);
}

}  // namespace bristle::io
