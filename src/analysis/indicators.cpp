// SPDX-License-Identifier: MIT
#include "bristle/analysis/indicators.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/model/error.hpp"

namespace bristle {

Indicators indicators(std::span<const double> first, std::span<const double> second) {
  if (first.size() != second.size() || first.empty())
    throw InvalidInput("signals", "two signals of " + std::to_string(first.size()) + " and " +
                                      std::to_string(second.size()) +
                                      " samples cannot be compared");
  Indicators out;
  const double n = double(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const double d = first[i] - second[i];
    out.mean += d / n;
    out.rmse += d * d / n;
    out.largest = std::max(out.largest, std::abs(d));
  }
  out.std = std::sqrt(std::max(0.0, out.rmse - out.mean * out.mean));
  out.rmse = std::sqrt(out.rmse);
  return out;
}

}  // namespace bristle
