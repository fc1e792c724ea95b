// SPDX-License-Identifier: MIT
// One call: a machine and options -> columns, events and summary.
//
// The columns, in this order: time; position and velocity of every body; position of every drive;
// force of every input and controller; reference of every controller; velocity, force, state, mode
// and work of every contact ("bearing.force"); work_in, dissipated and stored. A mode is 1 for
// sliding forward, -1 for backward, 0 for stick; in stick the relative velocity of a contact is
// exactly zero. The work of a contact is what went into it, the dissipation and what its bristles
// store.
//
// Throws InvalidInput before the first step; afterwards never: how a run ended is in its summary.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bristle/machine/machine.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/trajectory.hpp"

namespace bristle {

struct Column {
  std::string name;
  std::string unit;
  std::string meaning;
  std::vector<double> values{};
};

struct MachineEvent {
  EventKind kind;
  double time;
  int contact = -1;                  // number of the contact, -1 for an event of a coupling
  int coupling = -1;                 // number of the coupling
  double before = 0.0, after = 0.0;  // mode of the contact, or piece of the coupling
  double force = 0.0;                // of the contact after the event
};

struct MachineResult {
  std::vector<Column> columns;
  std::vector<MachineEvent> events;
  Summary summary;

  // The column of a name; throws InvalidInput with the nearest name if there is none.
  const std::vector<double>& operator[](std::string_view name) const;
};

// The columns of a machine, without values.
std::vector<Column> columns_of(const Machine& machine);

// Methods: Options::rosenbrock, Options::cvode and, at a fixed step, Options::coupled.
// Options::initial is not read: a machine has its own start.
MachineResult simulate(const Machine& machine, const Options& options = {});

}  // namespace bristle
