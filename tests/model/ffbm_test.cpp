// SPDX-License-Identifier: MIT
#include "bristle/model/ffbm.hpp"

#include <gtest/gtest.h>

namespace bristle::ffbm_test {
namespace {

// From minimum_force just after a release to maximum_force just before the next, either way.
TEST(Ffbm, SlowSlidingFollowsTheSawtooth) {
  const Ffbm<> law;
  const auto steady = [&](double x, double v) { return steady_force(law, Motion<double>{x, v}); };
  EXPECT_DOUBLE_EQ(steady(0.0, 1.0), 1.0);
  EXPECT_NEAR(steady(0.05 * (1.0 - 1e-9), 1.0), 1.5, 1e-8);
  EXPECT_DOUBLE_EQ(steady(0.0125, 1.0), 1.125);
  EXPECT_DOUBLE_EQ(steady(0.1125, 1.0), 1.125);
  EXPECT_DOUBLE_EQ(steady(-0.0125, 1.0), 1.375);
  EXPECT_DOUBLE_EQ(steady(0.0125, -1.0), -1.375);
}

TEST(Ffbm, CellsFollowOneAnotherWithTheMotion) {
  const Ffbm<> law;
  const Motion<double> m{0.07, 1.0};
  const auto branch = branch_of(law, 0.0, m);
  EXPECT_EQ(branch.cell, 1.0);
  EXPECT_NEAR(law.margin(0.0, m, branch), 0.6, 1e-14);
  EXPECT_EQ(law.crossed(branch).cell, 2.0);
  const Motion<double> back{0.07, -1.0};
  EXPECT_EQ(branch_of(law, 0.0, back).cell, -2.0);
  EXPECT_NEAR(law.margin(0.0, back, branch_of(law, 0.0, back)), 0.4, 1e-14);
}

}  // namespace
}  // namespace bristle::ffbm_test
