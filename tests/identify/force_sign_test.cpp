// SPDX-License-Identifier: MIT
#include "bristle/identify/force_sign.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace bristle::force_sign_test {
namespace {

// A sine of position with the force of position and velocity.
std::vector<Track> strokes(const std::function<double(double, double)>& force,
                           double forward_only = 0.0) {
  Track run{"run"};
  for (int i = 0; i < 2000; ++i) {
    const double t = 1e-3 * i, x = std::sin(20.0 * t), v = 20.0 * std::cos(20.0 * t) + forward_only;
    run.samples.push_back({.position = x, .velocity = v, .time = t, .force = force(x, v)});
  }
  return {run};
}

double sign_of(double v) { return v > 0.0 ? 1.0 : -1.0; }

TEST(ForceSign, IsRightWhereTheForceGoesWithTheVelocity) {
  const ForceSign s = force_sign(strokes([](double, double v) { return sign_of(v); }));
  EXPECT_GT(s.samples, 1000);
  EXPECT_EQ(s.opposing, 0.0);
  EXPECT_FALSE(s.reversed());
}

TEST(ForceSign, IsReversedWhereTheForceOpposesTheVelocity) {
  EXPECT_TRUE(force_sign(strokes([](double, double v) { return -sign_of(v); })).reversed());
  // In one direction only.
  EXPECT_TRUE(force_sign(strokes([](double, double v) { return -sign_of(v); }, 30.0)).reversed());
}

TEST(ForceSign, TakesOutAConstantBesideTheForce) {
  EXPECT_FALSE(force_sign(strokes([](double, double v) { return 50.0 + sign_of(v); })).reversed());
  EXPECT_TRUE(force_sign(strokes([](double, double v) { return 50.0 - sign_of(v); })).reversed());
}

TEST(ForceSign, AcceptsElasticForces) {
  EXPECT_FALSE(force_sign(strokes([](double x, double) { return 5.0 * x; })).reversed());
  EXPECT_FALSE(force_sign(strokes([](double x, double) { return -5.0 * x; })).reversed());
}

TEST(ForceSign, SaysNothingOfAFewSamples) {
  EXPECT_FALSE(force_sign({}).reversed());
  Track few{"few"};
  for (int i = 0; i < 5; ++i) few.samples.push_back({.velocity = 1.0, .force = -1.0});
  EXPECT_FALSE(force_sign({few}).reversed());
}

}  // namespace
}  // namespace bristle::force_sign_test
