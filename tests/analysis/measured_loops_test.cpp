// SPDX-License-Identifier: MIT
// Loops out of measured records, and operators fitted to them.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>
#include <sstream>

#include "bristle/analysis/fit_plays.hpp"
#include "bristle/analysis/fit_relays.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/analysis/split_loops.hpp"
#include "close.hpp"

namespace bristle::measured_loops_test {
namespace {

using test::Random;

std::vector<MeasuredRun> ferrite() {
  std::ifstream in(BRISTLE_DATA "/bh-loops/MnZn_ferrite.csv");
  EXPECT_TRUE(in.good());
  std::map<int, MeasuredRun> runs;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream row(line);
    double loop = 0.0, index = 0.0, field = 0.0, flux = 0.0;
    row >> loop >> index >> field >> flux;
    runs[int(loop)].input.push_back(field);
    runs[int(loop)].output.push_back(flux);
  }
  std::vector<MeasuredRun> all;
  for (auto& [number, run] : runs) all.push_back(std::move(run));
  return all;
}

TEST(FitPlays, FindsTheOperatorThatMadeTheData) {
  PrandtlIshlinskii truth;
  truth.direct = 0.7;
  for (int i = 1; i <= 9; ++i) {
    truth.thresholds.push_back(0.2 * i);
    truth.weights.push_back(i % 3 == 0 ? 0.0 : 0.1 * i);
  }
  MeasuredRun run;
  PlaySum sum(truth);
  for (int k = 0; k <= 1000; ++k) {
    run.input.push_back(2.0 * std::sin(0.05 * k) * (1.0 - 0.0007 * k));
    run.output.push_back(sum.update(run.input.back()));
  }
  run.input.push_back(2.0), run.output.push_back(sum.update(2.0));  // the range of the input
  const PlayFit fit = fit_plays(std::span(&run, 1), {9, false});
  EXPECT_LT(fit.relative, 1e-9);
  EXPECT_NEAR(fit.model.direct, 0.7, 1e-6);
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(fit.model.weights[i], truth.weights[i], 1e-5) << i;
}

TEST(FitRelays, FindsTheWeightsThatMadeTheData) {
  PreisachModel truth;
  truth.levels.clear();
  truth.weights.clear();
  truth.start = 1;
  for (int i = 0; i < 8; ++i) {
    truth.levels.push_back(-1.0 + 2.0 * i / 7.0);
    for (int j = 0; j < i; ++j) truth.weights.push_back(0.1 + 0.05 * ((3 * i + 5 * j) % 7));
  }
  MeasuredRun run;
  Random random(5);
  for (int k = 0; k < 2000; ++k)
    run.input.push_back(k == 0 ? 0.0 : std::clamp(random.uniform(-1.3, 1.3), -1.0, 1.0));
  run.output = as_system(truth)->follow(run.input);
  const RelayFit fit = fit_relays(std::span(&run, 1), {8, true});
  EXPECT_LT(fit.relative, 1e-8);
  for (std::size_t i = 0; i < truth.weights.size(); ++i)
    EXPECT_NEAR(fit.model.weights[i], truth.weights[i], 1e-5) << i;
}

TEST(FitRelays, FollowsMeasuredFerriteWithMoreLevelsMoreClosely) {
  const auto runs = ferrite();
  const RelayFit coarse = fit_relays(runs, {10}), fine = fit_relays(runs, {30});
  EXPECT_LT(fine.relative, coarse.relative);
  EXPECT_LT(fine.relative, 0.029);
  EXPECT_THROW(fit_relays(runs, {1}), InvalidInput);
}

// A Jiles-Atherton model with published parameters reaches 2.90 % on the same four loops.
TEST(FitPlays, FitsMeasuredFerriteBetterThanAPublishedModelAndIsInverted) {
  const auto runs = ferrite();
  ASSERT_EQ(runs.size(), 4u);
  const PlayFit fit = fit_plays(runs, {20, true});
  EXPECT_LT(fit.relative, 0.0285);
  ASSERT_TRUE(fit.model.invertible());
  for (const auto& run : runs) {
    PlaySum forward(fit.model);
    PlaySum back(fit.model.inverse(), forward.output(), fit.model.inverse_states(forward.states()));
    for (const double field : run.input)
      ASSERT_NEAR(fit.model.envelope.inverse(back.update(forward.update(field))), field, 1e-10);
  }
}

TEST(FitPlays, NamesTheRowThatIsNoNumber) {
  MeasuredRun run{{0.0, 1.0, NAN}, {0.0, 1.0, 2.0}};
  try {
    fit_plays(std::span(&run, 1));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("run 1, row 3"), std::string::npos) << error.what();
  }
  run = {{0.0, 0.0}, {1.0, 1.0}};
  EXPECT_THROW(fit_plays(std::span(&run, 1)), InvalidInput);
  run = {{0.0}, {}};
  EXPECT_THROW(fit_plays(std::span(&run, 1)), InvalidInput);
}

