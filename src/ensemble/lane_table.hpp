// SPDX-License-Identifier: MIT
// The laws that run in lanes, and the time loop of each for one set of instructions.
#pragma once

#include "bristle/ensemble/lanes.hpp"

namespace bristle {

// Steps runs to their ends; false if it was stopped.
using LaneLoopCall = bool (*)(const LaneRun* runs, std::uint64_t count, const int* choices,
                              LaneEnd* ends, LaneObserver* observer, bool (*stop)());
struct LaneLoops {
  LaneLoopCall lugre = nullptr, frbd = nullptr;
  int lanes = 0;
};

// No loops where the program was built for other processors.
LaneLoops lane_loops_baseline();
LaneLoops lane_loops_avx2();
LaneLoops lane_loops_avx512();

}  // namespace bristle
