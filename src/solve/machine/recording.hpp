// SPDX-License-Identifier: MIT
// What all recorders of machines share: when samples are due, what an event is called, and how a
// run ends.
#pragma once

#include <limits>

#include "../finish.hpp"
#include "machine_drive.hpp"

namespace bristle::detail {

// Samples at equal distances in time.
class SampleTimes {
 public:
  explicit SampleTimes(const Options& options) : options_(options) {}

  double next() const {
    const double span = options_.end - options_.record_from;
    const auto last = std::size_t(options_.samples) - 1;
    if (taken_ > last) return std::numeric_limits<double>::infinity();
    return taken_ == last ? options_.end
                          : options_.record_from + span * double(taken_) / double(last);
  }
  void taken() { ++taken_; }

  // Calls take(time, states) for every sample of a step that ends at `end`.
  template <class Take>
  void within(MachineStep& method, double t, double end, const Take& take) {
    if (!(next() <= end)) return;
    if (end > t) method.open_dense();
    for (double time = next(); time <= end; time = next()) {
      if (time == end || !(end > t)) take(time, method.y1());
      else take(time, method.dense(std::clamp((time - t) / (end - t), 0.0, 1.0)));
      taken();
    }
  }

 private:
  const Options& options_;
  std::size_t taken_ = 0;
};

inline EventKind event_kind(bool set_valued, const Branch<>& was, const Branch<>& is) {
  if (was.direction == is.direction) return EventKind::switched;
  if (set_valued && is.direction == 0.0) return EventKind::stick;
  if (set_valued && was.direction == 0.0) return EventKind::slip;
  return EventKind::reversal;
}

// The counts of a run and its energies at the end.
inline Outcome outcome_of(const MachineDriver& driver, const MachineSystem& system,
                          const StepReport& report) {
  Outcome out;
  out.report = report;
  out.evaluations = 8 * (report.steps + report.rejected + report.event_steps) + report.steps;
  out.error_estimate = report.error_sum;
  const auto& y = driver.state();
  const auto at = std::size_t(system.states);
  out.work = {y[at], 0.0, y[at + 1]};
  for (std::size_t c = 0; c < std::size_t(system.contacts); ++c) out.work[1] += y[at + 2 + c];
  return out;
}

}  // namespace bristle::detail
