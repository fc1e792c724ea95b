// SPDX-License-Identifier: MIT
// From the normal equations and the residuals of a fit to confidence intervals.
#pragma once

#include <span>
#include <vector>

#include "bristle/identify/least_squares.hpp"

namespace bristle {

// The 97.5 % point of Student's t, by its expansion around the normal one.
double student(double freedom);

// The covariance of the unknowns that are not stopped by a bound; rows of the others are zero.
// `loose` receives which unknowns the data leave undetermined.
std::vector<double> covariance(const NormalEquations& equations, const std::vector<bool>& stopped,
                               double variance, std::vector<bool>& loose);

// Ljung-Box over 20 lags, and the correlation time up to the first lag that is not positive.
struct Whiteness {
  bool white = true;
  double correlation_time = 1.0;  // in samples
};
Whiteness whiteness(std::span<const double> residuals);

}  // namespace bristle
