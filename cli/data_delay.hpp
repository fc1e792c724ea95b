// SPDX-License-Identifier: MIT
// --delay: a time by which the force lags the motion, or `auto`.
#pragma once

#include "data_options.hpp"

namespace bristle::cli {

// With `auto` the longest to be tried, 0 if none is given.
struct DelayAsked {
  bool automatic = false;
  double seconds = 0.0;
};
DelayAsked delay_of(const DataArguments& a);

// With --delay auto: finds the delay of the force and makes the runs again with it.
std::optional<DelayEstimate> take_out_delay(const DataArguments& a, const std::string& law,
                                            FitInput& input, const FitOptions& options);

}  // namespace bristle::cli
