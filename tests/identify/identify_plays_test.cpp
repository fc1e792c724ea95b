// SPDX-License-Identifier: MIT
#include "bristle/identify/identify_plays.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/model/play_sum.hpp"

namespace bristle::identify_plays_test {
namespace {

struct Loop {
  std::vector<double> input, output;
};

// One period of a model of Table 5.1, once its plays have settled.
Loop made() {
  PlaySum model(
      exponential_plays(11.9609, 4.6403, -0.1909, 1.1386, 3, {4.0904, 0.7774, -0.0666, -0.2686}));
  Loop loop;
  constexpr int n = 400;
  for (int i = 0; i < 2 * n; ++i) {
    const double u = 3.0 * std::sin(2.0 * std::numbers::pi * i / n), y = model.update(u);
    if (i >= n) loop.input.push_back(u), loop.output.push_back(y);
  }
  return loop;
}

TEST(IdentifyPlays, FindsTheNumbersThatMadeTheLoop) {
  const Loop loop = made();
  const IdentifiedPlays found =
      identify_plays(loop.input, loop.output, {.plays = 3, .scale = 4.0904});
  EXPECT_TRUE(found.converged) << found.message;
  EXPECT_NEAR(found.q, 11.9609, 1e-3);
  EXPECT_NEAR(found.rho, 4.6403, 1e-3);
  EXPECT_NEAR(found.tau, -0.1909, 1e-3);
  EXPECT_NEAR(found.beta, 1.1386, 1e-4);
  EXPECT_NEAR(found.model.envelope.rate, 0.7774, 1e-4);
  EXPECT_NEAR(found.model.envelope.shift, -0.0666, 1e-3);
  EXPECT_NEAR(found.model.envelope.level, -0.2686, 2e-3);
  EXPECT_LT(found.error, 1e-5);
  // The model it returns is the one that was fitted.
  const auto again = found.follow(loop.input);
  for (std::size_t k = 0; k < again.size(); ++k) EXPECT_NEAR(again[k], found.output[k], 1e-9);
}

TEST(IdentifyPlays, TheScaleChangesTheNumbersButNotTheFit) {
  const Loop loop = made();
  const auto one = identify_plays(loop.input, loop.output, {.scale = 1.0, .noise = 0.01}),
             other = identify_plays(loop.input, loop.output, {.scale = 5.0, .noise = 0.01});
  EXPECT_DOUBLE_EQ(one.cost, other.cost);
  EXPECT_NEAR(one.q, 5.0 * other.q, 1e-9 * one.q);
  EXPECT_NEAR(one.tau, 5.0 * other.tau, 1e-9);
  EXPECT_NEAR(other.beta, 5.0 * one.beta, 1e-9);
  const auto a = one.follow(loop.input), b = other.follow(loop.input);
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-9);
  EXPECT_NEAR(one.error, 0.01, 0.001);  // what is left is the noise
}

TEST(IdentifyPlays, RefusesWhatIsNoLoop) {
  const std::vector<double> ramp{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, flat(10, 1.0);
  EXPECT_THROW(identify_plays(ramp, std::vector<double>(9, 0.0)), InvalidInput);
  EXPECT_THROW(identify_plays(ramp, flat), InvalidInput);
  auto bad = ramp;
  bad[3] = NAN;
  EXPECT_THROW(identify_plays(ramp, bad), InvalidInput);
  EXPECT_THROW(identify_plays(ramp, ramp, {.plays = 0}), InvalidInput);
}

}  // namespace
}  // namespace bristle::identify_plays_test
