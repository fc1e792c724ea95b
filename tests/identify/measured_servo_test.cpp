// SPDX-License-Identifier: MIT
// The XL330 pendulum: what the stored fits give on the runs they were made without.
#include "bristle/identify/servo_choice.hpp"
#include "close.hpp"
#include "identify/servo_data.hpp"

namespace bristle {
namespace {

// A fit stored as a row under a header of names: run, then parameters.
ServoModel<> stored_model(const std::vector<std::string>& names, const std::vector<double>& row) {
  ServoNames stored;
  for (std::size_t i = 1; i < names.size(); ++i) stored.fix[names[i]] = row[i];
  return choose_servo(stored).start;
}

// Mean absolute error over the runs, each rolled out with the fit that has not seen it.
double held_out_error(const std::string& split, double step) {
  const std::string path = BRISTLE_DATA "/xl330-pendulum/held_out_" + split + ".csv";
  const auto columns = test::read_numbers(path);
  std::vector<std::string> names;
  std::ifstream in(path);
  std::string line, name;
  std::getline(in, line);
  for (std::istringstream row(line); std::getline(row, name, ',');) names.push_back(name);
  const auto runs = test::measured_runs();
  std::vector<ServoError> errors;
  for (std::size_t r = 0; r < columns[0].size(); ++r) {
    std::vector<double> row;
    for (const auto& column : columns) row.push_back(column[r]);
    const ServoModel<> model = stored_model(names, row);
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (runs[i].name == words(row[0]))
        errors.push_back(servo_errors(std::span(runs).subspan(i, 1), model, step)[0]);
  }
  EXPECT_EQ(errors.size(), runs.size());
  return mean_error(errors).mean_absolute;
}

TEST(MeasuredServo, HasSixteenRunsOfFourTrajectoriesAndGains) {
  const auto runs = test::measured_runs();
  ASSERT_EQ(runs.size(), 16u);
  std::size_t samples = 0;
  for (const auto& run : runs) {
    samples += run.time.size();
    EXPECT_NEAR(run.time.back(), 6.0, 0.01);
  }
  EXPECT_EQ(samples, 19452u);
}

// 0.042 rad is the best published model, on runs it may have been fitted to.
TEST(MeasuredServo, GearFrictionPredictsHeldOutGainsBelow42Milliradians) {
  const double error = held_out_error("gain", 2e-3);
  EXPECT_LT(error, 0.042);
  EXPECT_NEAR(error, 0.0345, 1e-4);
}
TEST(MeasuredServo, GearFrictionPredictsHeldOutTrajectoriesBelow42Milliradians) {
  const double error = held_out_error("trajectory", 2e-3);
  EXPECT_LT(error, 0.042);
  EXPECT_NEAR(error, 0.0291, 1e-4);
}
TEST(MeasuredServo, GearFrictionPredictsHeldOutRunsBelow42Milliradians) {
  const double error = held_out_error("run", 2e-3);
  EXPECT_LT(error, 0.042);
  EXPECT_NEAR(error, 0.0309, 1e-4);
}

TEST(MeasuredServo, HeldOutErrorsDoNotDependOnTheStep) {
  EXPECT_NEAR(held_out_error("gain", 5e-4), held_out_error("gain", 2e-3), 5e-5);
}

}  // namespace
}  // namespace bristle
