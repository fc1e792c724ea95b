// SPDX-License-Identifier: MIT
// What fits of operators to measured runs share: their checks and least squares with weights that
// are not negative.
#pragma once

#include <span>
#include <vector>

#include "bristle/analysis/fit_plays.hpp"

namespace bristle {

using Matrix = std::vector<std::vector<double>>;

// The largest size of an input. Throws InvalidInput for runs that cannot be fitted.
double largest_input(std::span<const MeasuredRun> runs);

// min |A p - y|^2 with p >= 0 from the normal equations, by Lawson and Hanson's method.
std::vector<double> positive_weights(const Matrix& gram, const std::vector<double>& right);

}  // namespace bristle
