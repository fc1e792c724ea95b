// SPDX-License-Identifier: MIT
// A multiplay from a hysteresis map.
//
// The way up of the map, from the smallest to the largest input, is cut into straight pieces; their
// slopes give the stiffnesses, their ends the dead zones. That is possible for a map that goes over
// into itself if turned by half a turn, as every map of a multiplay does. Source: thesis
// (2.22)-(2.26).
#pragma once

#include <span>
#include <vector>

#include "bristle/system/operators.hpp"

namespace bristle {

struct MultiplayFit {
  std::vector<double> thresholds, stiffnesses;
  double input_centre = 0.0, output_centre = 0.0;  // subtracted from input and output first
  double asymmetry = 0.0;  // largest distance of the map from itself turned, over its height
  double error = 0.0;  // largest distance of the model's map from the given one, over its height

  MaxwellSlipModel model() const;
};

struct MultiplayFitOptions {
  int pieces = 0;           // 0: one between every two points of the way up
  double asymmetry = 0.01;  // above that the map is refused
};

// One period of samples, in the order of time. Throws InvalidInput with the row of a value that is
// not a number, for a way up or down that is not monotone in the input, and for a map without the
// symmetry, with the place where it fails most.
MultiplayFit fit_multiplay(std::span<const double> input, std::span<const double> output,
                           const MultiplayFitOptions& options = {});

}  // namespace bristle
