// SPDX-License-Identifier: MIT
#include "bristle/model/coulomb.hpp"

#include <gtest/gtest.h>

namespace bristle::coulomb_test {
namespace {

TEST(Coulomb, ForceIsConstantAgainstTheMotion) {
  Coulomb<> law;
  law.coulomb_force = 2.5;
  for (const double v : {1e-12, 0.1, 10.0}) {
    EXPECT_EQ(force(law, 0.0, Motion<double>{0.3, v}), 2.5);
    EXPECT_EQ(force(law, 0.0, Motion<double>{0.3, -v}), -2.5);
  }
}

// Thesis (1.17) prints [0, 1] for sign(0); the interval must be symmetric.
TEST(Coulomb, AtRestAnyForceOfTheIntervalIsPossible) {
  Coulomb<> law;
  law.coulomb_force = 2.5;
  const auto interval = law.limits(Motion<double>{});
  EXPECT_EQ(interval.lower, -2.5);
  EXPECT_EQ(interval.upper, 2.5);
}

}  // namespace
}  // namespace bristle::coulomb_test
