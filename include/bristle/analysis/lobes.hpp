// SPDX-License-Identifier: MIT
// The lobes of a loop that a system draws, from its path and not from samples: where the two ways
// cross is located to rounding, and areas are integrated along the pieces of the path.
#pragma once

#include "bristle/analysis/butterfly.hpp"
#include "bristle/mechanism/signal.hpp"
#include "bristle/system/path.hpp"

namespace bristle {

// What is drawn over the input: a number of each point of the path, and the outputs at which that
// number has a corner, as a map of straight lines does.
struct DrawnOutput {
  std::function<double(const PathPoint&)> value;
  std::vector<double> corners{};
};

// The path must cover one period of the input, which rises once and falls once in it. `found` are
// the lobes as samples show them: their number is kept, their ends and areas are made exact. Throws
// InvalidInput if the path does not have these properties.
FoldedCurve exact_lobes(const FoldedCurve& found, const Path& period, const Signal& input,
                        const DrawnOutput& drawn);

}  // namespace bristle
