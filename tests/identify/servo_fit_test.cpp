// SPDX-License-Identifier: MIT
#include "bristle/identify/servo_fit.hpp"

#include "close.hpp"
#include "identify/servo_data.hpp"

namespace bristle {
namespace {

using test::goal_run;
using test::loaded_model;
using test::simulated;

std::vector<ServoRun> known_runs(const ServoModel<>& truth, double encoder) {
  std::vector<ServoRun> runs;
  for (int i = 0; i < 6; ++i)
    runs.push_back(simulated(goal_run(i, i < 3 ? 200.0 : 400.0, 4.0), truth, 2e-3, encoder));
  return runs;
}

const FittedParameter& estimate(const ServoFit& fit, const std::string& name) {
  for (const auto& e : fit.estimates)
    if (e.name == name) return e;
  throw std::runtime_error("no estimate of " + name);
}

std::string complaint(const std::vector<ServoRun>& runs, const std::vector<std::string>& free) {
  try {
    fit_servo(runs, {}, {.free = free, .starts = 0, .refined = 0});
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(ServoFit, RecoversTheParametersThatMadeTheData) {
  const ServoModel<> truth = loaded_model();
  const auto runs = known_runs(truth, 0.001534);
  ServoModel<> start = truth;
  start.pendulum.armature = 0.004;
  start.friction.viscous = 0.02;
  start.friction.driving_rise = 0.2;
  start.friction.driving_growth = 0.5;
  start.friction.backdriving_rise = 0.8;
  const ServoFit fit = fit_servo(runs, start,
                                 {.free = {"mechanism.armature", "viscous", "driving_rise",
                                           "driving_growth", "backdriving_rise"},
                                  .starts = 16,
                                  .refined = 2});
  EXPECT_TRUE(fit.converged()) << fit.message;
  // Rounding to the encoder alone is a quarter of its step.
  EXPECT_LT(fit.mean_absolute, 0.6e-3) << fit.message;
  EXPECT_TRUE(test::close(estimate(fit, "mechanism.armature").value, 0.002, 0.02));
  EXPECT_TRUE(test::close(estimate(fit, "viscous").value, 0.01, 0.05));
  EXPECT_TRUE(test::close(estimate(fit, "driving_rise").value, 0.5, 0.05));
  EXPECT_TRUE(test::close(estimate(fit, "driving_growth").value, 2.0, 0.05));
  EXPECT_TRUE(test::close(estimate(fit, "backdriving_rise").value, 0.4, 0.05));
  for (const auto& e : fit.estimates) {
    EXPECT_TRUE(e.determined) << e.name;
    EXPECT_LT(e.lower, e.value) << e.name;
    EXPECT_GT(e.upper, e.value) << e.name;
  }
}

// 150 intervals of 95 %: fewer than 134 that hold the truth would be three standard deviations off.
TEST(ServoFit, IntervalsHoldTheTruth) {
  const ServoModel<> truth = loaded_model();
  const std::vector<std::string> names{"mechanism.armature", "viscous", "driving_rise"};
  std::vector<ServoRun> clean;
  for (int i = 0; i < 8; ++i)
    clean.push_back(simulated(goal_run(i, 100.0 * (1 << i % 4), 3.0), truth, 5e-3));
  test::Random random(11);
  int held = 0;
  for (int repetition = 0; repetition < 50; ++repetition) {
    auto runs = clean;
    for (auto& run : runs)
      for (std::size_t k = 1; k < run.position.size(); ++k)
        run.position[k] += random.uniform(-0.01, 0.01);
    const ServoFit fit =
        fit_servo(runs, truth, {.free = names, .step = 5e-3, .starts = 0, .refined = 0});
    for (const auto& e : fit.estimates) {
      const double value = e.name == "mechanism.armature" ? truth.pendulum.armature
                           : e.name == "viscous"          ? truth.friction.viscous
                                                          : truth.friction.driving_rise;
      held += e.lower <= value && value <= e.upper;
    }
  }
  EXPECT_GE(held, 134) << "of 150";
}

TEST(ServoFit, SaysThatTheMotorIsNotDeterminedWhileItIsOff) {
  const ServoModel<> truth = loaded_model();
  std::vector<ServoRun> runs;
  for (int i = 0; i < 4; ++i) {
    ServoRun run = goal_run(i, 200.0, 3.0);
    run.position[0] = 0.4 + 0.2 * i;
    std::fill(run.enabled.begin(), run.enabled.end(), 0.0);
    runs.push_back(simulated(run, truth, 2e-3, 0.001534));
  }
  const ServoFit fit =
      fit_servo(runs, truth,
                {.free = {"mechanism.armature", "viscous", "mechanism.motor_constant"},
                 .starts = 0,
                 .refined = 0});
  EXPECT_FALSE(estimate(fit, "mechanism.motor_constant").determined);
  EXPECT_TRUE(estimate(fit, "mechanism.armature").determined);
  EXPECT_EQ(fit.warnings.at(0), "mechanism.motor_constant is not determined by these runs");
}

TEST(ServoFit, KeepsInsideTheBoundsAndSaysWhereItMeetsOne) {
  ServoModel<> truth = loaded_model();
  truth.friction.backdriving = 0.0;
  const auto runs = known_runs(truth, 0.001534);
  ServoModel<> start = truth;
  start.friction.coulomb_torque = 0.012;  // too much, so that the load-dependent part wants below 0
  start.friction.backdriving = 0.1;
  const ServoFit fit = fit_servo(runs, start, {.free = {"backdriving"}, .starts = 0, .refined = 0});
  EXPECT_EQ(estimate(fit, "backdriving").value, 0.0);
  EXPECT_TRUE(estimate(fit, "backdriving").at_bound);
  EXPECT_EQ(fit.warnings.at(0),
            "backdriving ends at its bound, 0: the data ask for less or more than is allowed");
}

TEST(ServoFit, RefusesWhatCannotBeFittedInOneSentence) {
  const auto runs = known_runs(loaded_model(), 0.0);
  EXPECT_EQ(complaint({}, {}), "servo fit: there are no runs to fit");
  EXPECT_EQ(complaint(runs, {"viscos"})
                .rfind("there is no parameter 'viscos', did you mean 'viscous'?", 0),
            0u);
  EXPECT_THROW(cross_validate_servo(std::span(runs).first(1), {}, {}), InvalidInput);
}

TEST(ServoRuns, AreCheckedAsTheyAreRead) {
  const std::vector<double> same(4, 1.0), time{0.0, 0.1, 0.1, 0.2}, good{0.0, 0.1, 0.2, 0.3},
      numbers{1.0, 2.0, 3.0, 4.0};
  EXPECT_EQ(servo_runs({same, same, same, good, good, good, same}).size(), 1u);
  EXPECT_THROW(servo_runs({same, same, same, time, good, good, same}), InvalidInput);
  EXPECT_THROW(servo_runs({numbers, same, same, good, good, good, same}), InvalidInput);
  EXPECT_THROW(servo_runs({same, same, same, good, good, good, std::span(same).first(3)}),
               InvalidInput);
}

}  // namespace
}  // namespace bristle
