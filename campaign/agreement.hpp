// SPDX-License-Identifier: MIT
// How far two runs of one machine are apart.
#pragma once

#include <vector>

#include "machine.hpp"
#include "trials.hpp"

namespace bristle::campaign {

// The machine run by a method at a tolerance; `stop` is called now and then and cancels the run.
Simulation run_by(const Machine& machine, int method, double tolerance, bool (*stop)() = nullptr);

// What is compared of a run: its positions, or the forces where the motion is given.
const std::vector<double>& compared(const Parts& parts, const Simulation& run);

// The largest difference, as a part of the largest excursion of the first from its start.
double distance(const std::vector<double>& a, const std::vector<double>& b);

constexpr double agreed = 10.0;  // tolerances by which two runs may differ

// How far the runs of a pair are apart, and each from a much finer run, in tolerances.
struct PairErrors {
  double apart, first, second;
  double tolerance;
};
// The verdict on two runs that differ: the summary of a run that is off has to tell it, and what
// one tells does not excuse the other.
void judge_pair(const PairErrors& off, const Summary& first, const Summary& second, Trial& trial);

}  // namespace bristle::campaign