// Five periods of an ellipse with noise, a plateau, a glitch and a slow drift.
TEST(SplitLoops, CutsANoisyRecordIntoItsPeriods) {
  Random random(41);
  std::vector<double> x, y;
  for (int k = 0; k < 5000; ++k) {
    const double phase = 2.0 * std::numbers::pi * k / 1000.0 - 0.7;
    x.push_back(std::sin(phase) + random.uniform(-0.03, 0.03));
    y.push_back(0.5 * std::cos(phase) + 1e-5 * k + random.uniform(-0.01, 0.01));
    if (k % 1000 == 300)
      for (int hold = 0; hold < 40; ++hold) x.push_back(x.back()), y.push_back(y.back());
    if (k == 2500) x.push_back(-x.back()), y.push_back(0.0);
  }
  const auto loops = split_loops(x, y);
  ASSERT_EQ(loops.size(), 4u);
  for (const Stretch& s : loops) {
    const auto part = [&](const std::vector<double>& c) {
      return std::span(c).subspan(s.first, s.end - s.first);
    };
    EXPECT_NEAR(std::abs(polygon_loop(part(x), part(y)).area), 0.5 * std::numbers::pi, 0.15);
    EXPECT_LT(s.closing_error, 0.1);
  }
}

TEST(SplitLoops, FindsTheSmallCyclesOfAGrowingRecordAndNamesTheRowsItLeavesOut) {
  // Six cycles of 40 samples, the first a twelfth of the last, from rest and half a cycle beyond.
  std::vector<double> x, y;
  for (int k = 0; k <= 260; ++k) {
    const double amplitude = std::pow(2.0, std::min(5, k / 40)) / 32.0 + 0.05;
    x.push_back(amplitude * std::sin(2.0 * std::numbers::pi * k / 40.0));
    y.push_back(amplitude * std::cos(2.0 * std::numbers::pi * k / 40.0));
  }
  const auto loops = split_loops(x, y);
  EXPECT_GE(loops.size(), 4u);
  EXPECT_LE(loops.front().first, 60u);
  const auto out = rows_left_out(x, loops);
  std::size_t in = 0, left = 0;
  std::vector<bool> inside(x.size(), false);
  for (const Stretch& s : loops)
    for (std::size_t i = s.first; i < s.end; ++i) inside[i] = true;
  for (const bool is : inside) in += is;
  for (const LeftOut& l : out) {
    left += l.end - l.first;
    EXPECT_EQ(l.why, "no whole cycle there");
    for (std::size_t i = l.first; i < l.end; ++i) EXPECT_FALSE(inside[i]);
  }
  EXPECT_EQ(in + left, x.size());
}

TEST(SplitLoops, MeasuresHowALoopClosesBetweenItsSamples) {
  // 997 samples per period that hit no phase twice: the loop closes, its samples do not meet.
  std::vector<double> x, y;
  for (int k = 0; k < 3100; ++k) {
    x.push_back(std::sin(2.0 * std::numbers::pi * k / 996.7 - 0.3));
    y.push_back(std::cos(2.0 * std::numbers::pi * k / 996.7 - 0.3));
  }
  for (const Stretch& s : split_loops(x, y)) EXPECT_LT(s.closing_error, 1e-5);
  // One period without a repeated sample at its end.
  x.resize(997), y.resize(997);
  EXPECT_LT(closing_error(x, y), 1e-6);
  // A loop that drifts by a tenth of its height says so.
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += 0.2 * double(i) / double(x.size());
  EXPECT_NEAR(closing_error(x, y), 0.1, 0.01);
}

TEST(SplitLoops, LeavesASingleLoopAlone) {
  std::vector<double> x, y;
  for (int k = 0; k <= 100; ++k) {
    x.push_back(std::cos(0.02 * std::numbers::pi * k));
    y.push_back(std::sin(0.02 * std::numbers::pi * k));
  }
  const auto loops = split_loops(x, y);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_LT(loops[0].closing_error, 1e-12);
  EXPECT_TRUE(split_loops({}, {}).empty());
}

}  // namespace
}  // namespace bristle::measured_loops_test
