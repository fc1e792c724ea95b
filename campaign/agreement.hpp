// SPDX-License-Identifier: MIT
// How far two runs of one machine are apart.
#pragma once

#include <vector>

#include "machine.hpp"

namespace bristle::campaign {

// The machine run by a method at a tolerance; `stop` is asked now and then and cancels the run.
Simulation run_by(const Machine& machine, int method, double tolerance, bool (*stop)() = nullptr);

// What is compared of a run: its positions, or the forces where the motion is given.
const std::vector<double>& compared(const Parts& parts, const Simulation& run);

// The largest difference, as a part of the largest excursion of the first from its start.
double distance(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace bristle::campaign
