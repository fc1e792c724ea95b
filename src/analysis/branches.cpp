// SPDX-License-Identifier: MIT
#include "bristle/analysis/branches.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/model/error.hpp"
#include "bristle/model/field.hpp"

namespace bristle {

double Branch1D::at(double position) const {
  const auto above = std::upper_bound(x.begin(), x.end(), position);
  if (above == x.begin()) return y.front();
  if (above == x.end()) return y.back();
  const auto i = std::size_t(above - x.begin());
  return y[i - 1] + (y[i] - y[i - 1]) * (position - x[i - 1]) / (x[i] - x[i - 1]);
}

std::pair<double, double> Branch1D::extreme(bool valley) const {
  const auto at =
      valley ? std::min_element(y.begin(), y.end()) : std::max_element(y.begin(), y.end());
  return {x[std::size_t(at - y.begin())], *at};
}

LoopBranches split_branches(std::span<const double> input, std::span<const double> output,
                            double noise) {
  const std::size_t n = input.size();
  if (n < 4 || output.size() != n)
    throw InvalidInput("loop", "a loop needs at least four rows of input and output, there are " +
                                   std::to_string(std::min(n, output.size())));
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(input[i]) || !std::isfinite(output[i]))
      throw InvalidInput("loop", "row " + std::to_string(i + 1) + " is not a number");
  const auto lowest = std::size_t(std::min_element(input.begin(), input.end()) - input.begin());
  const auto highest = std::size_t(std::max_element(input.begin(), input.end()) - input.begin());
  const double width = input[highest] - input[lowest];
  if (!(width > 0.0)) throw InvalidInput("loop", "the input does not vary");
  const auto way = [&](std::size_t from, std::size_t to, double sign) {
    Branch1D b;
    double top = -INFINITY;
    for (std::size_t i = from;; i = (i + 1) % n) {
      const double x = sign * input[i];
      if (x > top) {
        b.x.push_back(input[i]);
        b.y.push_back(output[i]);
        top = x;
      } else if (x < top - noise * width) {
        throw InvalidInput("loop", "row " + std::to_string(i + 1) + ": the input goes back to " +
                                       words(input[i]) + " on its way " +
                                       (sign > 0.0 ? "up" : "down") +
                                       "; give one period with one maximum and one minimum");
      }
      if (i == to) break;
    }
    if (sign < 0.0) {
      std::reverse(b.x.begin(), b.x.end());
      std::reverse(b.y.begin(), b.y.end());
    }
    return b;
  };
  LoopBranches l{way(lowest, highest, 1.0), way(highest, lowest, -1.0), input[lowest],
                 input[highest]};
  // A record that does not quite close shares the middle at its ends.
  l.up.y.front() = l.down.y.front() = 0.5 * (l.up.y.front() + l.down.y.front());
  l.up.y.back() = l.down.y.back() = 0.5 * (l.up.y.back() + l.down.y.back());
  return l;
}

}  // namespace bristle
