// SPDX-License-Identifier: MIT
// The delay of a force sensor behind the motion, from the data.
//
// The law is fitted once without a delay. Then the motion is delayed by one time after the other
// (delayed() in identify/record.hpp), the law fitted again from there, and the delay with the least
// error taken. The force stays as measured, so that reading between samples cannot make its noise
// look smaller; a noisy position is smoothed before for the same reason. The same samples count at
// every delay.
//
// The interval is that of a parabola through the least cost. Limits: one delay for all runs; a
// delay and a law that lags by itself, such as LuGre, explain each other in part.
#pragma once

#include "bristle/identify/fit.hpp"

namespace bristle {

struct DelayOptions {
  double longest = 0.0;  // to both sides [s]; 0: 25 median steps
  PrepareOptions prepare;
  FitOptions fit;
};

struct DelayEstimate {
  double delay = 0.0;                // of the force behind the motion [s]
  double lower = 0.0, upper = 0.0;   // 95 % interval [s]
  double longest = 0.0;              // tried to both sides [s]
  double without = 0.0, with = 0.0;  // root mean square errors of the fit
  bool at_limit = false;             // the error still falls at the longest delay
  // Seen in the data: zero lies outside the interval.
  bool seen() const { return lower > 0.0 || upper < 0.0; }
};

DelayEstimate estimate_delay(std::string_view law, const std::vector<Record>& records,
                             const DelayOptions& options);

}  // namespace bristle
