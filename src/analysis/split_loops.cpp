// SPDX-License-Identifier: MIT
#include "bristle/analysis/split_loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle {

namespace {

// The median of five neighbours: single samples gone astray disappear.
std::vector<double> calmed(std::span<const double> x) {
  std::vector<double> out(x.begin(), x.end());
  for (std::size_t i = 2; i + 2 < x.size(); ++i) {
    std::array<double, 5> near{x[i - 2], x[i - 1], x[i], x[i + 1], x[i + 2]};
    std::nth_element(near.begin(), near.begin() + 2, near.end());
    out[i] = near[2];
  }
  return out;
}

}  // namespace

std::vector<Stretch> split_loops(std::span<const double> input, std::span<const double> output,
                                 double band) {
  if (input.empty()) return {};
  const auto calm = calmed(input);
  const auto [least, most] = std::minmax_element(calm.begin(), calm.end());
  const auto [low, high] = std::minmax_element(output.begin(), output.end());
  const double middle = 0.5 * (*least + *most), width = *most - *least, height = *high - *low;
  std::vector<std::size_t> cuts;
  bool armed = false;  // has been well below
  std::size_t crossing = 0;
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (calm[i] < middle - band * width) armed = true;
    if (i > 0 && calm[i - 1] < middle && calm[i] >= middle) crossing = i;
    // The passage counts once the input is well above.
    if (armed && calm[i] > middle + band * width) cuts.push_back(crossing), armed = false;
  }
  std::vector<Stretch> loops;
  if (cuts.size() < 2) loops.push_back({0, input.size()});
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) loops.push_back({cuts[k], cuts[k + 1] + 1});
  for (Stretch& s : loops) {
    s.end = std::min(s.end, input.size());
    const double dx = std::abs(input[s.end - 1] - input[s.first]);
    const double dy = std::abs(output[s.end - 1] - output[s.first]);
    s.closing_error = std::max(width > 0.0 ? dx / width : 0.0, height > 0.0 ? dy / height : 0.0);
  }
  return loops;
}

}  // namespace bristle
