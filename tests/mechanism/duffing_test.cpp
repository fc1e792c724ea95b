// SPDX-License-Identifier: MIT
// Irregular and two-frequency signals.
#include "bristle/mechanism/duffing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/mechanism/signal.hpp"

namespace bristle::duffing_test {
namespace {

TEST(Duffing, MatchesTheReferenceWhileItsMotionCanBeKnown) {
  const DuffingMotion mild({.force = 1000.0}, 1.0);
  EXPECT_NEAR(mild.at(0.5).value, 0.959019308, 1e-7);  // oracle: systems.duffing.q_1000_0_5
  EXPECT_NEAR(mild.at(1.0).value, 0.895680420, 1e-7);  // oracle: systems.duffing.q_1000_1
  const DuffingMotion wild({.force = 5000.0}, 0.5);
  EXPECT_NEAR(wild.at(0.5).value, 1.376023056, 1e-7);  // oracle: systems.duffing.q_5000_0_5
  EXPECT_NEAR(wild.at(0.5).slope, -154.60214, 1e-5);   // oracle: systems.duffing.rate_5000_0_5
}

TEST(Duffing, SolvesItsEquationAtAnyTime) {
  const Duffing d{.force = 5000.0};
  const DuffingMotion motion(d, 1.0);
  for (double t = 0.001; t < 1.0; t += 0.0137) {
    const auto q = motion.at(t);
    const double push = d.force * std::cos(d.frequency * t) - d.damping * q.slope +
                        d.stiffness * q.value * (1.0 - q.value * q.value);
    EXPECT_NEAR(q.curvature, push, 1e-8 * d.stiffness) << t;
  }
}

TEST(Duffing, RefusesAMotionThatNeverEnds) {
  EXPECT_THROW(DuffingMotion(Duffing{}, 1e9), InvalidInput);
  EXPECT_THROW(DuffingMotion(Duffing{}, 0.0), InvalidInput);
  EXPECT_THROW(DuffingMotion(Duffing{.frequency = -1.0}, 1.0), InvalidInput);
}

TEST(TwoSines, HaveTheirCommonPeriodOrNone) {
  Signal s;
  s.shape = Signal::two_sines;
  s.frequency = 2.0;
  s.second_amplitude = 1.0;
  s.second_frequency = 3.0;
  EXPECT_NEAR(s.period(), 2.0 * std::numbers::pi, 1e-14);
  s.second_frequency = 2.0 * std::sqrt(2.0);
  EXPECT_EQ(s.period(), 0.0);
  EXPECT_NEAR(s.beat(), std::numbers::pi, 1e-14);
}

// Slope and curvature of every smooth shape are the derivatives of its value.
TEST(TwoSines, SlopesAndCurvaturesAreDerivatives) {
  Signal s;
  s.amplitude = 0.7;
  s.frequency = 3.0;
  s.second_amplitude = 0.2;
  s.second_frequency = 7.0;
  s.second_phase = 0.4;
  s.duffing_force = 1000.0;
  s.prepare(1.0);
  s.curve = std::make_shared<SampledCurve>(std::vector<double>{0.0, 0.3, 0.8, 1.0},
                                           std::vector<double>{0.0, 0.5, 0.7, 1.5});
  for (const int shape :
       {Signal::sine, Signal::ramp, Signal::samples, Signal::two_sines, Signal::duffing}) {
    s.shape = shape;
    s.prepare(1.0);
    const double h = 1e-6, t = 0.41;
    const int piece = s.piece(t);
    const double size = std::max(1.0, std::abs(s.curvature(t, piece)));
    EXPECT_NEAR(s.slope(t, piece), (s.value(t + h, piece) - s.value(t - h, piece)) / (2.0 * h),
                1e-8 * size);
    EXPECT_NEAR(s.curvature(t, piece), (s.slope(t + h, piece) - s.slope(t - h, piece)) / (2.0 * h),
                1e-6 * size);
  }
}

}  // namespace
}  // namespace bristle::duffing_test
