// SPDX-License-Identifier: MIT
// The two branches of a closed loop, each as a function of the input.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace bristle {

// Values at increasing x, straight lines between.
struct Branch1D {
  std::vector<double> x, y;

  double at(double position) const;
  // The place and the value of the lowest point (of a valley) or the highest (of a peak).
  std::pair<double, double> extreme(bool valley) const;
};

struct LoopBranches {
  Branch1D up, down;  // while the input rises, and while it falls
  double x0 = 0.0, x1 = 0.0;
};

// Cuts one period of samples at its smallest and its largest input; both ways get the same ends.
// Points that step back by less than `noise` of the range are left out; throws InvalidInput with
// the row of one that steps back further, and of values that are not numbers.
LoopBranches split_branches(std::span<const double> input, std::span<const double> output,
                            double noise = 0.02);

}  // namespace bristle
