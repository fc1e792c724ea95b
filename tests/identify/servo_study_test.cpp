// SPDX-License-Identifier: MIT
#include "bristle/identify/servo_study.hpp"

#include <atomic>

#include "close.hpp"
#include "identify/servo_data.hpp"

namespace bristle {
namespace {

using test::goal_run;
using test::loaded_model;
using test::simulated;

// Four short runs of two kinds.
std::vector<ServoRun> short_runs() {
  std::vector<ServoRun> runs;
  for (int i = 0; i < 4; ++i) {
    runs.push_back(simulated(goal_run(i, i < 2 ? 200.0 : 400.0, 2.0), loaded_model(), 2e-3));
    runs.back().kind = i / 2;
  }
  return runs;
}

// All held at the truth but the viscous part.
ServoChoice viscous_only(double guess = 0.02) {
  ServoChoice choice{loaded_model(), {"viscous"}};
  choice.start.friction.viscous = guess;
  return choice;
}

ServoStudyOptions quick(int threads = 2) {
  ServoStudyOptions options;
  options.fit.starts = 4, options.fit.refined = 2, options.fit.threads = threads;
  return options;
}

std::string complaint(const ServoNames& names) {
  try {
    choose_servo(names);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "(not refused)";
}

TEST(ServoChoice, FitsTheGearWithTheMotorOfItsDataSheet) {
  const ServoChoice choice = choose_servo({});
  EXPECT_EQ(choice.free,
            (std::vector<std::string>{"mechanism.armature", "mechanism.tilt", "coulomb_torque",
                                      "viscous", "stribeck_velocity", "driving_rise",
                                      "driving_growth", "backdriving_rise"}));
  EXPECT_EQ(choice.start.friction.driving, 0.0);
  EXPECT_EQ(choice.start.friction.backdriving, 0.0);
  EXPECT_EQ(choice.start.friction.driving_rise, GearFriction<>{}.driving_rise);
  EXPECT_EQ(choice.start.pendulum.motor_constant, ServoPendulum<>{}.motor_constant);
}

TEST(ServoChoice, HoldsFreesAndGuessesByName) {
  const ServoChoice choice = choose_servo({{{"driving_rise", 0.0}, {"mechanism.tilt", 0.1}},
                                           {"driving", "mechanism.resistance", "viscous"},
                                           {{"viscous", 0.03}, {"mechanism.resistance", 3.0}}});
  EXPECT_EQ(choice.free,
            (std::vector<std::string>{"mechanism.armature", "coulomb_torque", "viscous",
                                      "stribeck_velocity", "driving_growth", "backdriving_rise",
                                      "driving", "mechanism.resistance"}));
  EXPECT_EQ(choice.start.friction.driving_rise, 0.0);
  EXPECT_EQ(choice.start.friction.driving, 0.2);
  EXPECT_EQ(choice.start.friction.viscous, 0.03);
  EXPECT_EQ(choice.start.pendulum.tilt, 0.1);
  EXPECT_EQ(choice.start.pendulum.resistance, 3.0);
}

TEST(ServoChoice, RefusesNamesAndValuesInOneSentence) {
  EXPECT_EQ(complaint({{}, {"armature"}, {}}),
            "there is no parameter 'armature' of the gear, did you mean 'mechanism.armature'?");
  EXPECT_EQ(complaint({{{"driving", 0.1}}, {"driving"}, {}}),
            "driving is both held and free, only one of them can be meant");
  EXPECT_EQ(complaint({{}, {}, {{"driving", 0.1}}}),
            "a guess of driving has no use, it is held and not fitted");
  EXPECT_EQ(complaint({{{"mechanism.mass", 0.0}}, {}, {}}),
            "servo_pendulum: mass = 0 kg is not allowed, it must be greater than 0 kg");
}

TEST(ServoStudy, JudgesRunsItHasNotSeen) {
  ServoStudyOptions options = quick();
  options.hold_out = {"3"};
  const ServoStudy s = study_servo(short_runs(), viscous_only(), options);
  EXPECT_EQ(s.held_out, (std::vector<bool>{false, false, false, true}));
  EXPECT_TRUE(s.converged()) << s.fit.message;
  // The runs were made with this value and the same steps.
  EXPECT_TRUE(test::close(s.fit.model.friction.viscous, 0.01, 1e-6));
  EXPECT_LT(s.held.mean_absolute, 1e-6);
  EXPECT_EQ(s.held.largest, s.errors[3].largest);
  EXPECT_GT(s.at_mean.mean_absolute, 0.1);
  EXPECT_EQ(s.at_goal.mean_absolute, servo_error(s.runs[3], s.runs[3].goal).mean_absolute);
}

TEST(ServoStudy, LeavesOutEachKindInTurn) {
  ServoStudyOptions options = quick();
  options.leave_out = true;
  const ServoStudy s = study_servo(short_runs(), viscous_only(), options);
  ASSERT_EQ(s.folds.size(), 2u);
  EXPECT_EQ(s.folds[1].held_out, (std::vector<int>{2, 3}));
  for (const auto& fold : s.folds)
    EXPECT_TRUE(test::close(fold.fit.model.friction.viscous, 0.01, 1e-6));
  EXPECT_EQ(s.unseen_errors[2].largest, s.folds[1].errors[0].largest);
  EXPECT_LT(s.unseen.mean_absolute, 1e-6);
}

TEST(ServoStudy, DoesNotDependOnTheNumberOfThreads) {
  ServoStudyOptions one = quick(1), three = quick(3);
  one.leave_out = three.leave_out = true;
  ServoChoice choice = viscous_only();
  choice.free.emplace_back("driving_rise");
  const ServoStudy a = study_servo(short_runs(), choice, one);
  const ServoStudy b = study_servo(short_runs(), choice, three);
  EXPECT_EQ(a.fit.refined_costs, b.fit.refined_costs);
  EXPECT_EQ(a.fit.rollouts, b.fit.rollouts);
  EXPECT_EQ(a.unseen_positions, b.unseen_positions);
}

TEST(ServoStudy, TakesOtherStartsWithAnotherSeed) {
  ServoStudyOptions options = quick();
  options.fit.iterations = 1;
  const auto costs = [&](unsigned seed) {
    options.fit.seed = seed;
    return study_servo(short_runs(), viscous_only(), options).fit.refined_costs;
  };
  EXPECT_EQ(costs(1), costs(1));
  EXPECT_NE(costs(1), costs(2));
}

TEST(ServoStudy, SaysThatItDidNotConverge) {
  ServoStudyOptions options = quick();
  options.fit.iterations = 1;
  const ServoStudy s = study_servo(short_runs(), viscous_only(), options);
  EXPECT_FALSE(s.converged());
  EXPECT_FALSE(s.stopped());
  EXPECT_EQ(s.fit.message.rfind("not converged, best so far", 0), 0u) << s.fit.message;
  EXPECT_NE(std::find(s.warnings.begin(), s.warnings.end(), "the fit did not converge"),
            s.warnings.end());
}

TEST(ServoStudy, TellsHowFarItIsAndStopsOnRequest) {
  ServoStudyOptions options = quick();
  options.leave_out = true;
  std::atomic<double> last{0.0};
  options.fit.progress = [&](double done) {
    EXPECT_GE(done, 0.0);
    EXPECT_LE(done, 1.0);
    last = done;
    return true;
  };
  EXPECT_FALSE(study_servo(short_runs(), viscous_only(), options).stopped());
  EXPECT_NEAR(last, 1.0, 1e-9);
  // At once, and in the middle of the folds.
  for (const double until : {0.0, 0.7}) {
    options.fit.progress = [&](double done) { return done < until; };
    const ServoStudy s = study_servo(short_runs(), viscous_only(), options);
    EXPECT_TRUE(s.stopped());
    EXPECT_FALSE(s.converged());
  }
}

TEST(ServoStudy, SaysThatAModelIsNoBetterThanDoingNothing) {
  ServoChoice nothing{loaded_model(), {}};
  nothing.start.pendulum.tilt = 0.3;
  nothing.start.friction.coulomb_torque = 5.0;  // it never moves
  const ServoStudy s = study_servo(short_runs(), nothing, quick());
  ASSERT_FALSE(s.warnings.empty());
  EXPECT_EQ(s.warnings.back().rfind("the model is no better than doing nothing (", 0), 0u)
      << s.warnings.back();
}

TEST(ServoStudy, RefusesRunsThatAreNotThere) {
  ServoStudyOptions options = quick();
  options.hold_out = {"9"};
  EXPECT_THROW(study_servo(short_runs(), viscous_only(), options), InvalidInput);
  options.hold_out = {"0", "1", "2", "3"};
  EXPECT_THROW(study_servo(short_runs(), viscous_only(), options), InvalidInput);
  options.hold_out = {"0"};
  options.leave_out = true;
  EXPECT_THROW(study_servo(short_runs(), viscous_only(), options), InvalidInput);
  options.hold_out.clear();
  auto same = short_runs();
  for (auto& run : same) run.kind = 1;
  EXPECT_THROW(study_servo(same, viscous_only(), options), InvalidInput);
}

}  // namespace
}  // namespace bristle
