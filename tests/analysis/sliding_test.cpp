// SPDX-License-Identifier: MIT
#include "bristle/analysis/sliding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/analysis/mean_curve.hpp"

namespace bristle::sliding_test {
namespace {

TEST(SlidingForce, IsTakenAgainstTheMotionAndAboveASpeed) {
  const std::vector<double> velocity{0.0, 0.1, 0.3, -0.3, 0.0}, force{5.0, 2.0, 1.0, -1.5, -4.0};
  const Range all = sliding_force(velocity, force);
  EXPECT_EQ(all.least, 1.0);
  EXPECT_EQ(all.most, 2.0);
  EXPECT_EQ(sliding_force(velocity, force, 0.2).most, 1.5);
  EXPECT_TRUE(std::isnan(sliding_force(velocity, force, 1.0).least));
}

TEST(SlipPeaks, AreOnePerSlipBetweenTwoRests) {
  // A slip cut off at the start, two whole ones of half sines, one cut off at the end.
  std::vector<double> time, velocity;
  for (int i = 0; i <= 700; ++i) {
    const double t = 0.01 * i, phase = std::fmod(t + 0.5, 2.0);
    time.push_back(t);
    const double top = t < 3.0 ? 0.5 : -0.25;
    velocity.push_back(phase < 1.0 ? top * std::sin(std::numbers::pi * phase) : 0.0);
  }
  const auto peaks = slip_peaks(time, velocity);
  ASSERT_EQ(peaks.size(), 3u);
  EXPECT_NEAR(peaks[0].time, 2.0, 1e-9);
  EXPECT_NEAR(peaks[0].speed, 0.5, 1e-7);
  EXPECT_NEAR(peaks[1].time, 4.0, 1e-9);
  EXPECT_NEAR(peaks[1].speed, 0.25, 1e-7);
}

TEST(SlipPeaks, FindNoneInAMotionThatNeverRests) {
  EXPECT_TRUE(slip_peaks(std::vector{0.0, 1.0, 2.0}, std::vector{1.0, 2.0, 1.0}).empty());
  EXPECT_TRUE(slip_peaks({}, {}).empty());
}

// Velocity 1 + cos, force lagging by an angle behind a curve that falls or rises with the speed.
double lag_of(double slope, double angle, double way = 1.0) {
  std::vector<double> velocity, force;
  for (int i = 0; i < 400; ++i) {
    const double p = 2.0 * std::numbers::pi * i / 400.0;
    velocity.push_back(way * (2.0 + std::cos(p)));
    force.push_back(way * (5.0 + slope * std::cos(p - angle)));
  }
  return lag_fraction(velocity, force);
}

TEST(LagFraction, IsPositiveWhereADelayedForceFallsWithTheSpeed) {
  // An ellipse inscribed in its rectangle: the area is pi / 4 sin(angle) of it.
  EXPECT_NEAR(lag_of(-1.0, 0.3), std::numbers::pi / 4.0 * std::sin(0.3), 1e-3);
  EXPECT_NEAR(lag_of(1.0, 0.3), -std::numbers::pi / 4.0 * std::sin(0.3), 1e-3);
  EXPECT_NEAR(lag_of(-1.0, 0.0), 0.0, 1e-12);
}

TEST(LagFraction, IsTheSameInBothDirections) {
  EXPECT_DOUBLE_EQ(lag_of(-1.0, 0.3, -1.0), lag_of(-1.0, 0.3));
}

TEST(LagFraction, IsNotDefinedForAMotionThatTurnsBack) {
  EXPECT_TRUE(std::isnan(lag_fraction(std::vector{1.0, -1.0, 1.0}, std::vector{1.0, 2.0, 3.0})));
  EXPECT_TRUE(std::isnan(lag_fraction(std::vector{1.0, 1.0, 1.0}, std::vector{1.0, 2.0, 3.0})));
}

TEST(MeanCurve, IsInterpolatedBetweenItsBins) {
  const MeanCurve curve{{0.1, 0.2, 0.4}, {1.0, 2.0, 6.0}};
  EXPECT_DOUBLE_EQ(curve.at(0.1), 1.0);
  EXPECT_DOUBLE_EQ(curve.at(0.15), 1.5);
  EXPECT_DOUBLE_EQ(curve.at(0.4), 6.0);
  EXPECT_TRUE(std::isnan(curve.at(0.05)));
  EXPECT_TRUE(std::isnan(curve.at(0.41)));
  EXPECT_TRUE(std::isnan(MeanCurve{}.at(0.1)));
}

}  // namespace
}  // namespace bristle::sliding_test
