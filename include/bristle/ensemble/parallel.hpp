// SPDX-License-Identifier: MIT
// The one place of the engine that starts threads: independent pieces of work side by side.
#pragma once

#include <cstdint>
#include <functional>

namespace bristle {

// The threads this machine runs at once, at least 1.
int available_threads();

// Calls each(i) once for every i below `count`, on at most `threads` threads of which the caller's
// is one. Every thread takes the next i that is left, in increasing order.
// - The first exception that each() throws stops the hand-out and is thrown again here once all
//   threads have ended; calls that had begun are finished.
// - A request to stop (solve/cancel.hpp), or Cancelled thrown by each(), stops it in the same way;
//   Cancelled is thrown only if nothing else was.
void in_parallel(std::uint64_t count, int threads, const std::function<void(std::uint64_t)>& each);

}  // namespace bristle
