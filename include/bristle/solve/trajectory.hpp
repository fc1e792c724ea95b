// SPDX-License-Identifier: MIT
// What a simulation returns: samples, events, counts and the energy ledger.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bristle/solve/status.hpp"

namespace bristle {

enum class EventKind { stick, slip, reversal, switched, release, watched };

struct Event {
  EventKind kind;
  double time;
  double position;
  double velocity;
  double force;
  double energy = 0.0;  // set free by a release [J]
  int watch = -1;       // which of Options::watches, for a watched event
};

// An upward crossing of the section velocity, once per limit cycle.
struct Crossing {
  double time;
  double position;
};

// The work of the drive at the end of a period of it, as the solver had it.
struct PeriodMark {
  double time;
  double work_in;
};

// What a transducer on a body of several parts reads.
struct MeasuredColumn {
  std::string name;
  std::vector<double> values{};
};

// Samples at equal distances in time, one vector per column.
struct Trajectory {
  std::vector<double> time;           // [s]
  std::vector<double> input;          // the drive: position [m] or force [N]
  std::vector<double> position;       // [m]
  std::vector<double> velocity;       // [m/s]
  std::vector<double> state;          // of the law; of drbm the sum of angles, else 0 without one
  std::vector<double> force;          // friction [N]
  std::vector<double> mode;           // 1 slides forward, -1 backward, 0 sticks
  std::vector<double> work_in;        // delivered by the drive so far [J]
  std::vector<double> dissipated;     // so far [J]
  std::vector<double> stored;         // in masses, springs and bristles now [J]
  std::vector<double> friction_work;  // friction times velocity over time, so far [J]
  std::vector<double> height;         // of a body that bristles carry [m], else empty

  std::vector<MeasuredColumn> measured;  // of a rig, else empty
  std::vector<Event> events;
  std::vector<Crossing> crossings;
  std::vector<PeriodMark> periods;
  std::string input_name;
  std::string input_unit;

  std::size_t size() const { return time.size(); }
};

// Every joule accounted for: work in = change of what is stored + what is dissipated + closing
// error.
struct Ledger {
  double work_in = 0.0;         // [J]
  double friction_work = 0.0;   // force times velocity over time [J]
  double dissipated = 0.0;      // [J]
  double stored_change = 0.0;   // [J]
  double closing_error = 0.0;   // [J]
  double relative_error = 0.0;  // over the largest work_in, dissipated or stored_change of the run
  bool closes = true;           // relative_error below what the method promises
};

struct Summary {
  Status status = Status::done;
  std::string message;  // one sentence
  std::string warning;  // what the method cannot promise of this run, also in the message
  std::string method;
  StepReport counts;
  long evaluations = 0;
  double seconds = 0.0;         // of computing
  double error_estimate = 0.0;  // sum of the local errors of the position (or state), in its unit
  // How far the positions (of a given motion: the forces) are from those of a finer run, over the
  // largest excursion; negative without Options::verify or if that run did not reach its end.
  double global_error = -1.0;
  double tolerance = 0.0;  // of the adaptive method; less than requested where a run was repeated
  double step = 0.0;       // fixed step used, 0 for adaptive methods
  Ledger ledger;
  long releases = 0;             // of bristles
  double released_energy = 0.0;  // by them [J]

  bool ok() const { return status == Status::done; }
};

struct Simulation {
  Trajectory trajectory;
  Summary summary;
};

std::string_view words(Status status);
std::string_view words(EventKind kind);

}  // namespace bristle
