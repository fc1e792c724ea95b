// SPDX-License-Identifier: MIT
// How a run ends: from what a method counted to a summary.
#pragma once

#include <array>

#include "bristle/model/lift.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/status.hpp"
#include "bristle/solve/trajectory.hpp"

namespace bristle::detail {

// What every way of running a system returns.
struct Outcome {
  StepReport report;
  long evaluations = 0;
  double error_estimate = 0.0;
  std::array<double, 3> work{};
};

inline bool steps_are_fixed(const Options& options) {
  return options.method == Options::coupled || options.method == Options::bristle_only;
}

void finish(const Outcome& outcome, double stored_start, double stored_end, double largest,
            const Options& options, Summary& summary);
// Adds to the message that a smaller tolerance was used than asked for.
void tell_tolerance(double tolerance, Summary& summary);
// Adds to the message where a body carried by bristles was where they do not reach.
void tell_height(const Lift& lift, Simulation& result);

// The largest of the energies during a run [J].
double largest_energy(const Outcome& outcome, double stored_start, const Trajectory& trajectory);

}  // namespace bristle::detail
