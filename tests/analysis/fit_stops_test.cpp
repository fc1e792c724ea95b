// SPDX-License-Identifier: MIT
// Clockwise loops, as dampers and structures have them, fitted by stops beside a spring.
#include "bristle/analysis/fit_stops.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/analysis/loop.hpp"
#include "bristle/system/duhem.hpp"
#include "close.hpp"

namespace bristle::fit_stops_test {
namespace {

using test::Random;

// A displacement that swings ever further, `periods` times.
std::vector<double> growing(int periods, int samples, double amplitude, double offset = 0.0) {
  std::vector<double> x;
  for (int k = 0; k <= periods * samples; ++k) {
    const double part = double(k) / (periods * samples);
    x.push_back(offset +
                amplitude * (0.2 + 0.8 * part) * std::sin(2.0 * std::numbers::pi * periods * part));
  }
  return x;
}

MeasuredRun follow(const PrandtlIshlinskii& model, const std::vector<double>& input,
                   std::vector<double> states = {}) {
  MeasuredRun run{input, {}};
  if (states.empty()) states.assign(model.thresholds.size(), input[0]);
  PlaySum sum(model, input[0], states);
  for (const double u : input) run.output.push_back(sum.update(u));
  return run;
}

StopFit fit_one(const MeasuredRun& run, int stops = 20) {
  return fit_stops(std::span(&run, 1), {.stops = stops});
}

double worst_round_trip(const StopFit& fit, const MeasuredRun& run) {
  PlaySum forward(fit.model, run.input[0], fit.starts[0]);
  PlaySum back(fit.model.inverse(), forward.output(), fit.model.inverse_states(forward.states()));
  double worst = 0.0;
  for (const double u : run.input)
    worst = std::max(worst, std::abs(back.update(forward.update(u)) - u));
  return worst;
}

TEST(FitStops, FitsASpringBesideACoulombDamper) {
  // 3 N of dry friction beside 40 N/m and a preload of 7 N, about a displacement of 0.5 m.
  // A triangle wave, whose rows never lie on both sides of a turn at the same displacement.
  MeasuredRun run;
  for (int k = 0; k <= 800; ++k) {
    const int leg = (k + 49) / 100, way = leg % 2 == 0 ? 1 : -1;
    const double x = way * 0.002 * (k - 100 * leg);
    run.input.push_back(0.5 + x);
    run.output.push_back(7.0 + 40.0 * x + 3.0 * way);
  }
  EXPECT_TRUE(polygon_loop(run.input, run.output).clockwise());
  const StopFit fit = fit_one(run);
  ASSERT_TRUE(fit.quality.explains()) << fit.quality.why_not();
  EXPECT_GT(fit.quality.r_squared, 0.999);
  EXPECT_NEAR(fit.spring, 40.0, 0.4);
  double slip = 0.0;
  for (std::size_t i = 0; i < fit.model.thresholds.size(); ++i)
    slip += fit.stiffness(i) * fit.model.thresholds[i];
  EXPECT_NEAR(slip, 3.0, 0.03);
  ASSERT_TRUE(fit.invertible());
  EXPECT_LT(worst_round_trip(fit, run), 1e-12);
}

TEST(FitStops, FitsTheMaxwellSlipModelThatMadeTheDataFromItsVirginStateOn) {
  PrandtlIshlinskii truth = maxwell_slip({0.2, 0.5, 0.9}, {30.0, 20.0, 10.0});
  truth.direct += 5.0;
  truth.offset = -2.0;
  const MeasuredRun run = follow(truth, growing(5, 120, 1.5, 0.3));
  const StopFit fit = fit_one(run, 40);
  EXPECT_FALSE(fit.settled);
  EXPECT_LT(fit.quality.rms, 0.005 * fit.quality.range);
  EXPECT_NEAR(fit.spring, 5.0, 0.3);
  ASSERT_TRUE(fit.invertible());
  EXPECT_LT(worst_round_trip(fit, run), 1e-12);
  // All weights of the inverse are positive: it is of play type.
  for (const double weight : fit.model.inverse().weights) EXPECT_GT(weight, 0.0);
}

TEST(FitStops, ALoopOfASteadyOscillationBeginsSettled) {
  const PrandtlIshlinskii truth = maxwell_slip({0.2, 0.5, 0.9}, {30.0, 20.0, 10.0});
  std::vector<double> once;
  for (int k = 0; k < 200; ++k) once.push_back(1.5 * std::sin(2.0 * std::numbers::pi * k / 200.0));
  PlaySum sum(truth, 0.0, {});
  for (const double u : once) sum.update(u);
  const MeasuredRun run = follow(truth, once, sum.states());
  const StopFit fit = fit_one(run, 40);
  EXPECT_TRUE(fit.settled);
  EXPECT_LT(fit.quality.rms, 0.005 * fit.quality.range);
}

TEST(FitStops, FitsBoucWenAndItsInverse) {
  Signal input{.amplitude = 3.0, .frequency = 1.0};
  Options o;
  o.end = 12.566370614359172;
  o.samples = 801;
  const auto r = as_system(BoucWenSystem{.stiffness = 50.0, .share = 0.2})->respond(input, o);
  const MeasuredRun run{r.input, r.output};
  const StopFit fit = fit_one(run);
  ASSERT_TRUE(fit.quality.explains()) << fit.quality.why_not();
  EXPECT_LT(fit.quality.rms, 0.02 * fit.quality.range);
  ASSERT_TRUE(fit.invertible());
  EXPECT_LT(worst_round_trip(fit, run), 1e-11);
}

TEST(FitStops, HaveNoInverseWithoutASpring) {
  // Elastic, then perfectly plastic: at the slip force the displacement is not determined.
  const StopFit fit = fit_one(follow(maxwell_slip({0.3}, {10.0}), growing(3, 200, 1.0)), 30);
  EXPECT_TRUE(fit.quality.explains());
  EXPECT_LT(std::abs(fit.spring), 0.02 * fit.model.direct);
  if (fit.spring <= 1e-6 * fit.model.direct) {
    EXPECT_FALSE(fit.invertible());
  }
}

TEST(FitStops, ExplainNothingOfNoiseAboutALine) {
  Random random(3);
  MeasuredRun run{growing(4, 100, 1.0), {}};
  for (const double u : run.input) run.output.push_back(2.0 * u + random.uniform(-0.1, 0.1));
  const StopFit fit = fit_one(run);
  EXPECT_FALSE(fit.quality.explains());
  EXPECT_NE(fit.quality.why_not().find("best straight line"), std::string::npos);
}

TEST(FitStops, DoNotDependOnTheUnits) {
  const PrandtlIshlinskii truth = maxwell_slip({0.2, 0.5}, {30.0, 20.0});
  const MeasuredRun run = follow(truth, growing(3, 100, 1.5));
  MeasuredRun other = run;
  for (double& u : other.input) u *= 1e-9;
  for (double& y : other.output) y *= 1e-12;
  EXPECT_NEAR(fit_one(other).quality.r_squared, fit_one(run).quality.r_squared, 1e-9);
}

TEST(FitPlays, LeaveClockwiseLoopsToStops) {
  const MeasuredRun run = follow(maxwell_slip({0.2, 0.5}, {30.0, 20.0}), growing(3, 100, 1.5));
  const PlayFit plays = fit_plays(std::span(&run, 1));
  EXPECT_FALSE(plays.quality.explains());
  EXPECT_TRUE(fit_one(run).quality.explains());
}

TEST(FitQuality, ComparesWithTheBestStraightLine) {
  // y = x^2 on -1, 0, 1: the best line is 2/3, with residuals 1/3, -2/3, 1/3.
  const MeasuredRun run{{-1.0, 0.0, 1.0}, {1.0, 0.0, 1.0}};
  const FitQuality q = fit_quality(std::span(&run, 1), 0.1);
  EXPECT_NEAR(q.line_rms, std::sqrt(2.0 / 9.0), 1e-15);
  EXPECT_EQ(q.range, 1.0);
  EXPECT_NEAR(q.r_squared, 1.0 - 0.01 / (2.0 / 9.0), 1e-14);
  EXPECT_EQ(q.rows, 3u);
  EXPECT_TRUE(q.explains());
  EXPECT_FALSE(fit_quality(std::span(&run, 1), 0.38).explains());  // 0.8 of the line is 0.377
  EXPECT_FALSE(fit_quality(std::span(&run, 1), 0.26).explains());  // more than a quarter
}

}  // namespace
}  // namespace bristle::fit_stops_test
