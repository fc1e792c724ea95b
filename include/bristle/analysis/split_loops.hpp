// SPDX-License-Identifier: MIT
// Single loops out of a long measured record.
#pragma once

#include <span>
#include <vector>

namespace bristle {

// A part of the record, from `first` to before `end`.
struct Stretch {
  std::size_t first = 0, end = 0;
  double closing_error = 0.0;  // distance of the ends, each axis over its range; larger of the two
};

// Cuts where the input passes upward through the middle of its range, after it has been below by a
// `band` part of the range; single samples gone astray, plateaus and noise smaller than that do not
// cut. Incomplete ends are dropped; a record without two such passages is one loop.
std::vector<Stretch> split_loops(std::span<const double> input, std::span<const double> output,
                                 double band = 0.15);

}  // namespace bristle
