// SPDX-License-Identifier: MIT
// The time loops of one set of instructions; included by one source per set.
#pragma once

#include "bristle/model/coulomb.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/stribeck.hpp"
#include "lane_loop.hpp"
#include "lane_table.hpp"
#include "loop_kernel.hpp"

namespace bristle::BRISTLE_LANES {

template <template <class> class Law>
bool run_loop(const LaneRun* runs, std::uint64_t count, const int* choices, LaneEnd* ends,
              LaneObserver* observer, bool (*stop)()) {
  LaneLoop<Law> loop(runs, count, choices, ends, observer);
  return loop.run(stop);
}

inline LaneLoops loops() {
  return {run_loop<LuGre>,
          run_loop<FrBD>,
          {run_fixed<LuGre>, run_fixed<FrBD>, run_fixed<Coulomb>, run_fixed<Stribeck>},
          width};
}

}  // namespace bristle::BRISTLE_LANES
