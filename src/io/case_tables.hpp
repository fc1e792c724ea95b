// SPDX-License-Identifier: MIT
// What a case came to, as tables in CSV.
#pragma once

#include "bristle/io/files.hpp"
#include "bristle/io/runner.hpp"

namespace bristle::io {

// Written block by block: a run may have 1e8 samples.
void write_case(ResultDirectory& out, const std::string& name, const Case& c, const CaseResult& r,
                bool averaged);
// What happened: one line an event.
std::string events_csv(const Trajectory& t);
// The equilibria of a system whose output is kept by one input only: a line.
std::string resting_csv(const Case& c, const CaseResult& r, const std::string& y);
// The equilibria of a mass on a wall spring, in the plane of input and position.
std::string equilibria_csv(const Case& c, const CaseResult& r);
// The mean of a column over the speed and the fall fitted to it.
std::string fit_csv(const Case& c, const CaseResult& r, const FigureSpec& f);

}  // namespace bristle::io
