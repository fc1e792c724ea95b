// SPDX-License-Identifier: MIT
// The laws that run in lanes, and the time loops of each for one set of instructions.
#pragma once

#include "bristle/ensemble/lanes.hpp"
#include "loop_table.hpp"

namespace bristle {

// Steps runs to their ends; false if it was stopped.
using LaneLoopCall = bool (*)(const LaneRun* runs, std::uint64_t count, const int* choices,
                              LaneEnd* ends, LaneObserver* observer, bool (*stop)());
struct LaneLoops {
  LaneLoopCall lugre = nullptr, frbd = nullptr;
  FixedLoopCall fixed[loop_laws] = {};  // by LoopLaw
  int lanes = 0;
};

struct LaneChoice {
  LaneSet set;
  LaneLoops loops;
};
// What this processor has, the widest first.
const std::vector<LaneChoice>& lane_choices();

// No loops where the program was built for other processors.
LaneLoops lane_loops_baseline();
LaneLoops lane_loops_avx2();
LaneLoops lane_loops_avx512();

}  // namespace bristle
