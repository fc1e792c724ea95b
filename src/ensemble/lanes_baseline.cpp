// SPDX-License-Identifier: MIT
// Runs in lanes with the instructions that every processor of this kind has.
#define BRISTLE_LANES lanes_baseline
#include "lane_instance.hpp"

namespace bristle {

LaneLoops lane_loops_baseline() { return lanes_baseline::loops(); }

}  // namespace bristle
