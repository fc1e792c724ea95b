// SPDX-License-Identifier: MIT
// Fits to records with noise on the position: their intervals hold the truth, and where the noise
// decides it is said.
#include <gtest/gtest.h>

#include "identify/coverage.hpp"

namespace bristle::position_noise_test {
namespace {

using test::all_of;
using test::Coverage;
using test::coverage;
using test::exact_record;
using test::measured;
using test::Measuring;
using test::noisy_motions;
using test::truth;

// Of 10 intervals that hold the truth in 95 % fewer than 6 do so in 6 of 100,000 cases, of 60 fewer
// than 48 in 2 of 100,000 if they are independent. Without the filter none of those of the static
// force does.
void covers(double noise) {
  const Measuring m{.duration = 3.0, .position_noise = noise};
  const Coverage c = coverage(test::position_lugre, noisy_motions()[0], m,
                              {.records = 10, .repetitions = 20, .seed = 31});
  EXPECT_EQ(c.converged, 10);
  EXPECT_EQ(c.smoothed, 10);
  for (const auto& [name, count] : c.inside) EXPECT_GE(count, 6) << name;
  EXPECT_GE(c.part(), 0.8);
  EXPECT_EQ(c.inside.size(), 6u);
}

TEST(PositionNoise, OfATenthOfAMicrometreLeavesTheTruthInTheIntervals) { covers(1e-7); }
TEST(PositionNoise, OfAMicrometreLeavesTheTruthInTheIntervals) { covers(1e-6); }

// Just beside rest the smoothed velocity may have either sign: a single sample there that is
// predicted to slide is off by the whole static force, 375 times the noise of the force. Of 40
// intervals that hold the truth in 95 %, fewer than 34 do so in 3 of 1000 cases if they are
// independent; with such samples in the fit 19 do.
TEST(PositionNoise, BesideRestDoesNotMoveTheStribeckCurve) {
  const Stribeck<> law{
      .coulomb_force = 5.0, .static_force = 7.5, .stribeck_velocity = 0.005, .viscous = 10.0};
  const Measuring m{.position_noise = 1e-7};
  const Coverage c =
      coverage(law, noisy_motions()[3], m, {.records = 10, .repetitions = 20, .seed = 31});
  EXPECT_EQ(c.smoothed, 10);
  EXPECT_EQ(c.intervals(), 40);
  EXPECT_GE(c.held(), 34);
}

// At rest (35 % of the samples) and within 3 decay times of 1.4 ms of the 19 starts and stops.
TEST(PositionNoise, LeavesOutSamplesOfOpenDirectionForASetValuedLaw) {
  const Stribeck<> law{
      .coulomb_force = 5.0, .static_force = 7.5, .stribeck_velocity = 0.005, .viscous = 10.0};
  const Measuring m{.position_noise = 1e-7};
  const Record r = measured(exact_record(law, noisy_motions()[3], m, 0.0137), m, 31);
  FitOptions o{.starts = 0};
  o.guess = truth(law);
  o.repetitions = 0;
  const Track run = fit("stribeck", {prepare(r)}, o).problem.runs[0];
  EXPECT_GT(run.filter.undecided, 2100);
  EXPECT_LT(run.filter.undecided, 2500);
  const long light = std::count_if(run.samples.begin(), run.samples.end(),
                                   [](const Sample& s) { return s.weight < 1e-4; });
  EXPECT_GE(light, run.filter.undecided);
  o.guess = truth(test::position_lugre);
  EXPECT_EQ(fit("lugre", {prepare(r)}, o).problem.runs[0].filter.undecided, 0);
}

// Intervals that hold everything would do so as well.
TEST(PositionNoise, LeavesIntervalsOfAFewPercent) {
  const Measuring m{.duration = 3.0, .position_noise = 1e-7};
  const Record r = measured(exact_record(test::position_lugre, noisy_motions()[0], m), m, 31);
  FitOptions o{.starts = 0};
  o.guess = truth(test::position_lugre);
  const auto f = fit("lugre", {prepare(r)}, o);
  for (const auto& p : f.parameters) {
    if (p.name == "stiffness" || p.name == "static_force") {
      EXPECT_LT(p.upper - p.lower, 0.03 * p.value) << p.name;
    }
  }
}

// To the last digit where there is no noise: the filter, the weights and the repeated fits have no
// part in such a fit.
TEST(PositionNoise, OfNothingLeavesAFitAsItWasWithoutTheFilter) {
  const Measuring m{.duration = 3.0};
  const Record r = measured(exact_record(test::position_lugre, noisy_motions()[0], m), m, 31);
  FitOptions o{.starts = 0};
  o.guess = truth(test::position_lugre);
  const auto f = fit("lugre", {prepare(r)}, o);
  const auto raw = fit("lugre", {prepare(r, {.smooth = false})}, o);
  EXPECT_EQ(f.repeated, 0);
  EXPECT_EQ(f.x, raw.x);
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    EXPECT_EQ(f.parameters[i].lower, raw.parameters[i].lower);
    EXPECT_EQ(f.parameters[i].noise_move, 0.0);
  }
  for (const Sample& s : f.problem.runs[0].samples) EXPECT_EQ(s.weight, 1.0);
}

TEST(PositionNoise, GetsAWarningWhereItIsNotFiltered) {
  const Measuring m{.duration = 3.0, .position_noise = 1e-6};
  const Record r = measured(exact_record(test::position_lugre, noisy_motions()[0], m), m, 100);
  FitOptions o{.starts = 0};
  o.guess = truth(test::position_lugre);
  const auto raw = fit("lugre", {prepare(r, {.smooth = false})}, o);
  EXPECT_GT(raw.of("static_force"), 1.2 * 7.5);
  for (const auto& p : raw.parameters) {
    if (p.name == "static_force") {
      EXPECT_FALSE(p.determined);
    }
  }
  const std::string said = all_of(raw.warnings);
  EXPECT_NE(said.find("static_force is not determined by these data: noise of the position of"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("measure the position with less noise"), std::string::npos) << said;

  const auto smooth = fit("lugre", {prepare(r)}, o);
  EXPECT_TRUE(smooth.problem.runs[0].filter.used);
  EXPECT_NEAR(smooth.of("static_force"), 7.5, 0.1);
  EXPECT_NEAR(smooth.of("stiffness"), 1e5, 1e3);
  EXPECT_GT(smooth.repeated, 30);
  EXPECT_EQ(all_of(smooth.warnings).find("not determined"), std::string::npos)
      << all_of(smooth.warnings);
}

// Strokes from rest have corners: twice the bandwidth moves what is found by more than it scatters.
TEST(PositionNoise, WarnsOfParametersThatDependOnTheFilter) {
  const Measuring m{.position_noise = 1e-6};
  const Record r = measured(exact_record(test::position_lugre, noisy_motions()[3], m), m, 100);
  FitOptions o{.starts = 0};
  o.guess = truth(test::position_lugre);
  const auto f = fit("lugre", {prepare(r)}, o);
  const std::string said = all_of(f.warnings);
  EXPECT_NE(said.find("rms decides how well these are known: it, or half or twice the bandwidth of "
                      "the filter, moves "),
            std::string::npos)
      << said;
  for (const auto& p : f.parameters)
    if (p.free && p.noise_decides && !p.at_bound) {
      EXPECT_GT(p.upper - p.lower, 1.2 * std::abs(p.noise_move)) << p.name;
    }
}

// A smoothed motion along which the force is met worse is not used: here the noise is in a column
// that nothing depends on, for the force is that of the shaken motion.
TEST(PositionNoise, IsKeptWhereTheForceDependsOnIt) {
  const Measuring m{.duration = 3.0, .position_noise = 1e-6};
  Record r = measured(exact_record(test::position_lugre, noisy_motions()[0], m), m, 100);
  const auto run = prepare(r);
  const Dahl<> law{.stiffness = 1e5, .coulomb_force = 5.0};
  double z = 0.0;
  for (std::size_t i = 0; i < run.samples.size(); ++i) {
    const Sample& s = run.samples[i];
    const Motion<double> middle{s.middle_position, s.middle_velocity, 1.0, s.time};
    if (i > 0) z = advance(law, z, middle, s.step);
    r.force[i] = 1e5 * z + 0.02 * std::sin(1e4 * double(i));
  }
  const auto f = fit("dahl", {prepare(r)}, {.starts = 16});
  EXPECT_GT(f.problem.runs[0].filter.noise, 9e-7);
  EXPECT_FALSE(f.problem.runs[0].filter.used);
  EXPECT_NEAR(f.of("stiffness"), 1e5, 200.0);
}

// What the law misses is still seen beside the noise of the position, and widens the intervals.
TEST(PositionNoise, DoesNotHideWhatTheLawMisses) {
  const Measuring m{.duration = 3.0, .position_noise = 1e-6};
  Record r = exact_record(test::position_lugre, noisy_motions()[0], m);
  for (std::size_t i = 0; i < r.force.size(); ++i)
    r.force[i] += 0.2 * std::sin(1200.0 * r.position[i]);
  FitOptions o{.starts = 0};
  o.guess = truth(test::position_lugre);
  const auto f = fit("lugre", {prepare(measured(r, m, 100))}, o);
  EXPECT_FALSE(f.white);
  EXPECT_GT(f.widened, 1.5);
  EXPECT_NE(all_of(f.warnings).find("the residuals are not white"), std::string::npos);
}

}  // namespace
}  // namespace bristle::position_noise_test
