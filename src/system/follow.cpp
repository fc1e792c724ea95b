// SPDX-License-Identifier: MIT
#include "follow.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "bristle/solve/ended.hpp"

namespace bristle {

void finish(SystemResponse& r, const Options& options, const detail::ResponseRecorder& record) {
  if (record.stopped()) r.status = Status::cancelled;
  if (r.not_finite && r.status != Status::cancelled) r.status = Status::not_finite;
  const double reached = r.time.empty() ? 0.0 : r.time.back();
  r.message = r.status == Status::not_finite
                  ? "not finite: " + std::string(r.not_finite.column) +
                        " at t = " + words(r.not_finite.time) + " s"
                  : how_it_ended(r.status, r.ok() ? options.end : reached, r.steps);
  (r.message += " by ") += r.method;
}

namespace detail {
namespace {

// A stepper of drive().
class Follower {
 public:
  Follower(ResponseStepper& stepper, const Signal& input, double end, const BeforeStep& before,
           const AfterStep& after)
      : stepper_(stepper), input_(input), end_(end), before_(before), after_(after) {
    stop_ = std::min(end, input.next_kink(0.0));
  }

  double time() const { return t_; }
  StepReport& report() { return stepper_.report; }
  void advance() {
    const std::optional<double> next = stepper_.reach(t_, stop_);
    if (!next) return;
    try {
      before_(t_, *next);
      const ResponseSample end = stepper_.take();
      ++report().steps;
      t_ = *next;
      if (after_) after_(end, t_ == stop_);
    } catch (const Cancelled&) {  // a step over very many points is left in its middle
      report().status = Status::cancelled;
      return;
    }
    if (t_ != stop_) return;
    stepper_.bend(t_);
    stop_ = std::min(end_, input_.next_kink(t_));
  }

 private:
  ResponseStepper& stepper_;
  const Signal& input_;
  double end_, stop_ = 0.0, t_ = 0.0;
  const BeforeStep& before_;
  const AfterStep& after_;
};

}  // namespace

void follow(ResponseStepper& stepper, const Signal& input, const Options& options,
            const BeforeStep& before, const AfterStep& after) {
  Follower follower(stepper, input, options.end, before, after);
  Pacer looks;
  drive(follower, options.end, options.step_limit, looks,
        [&] { return options.cancelled(follower.time() / options.end); });
}

void check_system_method(const Options& options) {
  if (options.method != Options::rosenbrock && options.method != Options::cvode)
    throw InvalidInput("method", "solve: method = \"" +
                                     std::string(Options::methods[std::size_t(options.method)]) +
                                     "\" has no meaning for a system, it must be rosenbrock (the "
                                     "adaptive method) or cvode");
}

SystemResponse respond(ResponseStepper& stepper, const Signal& input, const Options& options) {
  check_system_method(options);
  SystemResponse r;
  r.method = stepper.method();
  const auto began = std::chrono::steady_clock::now();
  ResponseRecorder record(r, options);
  std::string reason;
  try {
    record.at(stepper.start());
    follow(
        stepper, input, options,
        [&](double, double next) {
          for (double s = record.next(); s < next; s = record.next()) record.at(stepper.within(s));
        },
        [&](const ResponseSample& end, bool bends) {
          record.at(end);
          if (bends) record.mark(end.time, end);
        });
  } catch (const InvalidInput& error) {  // an inverse that is asked for what cannot be
    stepper.report.status = Status::out_of_range;
    reason = std::string(" ") + error.what();
  }
  const StepReport& report = stepper.report;
  r.status = report.status;
  r.steps = report.steps, r.rejected = report.rejected;
  if (report.not_finite) r.not_finite = report.not_finite;
  if (r.ok()) stepper.close(r);
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  finish(r, options, record);
  r.message += reason;
  return r;
}

Path path_of(ResponseStepper& stepper, const Signal& input, const Options& options) {
  check_system_method(options);
  Path path;
  try {
    stepper.start();
    follow(stepper, input, options, [&](double, double next) {
      if (next > options.record_from) stepper.lay(path, options.record_from);
    });
  } catch (const InvalidInput&) {  // as above
    return {};
  }
  if (stepper.report.status != Status::done) return {};
  if (!path.empty()) path.back().to = options.end;
  return path;
}

}  // namespace detail
}  // namespace bristle
