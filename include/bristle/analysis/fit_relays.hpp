// SPDX-License-Identifier: MIT
// Fits a Preisach operator to measured loops: weights of relays on a grid of levels, by linear
// least squares with none of them negative, so that the result can be inverted.
#pragma once

#include <span>

#include "bristle/analysis/fit_plays.hpp"
#include "bristle/system/operators.hpp"

namespace bristle {

struct RelayFit {
  PreisachModel model;    // starts demagnetised
  double error = 0.0;     // root of the mean square, in the unit of the output
  double relative = 0.0;  // that over the largest output
  FitQuality quality;     // beside the best straight line
};

struct RelayFitOptions {
  int levels = 24;
  bool even = false;  // levels at equal distances instead of where the inputs are
};

// Levels of either sign up to the largest input, as many below a given size as there are inputs.
// Every run begins demagnetised. Throws InvalidInput as fit_plays() does.
RelayFit fit_relays(std::span<const MeasuredRun> runs, const RelayFitOptions& options = {});

}  // namespace bristle
