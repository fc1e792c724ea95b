// SPDX-License-Identifier: MIT
// How a run ended, and what it counted.
#pragma once

#include "bristle/solve/not_finite.hpp"

namespace bristle {

enum class Status {
  done,
  step_limit,      // more steps than allowed
  step_too_small,  // the error could not be met
  chattering,      // events without progress
  cancelled,
  out_of_range,  // the body left where the equations hold
  not_finite,    // a state, a force or an energy became NaN or infinite
  failed         // the second method gave up
};

struct StepReport {
  Status status = Status::done;
  double time = 0.0;  // reached [s]
  long steps = 0;
  long rejected = 0;
  long event_steps = 0;  // spent on locating events
  long events = 0;
  double largest_error = 0.0;  // of one step, in units of the tolerance
  double error_sum = 0.0;      // of the local errors of the first state
  NotFinite not_finite{};      // with that status: what became so, and when
};

}  // namespace bristle
