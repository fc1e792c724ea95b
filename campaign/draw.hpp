// SPDX-License-Identifier: MIT
// Machines at random: every law in every mechanism, with parameters around the defaults over
// decades, drives of comparable force, and starts at rest or not.
#pragma once

#include <cstdint>
#include <random>

#include "machine.hpp"

namespace bristle::campaign {

using Random = std::mt19937_64;

// The generator of run number `index` of a campaign, the same however many threads there are.
Random random_of(std::uint64_t seed, std::uint64_t index);

double between(Random& random, double low, double high);
// 10 to a power between the two.
double decades(Random& random, double low, double high);

// A law with fields drawn about their defaults, and its name; lists keep their defaults.
Values draw_law(Random& random, const LawEntry& entry);

// A machine; run number `index` has the laws and mechanisms in turn. What cannot be combined, such
// as a law that lifts its body and a pendulum, is left out.
Machine draw(Random& random, std::uint64_t index);

}  // namespace bristle::campaign
