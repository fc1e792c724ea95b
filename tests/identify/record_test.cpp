// SPDX-License-Identifier: MIT
#include "bristle/identify/record.hpp"

#include <cmath>

#include "close.hpp"

namespace bristle::record_test {
namespace {

using test::close;

// Uneven times: every third step is twice as long.
std::vector<double> uneven(int n, double step) {
  std::vector<double> t{0.0};
  for (int i = 1; i < n; ++i) t.push_back(t.back() + (i % 3 == 0 ? 2.0 : 1.0) * step);
  return t;
}

Record plain(int n = 200) {
  Record r{.name = "plain", .time = uneven(n, 0.01)};
  for (const double t : r.time) {
    r.position.push_back(std::sin(t));
    r.force.push_back(std::cos(t));
  }
  return r;
}

std::string complaint(const Record& r, const PrepareOptions& o = {}) {
  try {
    prepare(r, o);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Differentiator, IsExactForParabolasAtUnevenTimes) {
  const auto t = uneven(60, 0.01);
  std::vector<double> x, smooth;
  for (const double s : t) x.push_back(2.0 - 3.0 * s + 5.0 * s * s);
  const auto v = smooth_slope(t, x, 0.06, &smooth);
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(v[i], -3.0 + 10.0 * t[i], 1e-10) << i;
    EXPECT_NEAR(smooth[i], x[i], 1e-12) << i;
  }
}

TEST(Differentiator, PassesTheSquareRootOfAHalfAtItsBandwidth) {
  const double bandwidth = 3.0, window = smoothing_window(bandwidth);
  EXPECT_TRUE(close(smoothing_bandwidth(window), bandwidth, 1e-14));
  std::vector<double> t, x;
  for (int i = 0; i < 4000; ++i) {
    t.push_back(1e-3 * i);
    x.push_back(std::sin(2.0 * M_PI * bandwidth * t.back()));
  }
  const auto v = smooth_slope(t, x, window);
  // At an upward zero in the middle, where the slope is largest.
  EXPECT_TRUE(close(v[2000], std::sqrt(0.5) * 2.0 * M_PI * bandwidth, 1e-4));
}

TEST(Differentiator, BridgesGapsByALine) {
  const std::vector<double> t{0.0, 0.01, 0.02, 1.0, 2.0, 2.01}, x{0.0, 0.01, 0.02, 1.0, 2.0, 2.01};
  for (const double v : smooth_slope(t, x, 0.015)) EXPECT_NEAR(v, 1.0, 1e-12);
}

TEST(Preparation, TakesTheMeanVelocityOfAStepFromTheDisplacement) {
  const Record r = plain();
  const auto run = prepare(r);
  for (std::size_t i = 1; i < run.samples.size(); ++i) {
    const Sample& s = run.samples[i];
    EXPECT_TRUE(close(s.middle_velocity * s.step, r.position[i] - r.position[i - 1], 1e-12));
  }
  EXPECT_GT(run.window, 0.0);
  EXPECT_NEAR(run.samples[100].velocity, std::cos(r.time[100]), 1e-3);
}

// A sine of 17 Hz at 1 kHz, with noise.
Record shaken(double noise) {
  Record r{.name = "shaken"};
  for (int i = 0; i < 1000; ++i) {
    const double t = 1e-3 * i, w = 2.0 * M_PI * 17.0;
    r.time.push_back(t);
    r.position.push_back(std::sin(w * t) / w + noise * std::sin(1e4 * std::sin(1e3 * i)));
    r.force.push_back(std::cos(w * t));
  }
  return r;
}

TEST(Preparation, DoesNotSmoothTheSlopeOfAPositionWithoutNoise) {
  const auto worst = [](const Track& run) {
    double error = 0.0;
    for (const Sample& s : run.samples) error = std::max(error, std::abs(s.velocity - s.force));
    return error;
  };
  const Track clean = prepare(shaken(0.0)), noisy = prepare(shaken(1e-6));
  EXPECT_TRUE(clean.exact);
  // A parabola is off by 1e-2; this holds at both ends too.
  EXPECT_LT(worst(clean), 5e-5);
  EXPECT_FALSE(noisy.exact);
  EXPECT_GT(worst(noisy), 5e-3);
  EXPECT_FALSE(prepare(shaken(0.0), {.bandwidth = 40.0}).exact);
  EXPECT_FALSE(prepare(shaken(0.0), {.differentiator = Differentiator::central}).exact);
}

TEST(Preparation, TakesStepsAroundReversalsInPartsIfThereIsNoNoise) {
  Record r{.name = "sine"};
  for (int i = 0; i < 400; ++i) {
    const double t = 0.01 * i;
    r.time.push_back(t), r.position.push_back(std::sin(3.0 * t)),
        r.force.push_back(std::cos(3.0 * t));
  }
  const Track run = prepare(r);
  ASSERT_TRUE(run.exact);
  for (std::size_t i = 5; i + 5 < run.samples.size(); ++i) {
    const double v = run.samples[i].velocity, before = run.samples[i - 1].velocity;
    const bool uneven = std::abs(v - before) > 0.1 * std::max(std::abs(v), std::abs(before));
    EXPECT_EQ(run.samples[i].steps > 1, uneven) << run.samples[i].time;
  }
}

TEST(Preparation, TakesAStaircaseForNoise) {
  Record steps = shaken(0.0);
  for (double& x : steps.position) x = 1e-4 * std::round(x / 1e-4);
  EXPECT_FALSE(prepare(steps).exact);
}

TEST(Preparation, IntegratesAVelocityWithoutPosition) {
  Record r = plain();
  r.velocity = r.force;
  r.position.clear();
  const auto run = prepare(r);
  EXPECT_EQ(run.window, 0.0);
  EXPECT_TRUE(close(run.samples[7].middle_velocity, 0.5 * (r.velocity[6] + r.velocity[7]), 1e-12));
}

TEST(Preparation, SaysWhatIsWrongWithTheData) {
  Record r = plain();
  r.time[1] = 0.0;
  EXPECT_EQ(complaint(r), "plain: time = 0 s of sample 2 does not come after 0 s");
  r = plain();
  r.force.assign(r.force.size(), 2.5);
  EXPECT_EQ(complaint(r), "plain: the force is 2.5 N in every sample, there is nothing to fit");
  r = plain();
  r.position.clear();
  EXPECT_EQ(complaint(r), "plain: a column of velocity or of position is needed");
  r = plain(5);
  EXPECT_EQ(complaint(r), "plain: there are 5 samples, a fit needs at least 10");
  r = plain(1);
  EXPECT_EQ(complaint(r), "plain: there is 1 sample, a fit needs at least 10");
  r = plain();
  r.position.pop_back();
  EXPECT_EQ(complaint(r), "plain: position has 199 values where force has 200");
  r = plain();
  r.time.clear(), r.velocity = r.position, r.position.clear();
  EXPECT_EQ(complaint(r),
            "plain: a column of time is needed, or one of position for a law that is "
            "rate-independent");
  r = plain();
  r.force[3] = std::nan("");
  EXPECT_EQ(complaint(r), "plain: force of sample 4 is not a finite number");
  r = plain();
  r.velocity.assign(r.force.size(), 0.1);
  EXPECT_EQ(complaint(r).substr(0, 54), "plain: the velocity is 0.1 m/s in every sample: that i");
  EXPECT_EQ(complaint(r, {.steady = true}), "");
}

TEST(Scales, FollowTheData) {
  Record r = plain(2000);
  r.load.assign(r.force.size(), 5.0);
  const DataScales s = scales_of({prepare(r)});
  EXPECT_NEAR(s.force, 1.0, 0.01);
  EXPECT_NEAR(s.longest, 2.0, 0.01);
  EXPECT_NEAR(s.fastest, 1.0, 0.01);
  EXPECT_EQ(s.load, 5.0);
  EXPECT_LT(s.load_spread, 1e-6);
  EXPECT_EQ(s.reversals, 8);  // 26.6 s of a sine of 6.28 s
}

}  // namespace
}  // namespace bristle::record_test
