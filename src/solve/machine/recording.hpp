// SPDX-License-Identifier: MIT
// What all recorders of machines share: when samples are due, and what an event is called.
#pragma once

#include <algorithm>

#include "../finish.hpp"
#include "bristle/solve/sample_times.hpp"
#include "bristle/solve/trajectory.hpp"
#include "machine_observer.hpp"

namespace bristle::detail {

// Calls take(time, states) for every sample of a step that ends at `end`.
template <class Take>
void take_samples(SampleTimes& times, bool fixed, MachinePath& path, double t, double end,
                  const Take& take) {
  if (fixed) {
    if (times.due(end)) take(end, path.y1());
    return;
  }
  if (!(times.next() <= end)) return;
  if (end > t) path.open_dense();
  for (double time = times.next(); time <= end; time = times.next()) {
    if (time == end || !(end > t)) take(time, path.y1());
    else take(time, path.dense(std::clamp((time - t) / (end - t), 0.0, 1.0)));
    times.taken();
  }
}

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
