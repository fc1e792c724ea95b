// SPDX-License-Identifier: MIT
// Runs in lanes with AVX2; compiled for it, and called only where the processor has it.
#if defined(__AVX2__) && defined(__FMA__)
#define BRISTLE_LANES lanes_avx2
#include "lane_instance.hpp"

namespace bristle {

LaneLoops lane_loops_avx2() { return lanes_avx2::loops(); }

}  // namespace bristle
#else
#include "lane_table.hpp"

namespace bristle {

LaneLoops lane_loops_avx2() { return {}; }

}  // namespace bristle
#endif
