// SPDX-License-Identifier: MIT
// The time loops of one set of instructions; included by one source per set.
#pragma once

#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "lane_loop.hpp"
#include "lane_table.hpp"

namespace bristle::BRISTLE_LANES {

template <template <class> class Law>
bool run_loop(const LaneRun* runs, std::uint64_t count, const int* choices, LaneEnd* ends,
              LaneObserver* observer, bool (*stop)()) {
  LaneLoop<Law> loop(runs, count, choices, ends, observer);
  return loop.run(stop);
}

inline LaneLoops loops() { return {run_loop<LuGre>, run_loop<FrBD>, width}; }

}  // namespace bristle::BRISTLE_LANES
