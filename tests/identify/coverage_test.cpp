// SPDX-License-Identifier: MIT
// The 95 % intervals of fits to forces with white and coloured noise, with and without an inertia
// beside the law, hold the truth. fit_coverage looks at more records.
#include "identify/coverage.hpp"

#include <gtest/gtest.h>

namespace bristle::coverage_test {
namespace {

using namespace bristle::test;

// Three records of each law. Of 54 intervals that hold the truth in 95 %, fewer than 44 do so in 1
// of 5000 cases if they are independent.
void expect_covered(ForceNoise noise) {
  noise.duration = 2.0;
  int held = 0, intervals = 0;
  const auto add = [&](const auto& law) {
    const Coverage c = coverage(law, noise, {.records = 3, .seed = 71});
    EXPECT_EQ(c.converged, 3) << std::decay_t<decltype(law)>::name;
    held += c.held(), intervals += c.intervals();
  };
  std::apply([&](const auto&... law) { (add(law), ...); }, covered_laws());
  EXPECT_GE(intervals, 54);
  EXPECT_GE(held, intervals - 10) << "of " << intervals;
}

TEST(Coverage, HoldsForWhiteNoiseOfTheForce) { expect_covered({}); }
TEST(Coverage, HoldsForColouredNoiseOfTheForce) { expect_covered({.colour = 0.8}); }
TEST(Coverage, HoldsWithAnInertiaBesideTheLaw) { expect_covered({.inertia = 2.0}); }
TEST(Coverage, HoldsForColouredNoiseWithAnInertia) {
  expect_covered({.colour = 0.8, .inertia = 2.0});
}

}  // namespace
}  // namespace bristle::coverage_test
