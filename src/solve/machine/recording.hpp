// SPDX-License-Identifier: MIT
// What all recorders of machines share: when samples are due, and what an event is called.
#pragma once

#include <algorithm>
#include <limits>

#include "../finish.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/trajectory.hpp"
#include "machine_observer.hpp"

namespace bristle::detail {

// Samples at equal distances in time. At fixed steps they fall on the step that ends nearest after
// them; of several within one step one is taken.
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
  // At fixed steps: whether a sample is taken at the end of a step.
  bool due(double end) {
    const double reached = end * (1.0 + 1e-14);
    const bool found = next() <= reached;
    while (next() <= reached) taken();
    return found;
  }

  // Calls take(time, states) for every sample of a step that ends at `end`.
  template <class Take>
  void within(MachinePath& path, double t, double end, const Take& take) {
    if (steps_are_fixed(options_)) {
      if (due(end)) take(end, path.y1());
      return;
    }
    if (!(next() <= end)) return;
    if (end > t) path.open_dense();
    for (double time = next(); time <= end; time = next()) {
      if (time == end || !(end > t)) take(time, path.y1());
      else take(time, path.dense(std::clamp((time - t) / (end - t), 0.0, 1.0)));
      taken();
    }
  }

 private:
  const Options& options_;
  std::size_t taken_ = 0;
};

inline EventKind event_kind(const MachineSystem& system, std::size_t contact, const Branch<>& was,
                            const Branch<>& is) {
  const double before = system.mode_of(contact, was), after = system.mode_of(contact, is);
  // A law that remembers tells a break-away from other ends of rest.
  const BlockMemory* memory = system.memory[contact];
  if (memory && before == 0.0 && after != 0.0)
    return memory->breaks_away(was, is) ? EventKind::slip : EventKind::switched;
  if (before == after) return EventKind::switched;
  const bool tells_stick = system.machine().contacts[contact].tells_stick;
  if (tells_stick && after == 0.0) return EventKind::stick;
  if (tells_stick && before == 0.0) return EventKind::slip;
  return EventKind::reversal;
}

}  // namespace bristle::detail
