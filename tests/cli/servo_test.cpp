// SPDX-License-Identifier: MIT
// Fits of a machine to several measured runs, as users meet them: a servo on a pendulum.
#include <cmath>

#include "cli/program.hpp"

namespace bristle::test::servo_test {
namespace {

const std::string folder = std::string(BRISTLE_EXPERIMENTS) + "/../data/xl330-pendulum/";

Words servo_fit(const Words& more) {
  Words words{"fit",        folder + "runs.csv",
              "--machine",  folder + "servo.toml",
              "--measured", "arm.position=position_rad",
              "--measured", "servo.goal=goal_rad",
              "--measured", "servo.enabled=enabled",
              "--measured", "coupling.servo.gain=gain",
              "--steps",    "1",
              "--robust",   "--measured-start"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Near the parameters of the documentation, two of them free, two seconds of the four runs with a
// gain of 400.
Words short_fit(const Words& more) {
  Words words;
  for (const char* value :
       {"body.armature.inertia=0.002", "coupling.weight.tilt=-0.0154",
        "contact.teeth.coulomb_torque=0.0059", "contact.teeth.viscous=0.0101",
        "contact.teeth.stribeck_velocity=0.348", "contact.teeth.driving_rise=0.555",
        "contact.teeth.driving_growth=3.01", "contact.teeth.backdriving_rise=0.547"})
    words.insert(words.end(), {"--fix", value});
  words.insert(words.end(),
               {"--free", "contact.teeth.viscous", "--free", "contact.teeth.driving_growth",
                "--where", "gain=400", "--to", "2", "--starts", "0"});
  words.insert(words.end(), more.begin(), more.end());
  return servo_fit(words);
}

std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(text);
  for (std::string line, cell; std::getline(in, line);) {
    rows.emplace_back();
    for (std::istringstream row(line); std::getline(row, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST(FitOfServo, WritesFilesThatAgreeWithEachOther) {
  const Bench bench;
  const Outcome run = bench.bristle(short_fit({"--leave-out", "trajectory", "--out", "found"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out, "95 % interval");
  EXPECT_PRED2(contains, run.out, "each trajectory left out");
  EXPECT_EQ(
      bench.names("found"),
      (std::set<std::string>{".bristle-files", "fit-1.csv", "fit-2.csv", "fit-3.csv", "fit-4.csv",
                             "folds.csv", "part.toml", "report.html", "summary.json"}));
  const auto fit = nlohmann::json::parse(bench.text("found/summary.json"));
  // The errors of the runs from the samples.
  ASSERT_EQ(fit["runs"].size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const auto rows = rows_of(bench.text("found/fit-" + std::to_string(k + 1) + ".csv"));
    ASSERT_EQ(rows[0],
              (std::vector<std::string>{"time", "servo.enabled", "servo.goal", "arm.position",
                                        "fitted_arm.position", "left_out_arm.position"}));
    double fitted = 0.0, left = 0.0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      fitted += std::abs(std::stod(rows[i][3]) - std::stod(rows[i][4]));
      left += std::abs(std::stod(rows[i][3]) - std::stod(rows[i][5]));
    }
    const double count = double(rows.size() - 1);
    const auto& told = fit["runs"][k];
    EXPECT_NEAR(told["mean_absolute"].get<double>(), fitted / count, 1e-12);
    EXPECT_NEAR(told["left_out"]["mean_absolute"].get<double>(), left / count, 1e-12);
  }
  // Each trajectory is one run here, and what was left out is met worse than what was fitted.
  const auto& folds = fit["left_out"]["folds"];
  ASSERT_EQ(folds.size(), 4u);
  EXPECT_EQ(folds[2]["value"], "3");
  EXPECT_EQ(folds[2]["runs"], nlohmann::json({"10"}));
  const auto& mean = fit["mean_of_runs"][0];
  EXPECT_GT(mean["left_out"]["mean_absolute"], mean["fitted"]["mean_absolute"]);
  EXPECT_LT(mean["fitted"]["mean_absolute"], 0.1 * mean["at_its_mean"].get<double>());
  const auto rows = rows_of(bench.text("found/folds.csv"));
  EXPECT_EQ(rows[0], (std::vector<std::string>{"run", "contact.teeth.viscous",
                                               "contact.teeth.driving_growth"}));
  EXPECT_NEAR(std::stod(rows[3][1]), folds[2]["parameters"]["contact.teeth.viscous"].get<double>(),
              1e-9);
  const std::string page = bench.text("found/report.html");
  EXPECT_PRED2(contains, page, "Run 10, gain 400, trajectory 3");
  EXPECT_PRED2(contains, page, "Errors of arm.position");
  EXPECT_FALSE(contains(page, "src=\"http")) << "the page is not whole by itself";
}

TEST(FitOfServo, HoldsOutARunCalledEight) {
  const Outcome run = Bench().bristle(short_fit({"--hold-out", "8", "--json"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto fit = run.json();
  EXPECT_EQ(fit["runs"][0]["run"], "8");
  EXPECT_EQ(fit["runs"][0]["is_held_out"], true);
  EXPECT_EQ(fit["runs"][0].count("fitted"), 0u);
  EXPECT_GT(fit["runs"][0]["held_out"]["samples"], 100);
  EXPECT_EQ(fit["runs"][1].count("held_out"), 0u);
}

TEST(FitOfServo, SaysInASentenceWhatIsWrong) {
  const Bench bench;
  const auto refused = [&](const Words& more, const std::string& part) {
    expect_refused(bench.bristle(short_fit(more)), 2, {part});
  };
  refused({"--measured", "servo.gaol=goal_rad"}, "did you mean 'servo.goal'?");
  refused({"--measured", "coupling.servo.supply=input_volts"},
          "a parameter must be the same throughout a run");
  refused({"--leave-out", "gian"}, "there is no column 'gian'");
  refused({"--leave-out", "pwm_counts"}, "within run 8, it must be the same throughout a run");
  refused({"--leave-out", "gain"}, "all runs have the same value");
  refused({"--hold-out", "16"}, "there is no run '16'");
  refused({"--hold-out", "8", "--leave-out", "trajectory"}, "exclude each other");
  refused({"--offset"}, "--offset has no meaning with --machine");
  const Words law{"fit", folder + "runs.csv", "--model", "stribeck", "--leave-out", "gain"};
  expect_refused(bench.bristle(law), 2, {"--leave-out: needs --machine"});
  EXPECT_EQ(bench.files(), std::set<std::string>{});
}

TEST(FitOfServo, RunsAsAMachineAtFixedSteps) {
  const Bench bench;
  const Outcome run =
      bench.bristle({"run", folder + "servo.toml", "--no-figures", "--out", "swung"});
  EXPECT_EQ(run.code, 0) << run.err;
  const Outcome other = bench.bristle(
      {"run", folder + "servo.toml", "--set", "solve.method=rosenbrock", "--out", "other"});
  expect_refused(other, 2, {"runs at fixed steps only, use method = \"coupled\""});
}

TEST(FitOfServo, InterruptedLeavesNothingBehind) {
  const Bench bench;
  Process process(bench.root(), servo_fit({"--free", "contact.teeth.viscous", "--leave-out", "run",
                                           "--out", "found"}));
  process.signal(SIGINT);
  const Outcome cut = process.outcome();
  EXPECT_EQ(cut.code, 130) << cut.err;
  EXPECT_PRED2(contains, cut.err, "nothing was written");
  EXPECT_EQ(bench.files(), std::set<std::string>{});
}

}  // namespace
}  // namespace bristle::test::servo_test
