// SPDX-License-Identifier: MIT
// The loop that steps a motion: where it ends, how many steps it may take, and how often it checks
// whether to stop, for every method that steps one motion after its own rules.
//
// A stepper has
//   double time()          where it is [s]
//   StepReport& report()   what it has counted, and how the motion ended if it did
//   void advance()         takes one step, or tries one, beyond neither a kink nor the end
#pragma once

#include "bristle/solve/pacer.hpp"
#include "bristle/solve/status.hpp"

namespace bristle {

// Steps to `end`. `cancelled` is called now and then, `looks` says when.
template <class Stepper, class Cancelled>
void drive(Stepper& stepper, double end, double step_limit, Pacer& looks,
           const Cancelled& cancelled) {
  StepReport& report = stepper.report();
  while (stepper.time() < end && report.status == Status::done) {
    if (double(report.steps + report.rejected) >= step_limit) report.status = Status::step_limit;
    else if (looks.due() && cancelled()) report.status = Status::cancelled;
    else stepper.advance();
  }
  report.time = stepper.time();
}

}  // namespace bristle
