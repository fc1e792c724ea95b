// SPDX-License-Identifier: MIT
// Runs of a servo that were held out of the fits, predicted by the parameters of those fits: see
// docs/tasks/servo-pendulum.md.
#include "identify/servo_machine.hpp"

namespace bristle::measured_servo_test {
namespace {

// The mean over runs of the mean absolute error, each run with the parameters fitted without it.
double held_out_error(const std::string& kind, double step) {
  std::vector<std::string> names;
  const auto columns =
      test::read_numbers(BRISTLE_DATA "/xl330-pendulum/held_out_" + kind + ".csv", &names);
  double sum = 0.0;
  const auto runs = test::measured_runs();
  EXPECT_EQ(columns.at(0).size(), runs.size());
  for (std::size_t k = 0; k < runs.size(); ++k) {
    EXPECT_EQ(runs[k].name, words(columns[0][k]));
    MachineParts parts = test::servo_pendulum();
    std::map<std::string, double> values;
    for (std::size_t i = 1; i < names.size(); ++i) values[names[i]] = columns[i][k];
    set_parameters(parts, values);
    const auto q = test::rolled(parts, runs[k], step);
    double error = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i) error += std::abs(q[i] - runs[k].readings[0][i]);
    sum += error / double(q.size());
  }
  return sum / double(runs.size());
}

TEST(MeasuredServo, HasSixteenRunsOfFourTrajectoriesAndGains) {
  const auto runs = test::measured_runs();
  ASSERT_EQ(runs.size(), 16u);
  std::size_t samples = 0;
  for (const auto& run : runs) {
    samples += run.time.size();
    EXPECT_NEAR(run.time.back(), 6.0, 0.02);
  }
  EXPECT_EQ(samples, 19452u);
}

// 0.042 rad is the best published model, on runs it may have been fitted to.
TEST(MeasuredServo, GearFrictionPredictsHeldOutGainsBelow42Milliradians) {
  const double error = held_out_error("gain", 2e-3);
  EXPECT_LT(error, 0.042);
  EXPECT_NEAR(error, 0.0344, 1e-4);
}
TEST(MeasuredServo, GearFrictionPredictsHeldOutTrajectoriesBelow42Milliradians) {
  const double error = held_out_error("trajectory", 2e-3);
  EXPECT_LT(error, 0.042);
  EXPECT_NEAR(error, 0.0268, 1e-4);
}
TEST(MeasuredServo, GearFrictionPredictsHeldOutRunsBelow42Milliradians) {
  const double error = held_out_error("run", 2e-3);
  EXPECT_LT(error, 0.042);
  EXPECT_NEAR(error, 0.0308, 1e-4);
}

TEST(MeasuredServo, HeldOutErrorsDoNotDependOnTheStep) {
  EXPECT_NEAR(held_out_error("gain", 5e-4), held_out_error("gain", 2e-3), 5e-5);
}

}  // namespace
}  // namespace bristle::measured_servo_test
