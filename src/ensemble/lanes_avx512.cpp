// SPDX-License-Identifier: MIT
// Runs in lanes with AVX512; compiled for it, and called only where the processor has it.
#if defined(__AVX512F__)
#define BRISTLE_LANES lanes_avx512
#include "lane_instance.hpp"

namespace bristle {

LaneLoops lane_loops_avx512() { return lanes_avx512::loops(); }

}  // namespace bristle
#else
#include "lane_table.hpp"

namespace bristle {

LaneLoops lane_loops_avx512() { return {}; }

}  // namespace bristle
#endif
