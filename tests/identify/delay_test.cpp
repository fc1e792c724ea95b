// SPDX-License-Identifier: MIT
// The delay of a force sensor, and records without a time.
#include "bristle/identify/delay.hpp"

#include <gtest/gtest.h>

#include "bristle/model/dahl.hpp"
#include "bristle/model/lugre.hpp"
#include "identify/simulated.hpp"

namespace bristle::delay_test {
namespace {

const Dahl<> dahl{.stiffness = 1e4, .coulomb_force = 1.0};

// Position and force of a Dahl law; the force belongs to the motion `delay` earlier.
Record lagging(double delay, double noise = 0.0, unsigned seed = 1) {
  constexpr double step = 2e-3, fine = 1e-4;
  const auto place = [](double t) { return 1e-3 * std::sin(7.0 * t) + 2e-4 * std::sin(31.0 * t); };
  Record r{.name = "lagging"};
  double z = 0.0, t = -1.0;
  for (int i = 0; i < 1500; ++i) {
    const double now = i * step;
    // The law in steps of its own, up to the instant the sensor shows.
    while (t + fine <= now - delay) {
      const double v = (place(t + fine) - place(t)) / fine;
      z = advance(dahl, z, Motion<double>{0.0, v, 1.0, t}, fine);
      t += fine;
    }
    const double v = (place(t) - place(t - fine)) / fine;
    r.time.push_back(now), r.position.push_back(place(now));
    r.force.push_back(force(dahl, z, Motion<double>{0.0, v, 1.0, t}));
  }
  return noise > 0.0 ? test::noisy(r, noise, seed) : r;
}

DelayOptions quick() {
  DelayOptions o;
  o.fit.starts = 32, o.fit.refined = 4;
  return o;
}

TEST(Delay, IsFoundWithinAFewHundredthsOfAStep) {
  for (const double delay : {0.0, 0.0134, -0.006}) {
    const DelayEstimate d = estimate_delay("dahl", {lagging(delay)}, quick());
    EXPECT_NEAR(d.delay, delay, 1.5e-4) << delay;
    EXPECT_FALSE(d.at_limit);
    if (delay != 0.0) {
      EXPECT_LT(d.with, 0.1 * d.without) << delay;
    }
  }
}

TEST(Delay, HasAnIntervalThatHoldsTheTruth) {
  // Of 20 intervals of 95 % fewer than 16 hold it in 3 of 1000 cases.
  int inside = 0;
  for (unsigned k = 0; k < 20; ++k) {
    const DelayEstimate d = estimate_delay("dahl", {lagging(0.005, 0.02, 100 + k)}, quick());
    inside += d.lower <= 0.005 && d.upper >= 0.005;
    EXPECT_TRUE(d.seen()) << k;
    EXPECT_LT(d.upper - d.lower, 1e-3) << k;
  }
  EXPECT_GE(inside, 16);
}

// White noise of a position.
Record shaken(Record r, double noise, unsigned seed) {
  Record deviates{.force = std::vector<double>(r.position.size(), 0.0)};
  deviates = test::noisy(deviates, noise, seed);
  for (std::size_t i = 0; i < r.position.size(); ++i) r.position[i] += deviates.force[i];
  return r;
}

TEST(Delay, IsNotDrawnBetweenSamplesByNoiseOfThePosition) {
  for (const double delay : {0.006, -0.004, 0.0}) {
    const Record r = shaken(lagging(delay, 0.01, 3), 2e-6, 5);
    const DelayEstimate d = estimate_delay("dahl", {r}, quick());
    EXPECT_NEAR(d.delay, delay, 2e-4) << delay;
  }
}

TEST(Delay, IsFoundBesideOtherColumns) {
  Record r = lagging(0.006, 0.01, 3);
  r.others.assign(1, r.time);
  EXPECT_NEAR(estimate_delay("dahl", {r}, quick()).delay, 0.006, 2e-4);
}

TEST(Delay, LongerThanTheRecordIsRefused) {
  DelayOptions o = quick();
  o.longest = 1.6;
  try {
    estimate_delay("dahl", {lagging(0.0)}, o);
    FAIL() << "a delay of half the record was tried";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("must be less than 1.489 s"), std::string::npos)
        << error.what();
  }
}

TEST(Delayed, ANoisyPositionKeepsItsNoise) {
  const Record r = shaken(lagging(0.0), 2e-6, 5);
  const Record d = delayed(r, 0.0071);
  ASSERT_EQ(d.position.size(), d.force.size());
  // By four steps, and the force by what is left of it.
  for (std::size_t i = 10; i < 20; ++i) {
    const auto at = std::size_t(std::lround(d.time[i] / 2e-3));
    EXPECT_NEAR(d.position[i], r.position[at - 4], 1e-12);
    EXPECT_NEAR(d.force[i], r.force[at] - 0.45 * (r.force[at] - r.force[at - 1]), 0.02);
  }
}

TEST(Delay, BeyondTheLongestTriedIsReported) {
  DelayOptions o = quick();
  o.longest = 0.01;
  EXPECT_TRUE(estimate_delay("dahl", {lagging(0.03)}, o).at_limit);
}

TEST(Delayed, MotionIsInterpolatedByCubics) {
  Record r{.name = "cubic"};
  for (int i = 0; i < 40; ++i) {
    const double t = 0.1 * i + 0.01 * (i % 3);
    r.time.push_back(t), r.position.push_back(t * t * t), r.force.push_back(i);
  }
  const Record d = delayed(r, 0.137);
  // The first samples have no motion that early.
  ASSERT_EQ(d.time.size(), r.time.size() - 2);
  for (std::size_t i = 2; i + 3 < d.time.size(); ++i) {
    const double t = d.time[i] - 0.137;
    EXPECT_NEAR(d.position[i], t * t * t, 1e-12 * 64.0);
    EXPECT_EQ(d.force[i], r.force[i + 2]);
  }
  EXPECT_EQ(delayed(r, 0.0).position, r.position);
  EXPECT_THROW(delayed(r, 3.5), InvalidInput);
}

TEST(WithoutTime, ARateIndependentLawIsFittedAsWithIt) {
  Record r = lagging(0.0, 0.01);
  const FitOptions o{.starts = 32};
  const FitSummary with = fit("dahl", {prepare(r)}, o);
  r.time.clear();
  const FitSummary without = fit("dahl", {prepare(r)}, o);
  for (const char* name : {"stiffness", "coulomb_force"})
    EXPECT_NEAR(without.of(name), with.of(name), 1e-3 * with.of(name)) << name;
}

TEST(WithoutTime, ALawThatDependsOnTheRateIsRefused) {
  Record r = lagging(0.0);
  r.time.clear();
  const auto said = [&](const char* law, const FitOptions& o = {}) -> std::string {
    try {
      fit(law, {prepare(r)}, o);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(said("lugre").find("depends on the rate of the motion"), std::string::npos);
  EXPECT_NE(said("stribeck").find("there is no column of time"), std::string::npos);
  // Without a position there is nothing to count.
  r.position.clear(), r.velocity.assign(r.force.size(), 1.0);
  EXPECT_NE(said("dahl").find("or one of position"), std::string::npos);
}

TEST(Differentiator, ByCentralDifferencesIsExactForParabolas) {
  Record r{.name = "parabola"};
  for (int i = 0; i < 50; ++i) {
    const double t = 0.1 * i;
    r.time.push_back(t), r.position.push_back(t * t), r.force.push_back(t);
  }
  const Track run = prepare(r, {.differentiator = Differentiator::central, .smooth = false});
  for (std::size_t i = 1; i + 1 < run.samples.size(); ++i)
    EXPECT_NEAR(run.samples[i].velocity, 2.0 * r.time[i], 1e-11);
  // One sample that is off moves its two neighbours and no others.
  r.position[25] += 1.0;
  const Track off = prepare(r, {.differentiator = Differentiator::central, .smooth = false});
  for (std::size_t i = 1; i + 1 < off.samples.size(); ++i)
    EXPECT_NEAR(off.samples[i].velocity - run.samples[i].velocity,
                i == 24   ? 5.0
                : i == 26 ? -5.0
                          : 0.0,
                1e-10)
        << i;
}

}  // namespace
}  // namespace bristle::delay_test
