// SPDX-License-Identifier: MIT
// Fits a Prandtl-Ishlinskii operator to measured loops.
//
// The thresholds are spread evenly over the range of the input, the weights come from linear least
// squares with none of them negative, so that the result always has an inverse. With an envelope
// the input first goes through a tanh, whose rate is found by a search: that is what saturation
// needs.
#pragma once

#include <span>
#include <vector>

#include "bristle/analysis/fit_quality.hpp"
#include "bristle/model/play_sum.hpp"

namespace bristle {

struct PlayFit {
  PrandtlIshlinskii model;
  std::vector<std::vector<double>> starts;  // states of the plays where each run begins
  double error = 0.0;                       // root of the mean square, in the unit of the output
  double relative = 0.0;                    // that over the largest output
  FitQuality quality;                       // beside the best straight line
};

struct PlayFitOptions {
  int plays = 20;
  bool envelope = true;
  bool asymmetric = false;  // the envelope may be off centre: its shift and level are fitted too
};

// Every run begins from a state without memory: all plays at the level of the envelope. The loops
// of such an operator are counterclockwise, the output lags; clockwise ones are for fit_stops().
// Throws InvalidInput with the run and the row of a value that is not a number, for runs of unequal
// columns, and for an input that does not vary.
PlayFit fit_plays(std::span<const MeasuredRun> runs, const PlayFitOptions& options = {});

}  // namespace bristle
