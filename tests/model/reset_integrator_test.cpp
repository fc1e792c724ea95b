// SPDX-License-Identifier: MIT
#include "bristle/model/reset_integrator.hpp"

#include <gtest/gtest.h>

#include "bristle/model/advance.hpp"

namespace bristle::reset_integrator_test {
namespace {

// Planar friction (3.1)-(3.2): 100 N/m over a range of 0.01 m, gradient 0.1.
TEST(ResetIntegrator, StretchesUpToItsRangeAndIsThenDraggedAlong) {
  const ResetIntegrator<> law;
  EXPECT_EQ(law.advance(0.0, 0.004), 0.004);
  EXPECT_EQ(law.advance(0.008, 0.5), 0.01);
  EXPECT_EQ(law.advance(-0.008, -0.5), -0.01);
  EXPECT_DOUBLE_EQ(law.advance(0.01, -0.003), 0.007);
  EXPECT_EQ(rate(law, 0.01, Motion<double>{0.0, 0.2}), 0.0);
  EXPECT_EQ(rate(law, -0.01, Motion<double>{0.0, -0.2}), 0.0);
  EXPECT_EQ(rate(law, 0.01, Motion<double>{0.0, -0.2}), -0.2);
  EXPECT_EQ(rate(law, 0.0099, Motion<double>{0.0, 0.2}), 0.2);
}

TEST(ResetIntegrator, BreaksAwayAboveTheForceItSlidesAt) {
  ResetIntegrator<> law;
  law.damping = 0.0;
  const double before = std::nextafter(0.01, 0.0);
  EXPECT_NEAR(force(law, before, Motion<double>{0.0, 0.1}), 1.1, 1e-12);
  EXPECT_DOUBLE_EQ(force(law, 0.01, Motion<double>{0.0, 0.1}), 1.0);
  EXPECT_DOUBLE_EQ(force(law, -0.01, Motion<double>{0.0, -0.1}), -1.0);
  // Reversal: the bristle sticks again at once and the force jumps up.
  EXPECT_DOUBLE_EQ(force(law, 0.01, Motion<double>{0.0, -0.1}), 1.1);
}

TEST(ResetIntegrator, DampsOnlyInStickAndTheLessTheFasterItMoves) {
  ResetIntegrator<> law;
  const auto damping_part = [&](double v) { return force(law, 0.0, Motion<double>{0.0, v}) / v; };
  EXPECT_NEAR(damping_part(1e-9), 74.15, 1e-9);
  EXPECT_NEAR(damping_part(0.01), 74.15 * std::exp(-1.0), 1e-12);
  EXPECT_LT(damping_part(0.1), 1e-40);
  law.damping_velocity = 0.0;
  EXPECT_DOUBLE_EQ(damping_part(0.1), 74.15);
  EXPECT_DOUBLE_EQ(force(law, 0.01, Motion<double>{0.0, 0.1}), 1.0);
}

TEST(ResetIntegrator, WithDampingDependsOnTheRate) {
  const ResetIntegrator<> law;
  const double slow = force(law, 0.005, Motion<double>{0.0, 1e-5});
  const double fast = force(law, 0.005, Motion<double>{0.0, 5e-3});
  EXPECT_GT(fast, 1.4 * slow);
}

TEST(ResetIntegrator, SpringsBackWithoutLossWithinItsRange) {
  ResetIntegrator<> law;
  law.damping = 0.0;
  // A difference of two equal powers, which may be rounded differently.
  for (const double z : {-0.009, 0.0, 0.004})
    EXPECT_NEAR(respond(law, z, Motion<double>{0.0, 0.3}).dissipation, 0.0, 1e-16);
  // In slip all the power is lost.
  EXPECT_DOUBLE_EQ(respond(law, 0.01, Motion<double>{0.0, 0.3}).dissipation, 0.3);
}

TEST(ResetIntegrator, SlipBeginsWhereTheMarginOfStickEnds) {
  const ResetIntegrator<> law;
  const Motion<double> m{0.0, 1.0};
  const auto stick = branch_of(law, 0.004, m);
  EXPECT_EQ(stick.cell, 0.0);
  EXPECT_DOUBLE_EQ(law.margin(0.004, m, stick), 0.006);
  EXPECT_LT(law.margin(0.0101, m, stick), 0.0);
  EXPECT_EQ(law.crossed(stick), branch_of(law, 0.01, m));
}

}  // namespace
}  // namespace bristle::reset_integrator_test
