// SPDX-License-Identifier: MIT
// The noise of a position, and the motion without it.
#include "bristle/identify/smooth_motion.hpp"

#include <gtest/gtest.h>

#include "identify/noisy_motion.hpp"

namespace bristle::smooth_motion_test {
namespace {

using test::Measuring;
using test::noisy_motions;

// Time and position, with noise, every second step longer by a part of it.
Record positions(const test::NamedMotion& motion, const Measuring& m, unsigned seed,
                 double uneven = 0.0) {
  Record r{.name = motion.name};
  for (int i = 0; i < int(m.duration / m.step); ++i) {
    const double t = (i + (i % 2) * uneven) * m.step;
    r.time.push_back(t), r.position.push_back(motion.position(t));
  }
  return test::measured(r, m, seed);
}

double distance(const std::vector<double>& x, const Record& r, const test::NamedMotion& motion) {
  double squares = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    squares += std::pow(x[i] - motion.position(r.time[i]), 2);
  return std::sqrt(squares / double(x.size()));
}

// The median of 1200 differences has a standard deviation of 3 %, that of more is smaller; the
// corners of strokes add some at the longest step.
TEST(PositionNoise, IsFoundWithinAFifth) {
  for (const auto& motion : noisy_motions())
    for (const double step : {2e-4, 1e-3, 5e-3})
      for (const double noise : {1e-7, 1e-6})
        for (const double uneven : {0.0, 0.2}) {
          const Record r = positions(motion, {.step = step, .position_noise = noise}, 7, uneven);
          EXPECT_NEAR(position_noise(r.time, r.position), noise, 0.2 * noise)
              << motion.name << " " << step << " " << uneven;
        }
}

TEST(PositionNoise, IsNotFoundInDataWithoutNoise) {
  for (const auto& motion : noisy_motions())
    for (const double step : {2e-4, 1e-3, 5e-3}) {
      const Record r = positions(motion, {.step = step}, 7);
      EXPECT_EQ(position_noise(r.time, r.position), 0.0) << motion.name << " " << step;
    }
}

TEST(PositionNoise, IsNotJudgedByAFewSamples) {
  const Record r = positions(noisy_motions()[0], {.duration = 0.09, .position_noise = 1e-6}, 7);
  EXPECT_EQ(position_noise(r.time, r.position), 0.0);
}

TEST(SmoothMotion, IsNearerToTheMotionThanTheMeasuredOne) {
  for (const auto& motion : noisy_motions())
    for (const double step : {2e-4, 1e-3})
      for (const double noise : {1e-7, 1e-6})
        for (const double uneven : {0.0, 0.2}) {
          const Measuring m{.duration = 2.0, .step = step, .position_noise = noise};
          const Record r = positions(motion, m, 3, uneven);
          const auto smooth = smooth_motion(r.time, r.position, noise);
          EXPECT_LT(distance(smooth.position, r, motion), 0.6 * noise)
              << motion.name << " " << step << " " << uneven;
          EXPECT_GT(smooth.bandwidth, 0.0);
        }
}

TEST(SmoothMotion, HasTheSlopeOfItsPositionForVelocity) {
  const auto motion = noisy_motions()[0];
  const Record r = positions(motion, {.position_noise = 1e-6}, 3);
  const auto smooth = smooth_motion(r.time, r.position, 1e-6);
  double way = smooth.position.front(), worst = 0.0;
  for (std::size_t i = 1; i < r.time.size(); ++i) {
    way += 0.5 * (smooth.velocity[i] + smooth.velocity[i - 1]) * (r.time[i] - r.time[i - 1]);
    worst = std::max(worst, std::abs(way - smooth.position[i]));
  }
  EXPECT_LT(worst, 1e-7);
}

TEST(SmoothMotion, HoldsRestToTheLastDigit) {
  const auto motion = noisy_motions()[3];
  const Record r = positions(motion, {.position_noise = 1e-6}, 3);
  const auto smooth = smooth_motion(r.time, r.position, 1e-6);
  long rest = 0, held = 0, wrong = 0;
  for (std::size_t i = 1; i < r.time.size(); ++i) {
    const bool moves = motion.position(r.time[i]) != motion.position(r.time[i - 1]);
    const bool held_here = smooth.position[i] == smooth.position[i - 1];
    rest += !moves, held += !moves && held_here, wrong += moves && held_here;
  }
  EXPECT_GT(double(held), 0.95 * double(rest));
  EXPECT_LT(double(wrong), 0.03 * double(rest));
  EXPECT_NEAR(smooth.rest, double(rest) / double(r.time.size()), 0.02);
}

TEST(SmoothMotion, FindsNoRestInMotionThatOnlyTurns) {
  for (int k = 0; k < 3; ++k) {
    const Record r = positions(noisy_motions()[std::size_t(k)], {.position_noise = 1e-6}, 3);
    EXPECT_LT(smooth_motion(r.time, r.position, 1e-6).rest, 0.003) << k;
  }
}

// In the middle of the record, away from its ends.
TEST(SmoothMotion, PassesTheSquareRootOfAHalfAtTheBandwidthAskedFor) {
  const double bandwidth = 20.0, turn = 2.0 * std::numbers::pi;
  for (const double frequency : {2.0, 20.0}) {
    std::vector<double> t, x;
    for (int i = 0; i < 2000; ++i)
      t.push_back(1e-3 * i), x.push_back(1e-3 * std::sin(turn * frequency * t.back()));
    const auto smooth = smooth_motion(t, x, 0.0, bandwidth);
    double most = 0.0;
    for (std::size_t i = 500; i < 1500; ++i) most = std::max(most, std::abs(smooth.position[i]));
    EXPECT_NEAR(most / 1e-3, frequency == bandwidth ? std::sqrt(0.5) : 1.0, 0.005);
    EXPECT_EQ(smooth.bandwidth, bandwidth);
  }
}

TEST(SmoothMotion, RefusesABandwidthAtWhichRoundingAloneDecides) {
  std::vector<double> t, x;
  for (int i = 0; i < 2000; ++i) t.push_back(1e-3 * i), x.push_back(std::sin(t.back()));
  for (const double bandwidth : {5e-324, 1e-9, 0.03})
    EXPECT_THROW(smooth_motion(t, x, 0.0, bandwidth), InvalidInput) << bandwidth;
  // The least that is allowed passes what is slower.
  const auto smooth = smooth_motion(t, x, 0.0, 0.1);
  for (const double one : smooth.position) EXPECT_TRUE(std::isfinite(one));
}

TEST(SmoothMotion, IsFollowedByDisplacementAndVelocityAlike) {
  Record r = positions(noisy_motions()[0], {.position_noise = 1e-6}, 3);
  r.force = r.position;
  Track run = prepare(r);
  EXPECT_NEAR(run.filter.noise, 1e-6, 1e-7);
  EXPECT_GT(run.filter.bandwidth, 10.0);
  EXPECT_FALSE(run.filter.asked);
  follow(run, run.filter.bandwidth);
  const auto smooth = smooth_motion(r.time, r.position, run.filter.noise, run.filter.bandwidth);
  for (std::size_t i = 97; i < r.time.size(); i += 97) {
    const Sample& s = run.samples[i];
    EXPECT_EQ(s.position, smooth.position[i]);
    EXPECT_EQ(s.velocity, smooth.velocity[i]);
    EXPECT_EQ(s.middle_velocity, (s.position - smooth.position[i - 1]) / s.step);
  }
  // A bandwidth that is given acts on the displacement as well.
  const Track narrow = prepare(r, {.bandwidth = 5.0});
  EXPECT_EQ(narrow.filter.bandwidth, 5.0);
  EXPECT_TRUE(narrow.filter.asked && narrow.filter.used);
  EXPECT_NE(narrow.samples[500].position, run.samples[500].position);
}

// To the last digit; without noise a step over a corner of the velocity is taken in parts.
TEST(SmoothMotion, LeavesThePositionAsMeasuredUntilItIsFollowed) {
  for (const double noise : {0.0, 1e-6}) {
    Record r = positions(noisy_motions()[0], {.position_noise = noise}, 3);
    r.force = r.position;
    const Track run = prepare(r), raw = prepare(r, {.smooth = false});
    EXPECT_EQ(run.filter.bandwidth > 0.0, noise > 0.0);
    EXPECT_EQ(raw.filter.bandwidth, 0.0);
    Track back = prepare(r, {.bandwidth = 5.0});
    follow(back, 0.0);
    const auto slope = smooth_slope(r.time, r.position, smoothing_window(5.0));
    for (std::size_t i = 97; i < r.time.size(); i += 97) {
      const Sample& s = run.samples[i];
      EXPECT_EQ(s.position, r.position[i]);
      EXPECT_EQ(s.velocity, raw.samples[i].velocity);
      EXPECT_EQ(s.middle_velocity, (r.position[i] - r.position[i - 1]) / s.step);
      if (noise > 0.0 || s.steps > 0) EXPECT_EQ(s.steps, noise > 0.0 ? 0 : 6);
      EXPECT_EQ(back.samples[i].middle_velocity, s.middle_velocity);
      EXPECT_EQ(back.samples[i].velocity, slope[i]);
    }
  }
}

// Where the position is what is fitted, its noise is that of the residuals.
TEST(SmoothMotion, HasNoPartInFitsOfMotion) {
  Record r = positions(noisy_motions()[0], {.position_noise = 1e-6}, 3);
  r.input_time = r.time, r.input = r.position;
  const Track run = prepare(r, {.motion = true});
  for (std::size_t i = 0; i < r.time.size(); i += 97)
    EXPECT_EQ(run.samples[i].position, r.position[i]);
}

}  // namespace
}  // namespace bristle::smooth_motion_test
