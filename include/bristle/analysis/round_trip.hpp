// SPDX-License-Identifier: MIT
// Verifies an inverse by a round trip through the operator and its inverse.
#pragma once

#include <cstdint>

#include "bristle/system/system.hpp"

namespace bristle {

struct RoundTrip {
  double error = 0.0;  // largest difference of input and recovered input, over half the range
  int inputs = 0;      // how many were tried
};

// Random inputs between two values, with many turns: through the system and its inverse one after
// the other for operators, as a cascade in time for a multiplay. Throws InvalidInput if there is no
// inverse.
RoundTrip verify_inverse(const AnySystem& system, double low, double high, int inputs = 2000,
                         std::uint64_t seed = 1);

}  // namespace bristle
