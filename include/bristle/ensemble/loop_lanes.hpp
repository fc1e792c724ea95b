// SPDX-License-Identifier: MIT
// Fixed-step runs of one axis, such as closed loops of a sampled controller, in the lanes of the
// processor.
//
// The axis is a machine with one coordinate: bodies on rigid gears, linear couplings to the ground,
// forces given in time, at most one controller, and one contact whose law is memoryless and
// set-valued (coulomb, stribeck) or linear in its one state (lugre, frbd). The steps are those of
// method "coupled" (two implicit stages, in which every stick holds): each lane solves its own
// stages and sticks or slips by itself, and all lanes of a batch take their steps together. Results
// are those of simulate() to rounding, without energies and events.
//
// A run has the same bits whatever runs beside it, and whatever instructions the processor has; see
// lanes.hpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bristle/machine/machine.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/options.hpp"

namespace bristle {

// Why a machine cannot be run in lanes with these options, or the empty text.
std::string loop_lanes_refuse(const Machine& machine, const Options& options);
// Whether they have a column: time, and motions, forces, states and modes of the parts, but no
// energies.
bool loop_lanes_have(const Machine& machine, const std::string& column);

struct LoopCase {
  const Machine* machine = nullptr;
  Options options;
};
// The time and these columns of each case, all of which are machines of the same parts with other
// numbers. Empty where a case has to be simulated otherwise: it is refused or failed. `set` counts
// the lane sets of lanes.hpp. Throws Cancelled where a stop is requested.
std::vector<std::optional<MachineResult>> simulate_loops_in_lanes(
    std::span<const LoopCase> cases, const std::vector<std::string>& columns, std::size_t set = 0);

}  // namespace bristle
