// SPDX-License-Identifier: MIT
// The sentence that says how a run ended.
#pragma once

#include <string>

#include "bristle/solve/trajectory.hpp"

namespace bristle {

// "done at t = 12.56637 s after 202 steps"; a run without steps of its own leaves their number out.
std::string how_it_ended(Status status, double time, long long steps);

}  // namespace bristle
