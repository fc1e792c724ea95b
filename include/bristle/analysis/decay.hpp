// SPDX-License-Identifier: MIT
// Decay of a free oscillation: in equal steps (dry friction) or by equal ratios (viscous).
//
//   straight line   |X| = a - fall t,      exponential   |X| = b exp(-rate t)
//
// Both are fitted by least squares to the extremes of a signal, the exponential to their
// logarithms; the one with the smaller residual describes the envelope. Limits: at least three
// extremes are needed; a signal of several frequencies has extremes that are no envelope.
#pragma once

#include <vector>

namespace bristle {

struct Decay {
  std::vector<double> time, size;  // of the extremes, alternately of either sign
  double line_residual = 0.0, exponential_residual = 0.0;  // root of the mean square, relative
  double rate = 0.0;                                       // of the exponential [1/s]
  double fall = 0.0;                                       // of the line [m/s]

  bool known() const { return size.size() >= 3; }
  bool exponential() const { return exponential_residual < line_residual; }
};
// From extremes larger than a part of the first.
Decay find_decay(const std::vector<double>& time, const std::vector<double>& signal,
                 double smallest = 0.15);

}  // namespace bristle
