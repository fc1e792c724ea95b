// SPDX-License-Identifier: MIT
// Error indicators of one signal against another, as in Table IV of the FrBD document.
#pragma once

#include <span>

namespace bristle {

struct Indicators {
  double rmse = 0.0;     // root of the mean square of the difference
  double mean = 0.0;     // of the difference, first less second
  double std = 0.0;      // its standard deviation
  double largest = 0.0;  // size of the largest difference
};

// Of samples at the same times. Throws InvalidInput for lists of unequal length or none.
Indicators indicators(std::span<const double> first, std::span<const double> second);

}  // namespace bristle
