// SPDX-License-Identifier: MIT
// What the run of a machine shows: events, figures, and what its contacts came to.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bristle/io/runner.hpp"

namespace bristle::io {

// One line per event: time, list and name of the part, kind, mode or piece before and after, force.
std::string machine_events_csv(const Machine& machine, const MachineResult& result);

// The figures of a file that has none: positions and velocities over time, the force of each
// contact over its velocity.
std::vector<FigureSpec> machine_figures(const Machine& machine);

// The axis of a figure that draws several columns: what they have in common.
std::string machine_axis(const Case& c, const CaseResult& r, const FigureSpec& figure);

// Events, share of the time in stick and work of each contact.
nlohmann::ordered_json contacts_json(const Case& c, const CaseResult& r);

}  // namespace bristle::io
