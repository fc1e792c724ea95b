// SPDX-License-Identifier: MIT
// Fits of a machine to several runs: values of a run, runs held out, intervals that count runs.
#include "close.hpp"
#include "identify/servo_machine.hpp"

namespace bristle::machine_runs_test {
namespace {

using test::goal_run;
using test::loaded_pendulum;
using test::simulated;

const std::string armature = "body.armature.inertia", viscous = "contact.teeth.viscous",
                  driving = "contact.teeth.driving_rise", growth = "contact.teeth.driving_growth",
                  backdriving = "contact.teeth.backdriving_rise";

std::vector<MachineRecord> known_runs(const MachineParts& truth, int count, double encoder,
                                      double end = 3.0) {
  std::vector<MachineRecord> runs;
  for (int i = 0; i < count; ++i)
    runs.push_back(simulated(goal_run(i, 100.0 * (1 << i % 4), end, 1e-2), truth, 1e-2, encoder));
  return runs;
}

MachineFitOptions options(const std::vector<std::string>& free, int starts = 0) {
  MachineFitOptions o;
  o.readings = {{"arm"}};
  o.free = free;
  o.steps = 1;
  o.starts = starts;
  o.refined = starts > 0 ? 2 : 1;
  o.free_start = false;
  return o;
}

const FittedParameter& found(const MachineFit& fit, const std::string& name) {
  for (const auto& p : fit.parameters)
    if (p.name == name) return p;
  throw std::runtime_error("no parameter " + name);
}

TEST(FitOfRuns, RecoversTheGearThatMadeThem) {
  const MachineParts truth = loaded_pendulum();
  const auto runs = known_runs(truth, 4, 0.001534);
  MachineParts start = truth;
  set_parameters(
      start,
      {{armature, 0.004}, {viscous, 0.02}, {driving, 0.2}, {growth, 0.5}, {backdriving, 0.8}});
  auto o = options({armature, viscous, driving, growth, backdriving}, 8);
  o.robust = true;
  const MachineFit fit = fit_machine(start, runs, o);
  EXPECT_TRUE(fit.converged()) << fit.message;
  EXPECT_TRUE(test::close(fit.of(armature), 0.002, 0.02));
  EXPECT_TRUE(test::close(fit.of(viscous), 0.01, 0.05));
  EXPECT_TRUE(test::close(fit.of(driving), 0.5, 0.05));
  EXPECT_TRUE(test::close(fit.of(growth), 2.0, 0.05));
  EXPECT_TRUE(test::close(fit.of(backdriving), 0.4, 0.05));
  // Rounding to the encoder alone is a quarter of its step.
  for (const auto& run : fit.agreements) EXPECT_LT(run.mean_absolute, 0.6e-3) << run.run;
  for (const auto& p : fit.parameters) {
    EXPECT_TRUE(p.determined) << p.name;
    EXPECT_LT(p.lower, p.value) << p.name;
    EXPECT_GT(p.upper, p.value) << p.name;
  }
}

// Noise that is the same for 25 samples on end: 60 intervals of 95 % that count samples as if they
// were independent would hold the truth in about half of the cases; fewer than 52 would be three
// standard deviations off for those that count runs.
TEST(FitOfRuns, IntervalsThatCountRunsHoldTheTruth) {
  const MachineParts truth = loaded_pendulum();
  const std::map<std::string, double> values{{armature, 0.002}, {viscous, 0.01}, {driving, 0.5}};
  const auto clean = known_runs(truth, 8, 0.0, 2.0);
  test::Random random(11);
  int held = 0;
  for (int repetition = 0; repetition < 20; ++repetition) {
    auto runs = clean;
    for (auto& run : runs) {
      double noise = 0.0;
      for (std::size_t k = 1; k < run.readings[0].size(); ++k) {
        if (k % 25 == 1) noise = random.uniform(-0.01, 0.01);
        run.readings[0][k] += noise;
      }
    }
    const MachineFit fit = fit_machine(truth, runs, options({armature, viscous, driving}));
    EXPECT_TRUE(fit.by_runs);
    for (const auto& p : fit.parameters)
      held += p.lower <= values.at(p.name) && values.at(p.name) <= p.upper;
  }
  EXPECT_GE(held, 52) << "of 60";
}

// A mass that was changed between runs: the inertia and the weight of the arm are values of a run.
TEST(FitOfRuns, TakesParametersThatDifferFromRunToRun) {
  const MachineParts truth = loaded_pendulum();
  std::vector<MachineRecord> runs;
  for (int i = 0; i < 3; ++i) {
    MachineRecord run = goal_run(i, 400.0, 3.0, 1e-2);
    run.values["body.arm.inertia"] = 0.003 + 0.002 * i;
    run.values["coupling.weight.weight"] = 0.3 + 0.2 * i;
    runs.push_back(simulated(run, truth, 1e-2));
  }
  MachineParts start = truth;
  set_parameters(start, {{armature, 0.003}, {viscous, 0.02}});
  const MachineFit fit = fit_machine(start, runs, options({armature, viscous}));
  EXPECT_TRUE(test::close(fit.of(armature), 0.002, 1e-5));
  EXPECT_TRUE(test::close(fit.of(viscous), 0.01, 1e-5));
  // The machine as fitted has what all runs share, and else what it was given.
  EXPECT_EQ(fit.parts.bodies[0].body.inertia, fit.of(armature));
  EXPECT_EQ(fit.parts.bodies[1].body.inertia, 0.0049);
}

TEST(FitOfRuns, IgnoresOutliersIfRobust) {
  const MachineParts truth = loaded_pendulum();
  auto runs = known_runs(truth, 4, 0.0);
  test::Random random(3);
  for (auto& run : runs)
    for (std::size_t k = 1; k < run.readings[0].size(); ++k) {
      run.readings[0][k] += random.uniform(-1e-3, 1e-3);
      if (k > 200 && k < 240) run.readings[0][k] += 0.3;
    }
  auto o = options({armature, viscous});
  const MachineFit squares = fit_machine(truth, runs, o);
  o.robust = true;
  const MachineFit robust = fit_machine(truth, runs, o);
  EXPECT_LT(std::abs(robust.of(viscous) - 0.01), 0.3 * std::abs(squares.of(viscous) - 0.01));
}

TEST(FitOfRuns, PredictsRunsThatAreHeldOut) {
  const MachineParts truth = loaded_pendulum();
  const auto runs = known_runs(truth, 4, 0.0);
  MachineParts start = truth;
  set_parameters(start, {{viscous, 0.02}});
  auto o = options({viscous});
  o.hold_out_runs = {"2"};
  const MachineFit fit = fit_machine(start, runs, o);
  EXPECT_EQ(fit.agreements[2].fitted.samples, 0);
  EXPECT_EQ(fit.agreements[2].held_out.samples, long(runs[2].time.size()));
  EXPECT_LT(fit.agreements[2].held_out.rmse, 1e-5);
  EXPECT_EQ(fit.agreements[1].held_out.samples, 0);

  // The same as a fit that was never given the run.
  auto without = runs;
  without.erase(without.begin() + 2);
  o.hold_out_runs.clear();
  EXPECT_EQ(fit_machine(start, without, o).of(viscous), fit.of(viscous));
}

TEST(FitOfRuns, LeavesOutEachGroupInTurn) {
  const MachineParts truth = loaded_pendulum();
  auto runs = known_runs(truth, 4, 0.0);
  // The last two are of a gear with another friction.
  MachineParts other = truth;
  set_parameters(other, {{viscous, 0.012}});
  for (int i : {2, 3}) runs[std::size_t(i)] = simulated(runs[std::size_t(i)], other, 1e-2);
  const auto folds = cross_validate(truth, runs, {"a", "a", "b", "b"}, options({viscous}));
  ASSERT_EQ(folds.size(), 2u);
  EXPECT_EQ(folds[0].group, "a");
  EXPECT_EQ(folds[0].held_out, (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(test::close(folds[0].fit.of(viscous), 0.012, 1e-5));
  EXPECT_TRUE(test::close(folds[1].fit.of(viscous), 0.01, 1e-5));
  EXPECT_GT(folds[0].fit.agreements[0].mean_absolute, 1e-3);
  EXPECT_LT(folds[0].fit.agreements[2].mean_absolute, 1e-6);
}

TEST(FitOfRuns, SaysThatTheMotorIsNotDeterminedWhileItIsOff) {
  const MachineParts truth = loaded_pendulum();
  std::vector<MachineRecord> runs;
  for (int i = 0; i < 4; ++i) {
    MachineRecord run = goal_run(i, 200.0, 2.0, 1e-2);
    run.readings[0].front() = 0.4 + 0.2 * i;
    auto& on = run.inputs["servo.enabled"];
    std::fill(on.begin(), on.end(), 0.0);
    runs.push_back(simulated(run, truth, 1e-2, 0.001534));
  }
  const MachineFit fit =
      fit_machine(truth, runs, options({armature, viscous, "coupling.servo.motor_constant"}));
  EXPECT_FALSE(found(fit, "coupling.servo.motor_constant").determined);
  EXPECT_TRUE(found(fit, viscous).determined);
  EXPECT_EQ(fit.warnings.at(0), "the data do not determine coupling.servo.motor_constant");
}

TEST(FitOfRuns, RefusesWhatCannotBeFittedInOneSentence) {
  const MachineParts truth = loaded_pendulum();
  const auto runs = known_runs(truth, 2, 0.0, 1.0);
  const auto complaint = [&](auto change) -> std::string {
    auto records = runs;
    auto o = options({viscous});
    std::vector<std::string> groups;
    change(records, o, groups);
    try {
      if (groups.empty()) fit_machine(truth, records, o);
      else cross_validate(truth, records, groups, o);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint([](auto&, auto& o, auto&) {
              o.hold_out_runs = {"7"};
            }).rfind("there is no run '7'", 0),
            0u);
  EXPECT_EQ(complaint([](auto&, auto& o, auto&) {
              o.hold_out_runs = {"0", "1"};
            }),
            "all runs are held out, none is left to be fitted");
  EXPECT_EQ(complaint([](auto&, auto&, auto& groups) {
              groups = {"a", "a"};
            }),
            "all runs have the same value: without them none would be left to fit");
  EXPECT_EQ(complaint([](auto&, auto&, auto& groups) { groups = {"a"}; }),
            "groups: there are 1 groups for 2 runs, each run needs one");
  EXPECT_EQ(complaint([](auto& r, auto&, auto& groups) {
              r[1].name = "0", groups = {"a", "b"};
            }),
            "two runs have the name 0, to be held out each needs its own");
  EXPECT_EQ(complaint([](auto& r, auto&, auto&) {
              r[0].inputs["servo.gaol"] = r[0].inputs["servo.goal"];
            }),
            "there is no input 'servo.gaol', did you mean 'servo.goal'? (inputs: servo.enabled, "
            "servo.goal)");
  EXPECT_EQ(complaint([](auto& r, auto&, auto&) {
              r[0].values["body.arm.inertai"] = 1.0;
            }).rfind("there is no parameter 'body.arm.inertai', did you mean", 0),
            0u);
}

}  // namespace
}  // namespace bristle::machine_runs_test
