// SPDX-License-Identifier: MIT
// How every system follows its input: the loop that all of them share, and what they add to it.
//
// A step ends at the latest where the input bends. It is chosen first, then looked into for samples
// in order of time, then made; so an operator, which cannot go back, may go along with the samples.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "bristle/mechanism/signal.hpp"
#include "bristle/solve/drive.hpp"
#include "bristle/system/path.hpp"
#include "sampler.hpp"

namespace bristle::detail {

class ResponseStepper {
 public:
  virtual ~ResponseStepper() = default;

  virtual std::string_view method() const = 0;
  // What is read before the first step.
  virtual ResponseSample start() = 0;
  // Where the next step ends, from t and not beyond `stop`; nothing if an attempt failed, or if the
  // motion ends and the report says how.
  virtual std::optional<double> reach(double t, double stop) = 0;
  // What is read within that step.
  virtual ResponseSample within(double time) = 0;
  // Makes the step; what is read at its end.
  virtual ResponseSample take() = 0;
  // The input bends at t.
  virtual void bend(double t) = 0;
  // Adds the pieces of the step to a path, before it is made.
  virtual void lay(Path&, double /*from*/) {}
  // At the end of a run that succeeded.
  virtual void close(SystemResponse&) const {}

  StepReport report;
};

// Calls before(t, next) ahead of each step and after(sample, bends) behind it.
using BeforeStep = std::function<void(double t, double next)>;
using AfterStep = std::function<void(const ResponseSample& end, bool bends)>;
void follow(ResponseStepper& stepper, const Signal& input, const Options& options,
            const BeforeStep& before, const AfterStep& after = {});

// Refuses the methods for bodies at fixed steps and of the Switch Model, which no system has.
void check_system_method(const Options& options);
// Follows the input from start to end and takes samples and marks.
SystemResponse respond(ResponseStepper& stepper, const Signal& input, const Options& options);
// The steps from `record_from` on as functions of time; empty if the run did not reach its end.
Path path_of(ResponseStepper& stepper, const Signal& input, const Options& options);

}  // namespace bristle::detail
