// SPDX-License-Identifier: MIT
// What a controller computes from sample to sample, by hand.
#include "bristle/machine/controller.hpp"

#include <gtest/gtest.h>

namespace bristle::controller_test {
namespace {

TEST(Controller, InParallelAddsTheThreePartsOfPid) {
  Controller c;
  c.step = 0.1;
  c.position_gain = 4.0;
  c.velocity_gain = 2.0;
  c.integral_gain = 3.0;
  c.feedforward = 0.5;
  c.sensing = Controller::exact;
  ControllerState s;
  s.sample(c, 1.0, 0.2, 3.0, 0.8);  // e = 2, integral 0.2, 0.5 * 0.8 - 0.2 = 0.2
  EXPECT_DOUBLE_EQ(s.output, 4.0 * 2.0 + 2.0 * 0.2 + 3.0 * 0.2);
  s.sample(c, 2.0, 0.0, 3.0, 0.0);  // e = 1, integral 0.3
  EXPECT_DOUBLE_EQ(s.output, 4.0 + 3.0 * 0.3);
}

TEST(Controller, InACascadeFollowsTheVelocityThatThePositionAsksFor) {
  Controller c;
  c.form = Controller::cascade;
  c.step = 0.1;
  c.position_gain = 5.0;
  c.velocity_gain = 2.0;
  c.integral_gain = 1.0;
  c.sensing = Controller::exact;
  ControllerState s;
  s.sample(c, 0.0, 1.0, 0.4, 0.0);  // d = 5 * 0.4 - 1 = 1
  EXPECT_DOUBLE_EQ(s.output, 2.0 + 0.1);
}

TEST(Controller, OfVelocityComparesTheReferenceWithTheVelocity) {
  Controller c;
  c.form = Controller::velocity;
  c.step = 0.1;
  c.velocity_gain = 2.0;
  c.sensing = Controller::exact;
  ControllerState s;
  s.sample(c, 7.0, 0.3, 0.5, 0.0);
  EXPECT_DOUBLE_EQ(s.output, 2.0 * 0.2);
}

TEST(Controller, DoesNotWindUpWhileItIsSaturated) {
  Controller c;
  c.step = 0.1;
  c.integral_gain = 10.0;
  c.saturation = 1.5;
  ControllerState s;
  for (int k = 0; k < 100; ++k) s.sample(c, 0.0, 0.0, 1.0, 0.0);
  EXPECT_DOUBLE_EQ(s.output, 1.5);
  EXPECT_DOUBLE_EQ(s.integral, 0.1);  // one sample; the second would have saturated
  s.sample(c, 2.0, 0.0, 1.0, 0.0);    // the error turns: the integral follows at once
  EXPECT_DOUBLE_EQ(s.output, 0.0);
}

TEST(Controller, ReadsPositionsInStepsAndVelocitiesFromThem) {
  Controller c;
  c.step = 0.5;
  c.velocity_gain = 1.0;
  c.resolution = 0.25;
  ControllerState s;
  s.sample(c, 0.30, 9.0, 0.0, 0.0);  // read as 0.25; no velocity from one sample
  EXPECT_DOUBLE_EQ(s.output, 0.0);
  s.sample(c, 0.70, 9.0, 0.0, 0.0);  // 0.75
  EXPECT_DOUBLE_EQ(s.output, -(0.75 - 0.25) / 0.5);
  c.sensing = Controller::mean_difference;
  s.sample(c, 1.30, 9.0, 0.0, 0.0);  // 1.25
  EXPECT_DOUBLE_EQ(s.output, -(1.25 - 0.25) / 1.0);
}

TEST(Controller, ActsDelayedByItsSamples) {
  Controller c;
  c.position_gain = 1.0;
  c.delay = 2.0;
  ControllerState s;
  const double want[] = {0.0, 0.0, 1.0, 2.0, 3.0};
  for (int k = 0; k < 5; ++k) {
    s.sample(c, -1.0 - k, 0.0, 0.0, 0.0);
    EXPECT_DOUBLE_EQ(s.output, want[k]) << k;
  }
}

}  // namespace
}  // namespace bristle::controller_test
