// SPDX-License-Identifier: MIT
// One run of a machine by the method that the options name.
#pragma once

#include "../finish.hpp"
#include "machine_observer.hpp"

namespace bristle::detail {

// How it ended.
struct MachineEnd {
  Outcome outcome;
  double stored_first = 0.0, stored_last = 0.0;  // [J]
  double moving = 0.0;                           // kinetic energy at the end [J]
  double seconds = 0.0;                          // of computing
};

// Throws InvalidInput if the method does not support machines, or not this one. `named` is one that
// stands for a mechanism.
void check_method(MachineSystem& system, const Options& options, bool named = false);

MachineEnd run_machine(MachineSystem& system, const Options& options, MachineObserver& observe);

}  // namespace bristle::detail
