// SPDX-License-Identifier: MIT
// Splits a long measured record into single loops.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace bristle {

// A part of the record, from `first` to before `end`.
struct Stretch {
  std::size_t first = 0, end = 0;
  double closing_error = 0.0;  // distance of the ends, each axis over its range; larger of the two
};

// Cuts where the input passes upward through the middle of its range, after it has been below by a
// `band` part of the range or begins that near to its middle; single samples gone astray, plateaus
// and noise smaller than that do not cut. What lies before the first and after the last such
// passage is cut again by its own middle, so that the small cycles of a growing or decaying record
// are found as well, as long as they swing by a `smallest` part of the whole range. Incomplete ends
// belong to no loop; a record without two passages is one loop. Closing errors are measured at
// equal input, between the samples.
std::vector<Stretch> split_loops(std::span<const double> input, std::span<const double> output,
                                 double band = 0.15, double smallest = 0.05);

// Rows that belong to no loop, and why.
struct LeftOut {
  std::size_t first = 0, end = 0;
  std::string why;
};
std::vector<LeftOut> rows_left_out(std::span<const double> input, std::span<const Stretch> loops,
                                   double smallest = 0.05);

// How far a loop misses its own start, each axis over its range, the larger of the two. The samples
// of a closed loop need not repeat the first one: the curve is continued by up to one and a half
// steps beyond the last sample, as the parabola through the last three.
double closing_error(std::span<const double> input, std::span<const double> output);

}  // namespace bristle
