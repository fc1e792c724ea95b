// SPDX-License-Identifier: MIT
// `bristle fit --mechanism servo_pendulum` as its users meet it.
#include <cmath>

#include "cli/program.hpp"

namespace bristle::test {
namespace {

const std::string measured = std::string(BRISTLE_EXPERIMENTS) + "/../data/xl330-pendulum/runs.csv";

Words servo_fit(const Words& more, const std::string& file = measured) {
  Words words{"fit", file, "--model", "gear_friction", "--mechanism", "servo_pendulum"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The parameters of the documentation, all but those named held.
Words held_but(const std::set<std::string>& free) {
  const std::map<std::string, std::string> documented{
      {"mechanism.armature", "0.00200"}, {"mechanism.tilt", "-0.0154"},
      {"coulomb_torque", "0.0059"},      {"viscous", "0.0101"},
      {"stribeck_velocity", "0.348"},    {"driving_rise", "0.555"},
      {"driving_growth", "3.01"},        {"backdriving_rise", "0.547"}};
  Words words;
  for (const auto& [name, value] : documented)
    if (!free.contains(name)) words.insert(words.end(), {"--fix", name + "=" + value});
  return words;
}

// Two seconds of the four runs with a gain of 400, two parameters free.
Words short_fit(const Words& more) {
  Words words = held_but({"viscous", "driving_growth"});
  words.insert(words.end(), {"--where", "gain=400", "--to", "2", "--starts", "1"});
  words.insert(words.end(), more.begin(), more.end());
  return servo_fit(words);
}

double value(const nlohmann::json& fit, const std::string& name) {
  for (const auto& p : fit.at("parameters"))
    if (p.at("name") == name) return p.at("value");
  throw std::runtime_error("no parameter " + name);
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

TEST(FitOfServo, HasTheErrorOfTheDocumentationWithItsParameters) {
  const Outcome run = Bench().bristle(servo_fit([] {
    Words words = held_but({});
    words.emplace_back("--json");
    return words;
  }()));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto fit = run.json();
  // Both were printed to four decimals, as were the parameters to three digits.
  EXPECT_NEAR(fit["fitted"]["mean_absolute"].get<double>(), 0.0216, 1e-4);
  EXPECT_NEAR(fit["fitted"]["root_mean_square"].get<double>(), 0.0293, 1e-4);
  EXPECT_EQ(fit["fitted"]["runs"], 16);
  EXPECT_EQ(fit["rollout"]["input"], "goal_rad");
  EXPECT_LT(fit["rollout"]["step_error"].get<double>(), 2e-5);
}

TEST(FitOfServo, WritesFilesThatAgreeWithEachOther) {
  const Bench bench;
  const Outcome run = bench.bristle(short_fit({"--leave-out", "trajectory", "--out", "found"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out, "95 % interval");
  EXPECT_PRED2(contains, run.out, "each trajectory left out");
  EXPECT_PRED2(contains, run.out, "at the goal");
  EXPECT_EQ(bench.names("found"),
            (std::set<std::string>{".bristle-files", "fit.csv", "folds.csv", "left_out.csv",
                                   "report.html", "summary.json"}));
  const auto fit = nlohmann::json::parse(bench.text("found/summary.json"));
  // The errors of the runs from the samples.
  for (const auto& [file, key] : {std::pair{"fit", "mean_absolute"}, {"left_out", "left_out"}}) {
    const auto rows = rows_of(bench.text("found/" + std::string(file) + ".csv"));
    ASSERT_EQ(rows[0], (std::vector<std::string>{"run", "time", "goal", "position",
                                                 "fitted_position", "held_out"}));
    std::map<std::string, std::pair<double, double>> sums;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      auto& [sum, count] = sums[rows[i][0]];
      sum += std::abs(std::stod(rows[i][3]) - std::stod(rows[i][4])), count += 1.0;
    }
    ASSERT_EQ(sums.size(), 4u);
    for (const auto& each : fit["runs"]) {
      const auto [sum, count] = sums.at(each["run"]);
      const auto& error = each[key];
      const double told =
          error.is_object() ? error["mean_absolute"].get<double>() : error.get<double>();
      EXPECT_NEAR(told, sum / count, 1e-12);
    }
  }
  // Each trajectory is one run here, and what was left out is met worse than what was fitted.
  ASSERT_EQ(fit["left_out"]["folds"].size(), 4u);
  EXPECT_EQ(fit["left_out"]["folds"][2]["value"], "3");
  EXPECT_EQ(fit["left_out"]["folds"][2]["runs"], nlohmann::json({"10"}));
  EXPECT_GT(fit["left_out"]["mean_absolute"], fit["fitted"]["mean_absolute"]);
  const auto folds = rows_of(bench.text("found/folds.csv"));
  EXPECT_EQ(folds[0], (std::vector<std::string>{"run", "viscous", "driving_growth"}));
  EXPECT_EQ(std::stod(folds[3][1]),
            fit["left_out"]["folds"][2]["parameters"]["viscous"].get<double>());
  const std::string page = bench.text("found/report.html");
  EXPECT_PRED2(contains, page, "Run 10, gain 400, trajectory 3");
  EXPECT_PRED2(contains, page, "Error of each run");
  EXPECT_FALSE(contains(page, "src=\"http")) << "the page is not whole by itself";
}

TEST(FitOfServo, ReadsOtherNamesAndUnits) {
  const Bench bench;
  std::string text = "n,t_ms,aim,kp,where_deg\n";
  const auto rows = rows_of(read(measured));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto& r = rows[i];
    if (r[2] != "400" || std::stod(r[3]) > 2.0) continue;
    char line[200];
    const double degrees = 180.0 / std::acos(-1.0);
    std::snprintf(line, sizeof line, "r%s,%.12g,%.14g,%s,%.14g\n", r[0].c_str(),
                  1e3 * std::stod(r[3]), degrees * std::stod(r[4]), r[2].c_str(),
                  degrees * std::stod(r[5]));
    text += line;
  }
  bench.write("other.csv", text);
  Words words = held_but({"viscous", "driving_growth"});
  words.insert(words.end(),
               {"--run", "n", "--time", "t_ms:ms", "--input", "aim:deg", "--gain", "kp",
                "--position", "where_deg:deg", "--starts", "1", "--hold-out", "r11", "--json"});
  const Outcome other = bench.bristle(servo_fit(words, "other.csv"));
  const Outcome same = bench.bristle(short_fit({"--hold-out", "11", "--json"}));
  ASSERT_EQ(other.code, 0) << other.err;
  ASSERT_EQ(same.code, 0) << same.err;
  // The motor is on throughout these two seconds, and the digits written are the only difference.
  for (const char* name : {"viscous", "driving_growth"})
    EXPECT_NEAR(value(other.json(), name), value(same.json(), name),
                1e-6 * std::abs(value(same.json(), name)))
        << name;
  EXPECT_EQ(other.json()["held_out"]["runs"], 1);
  EXPECT_NEAR(other.json()["held_out"]["mean_absolute"].get<double>(),
              same.json()["held_out"]["mean_absolute"].get<double>(), 1e-7);
  EXPECT_PRED2(contains, other.json()["notes"][0].get<std::string>(), "--enabled");
}

TEST(FitOfServo, HoldsOutARunCalledZero) {
  Words words = held_but({"viscous"});
  words.insert(words.end(),
               {"--where", "gain=100", "--to", "1", "--starts", "0", "--hold-out", "0", "--json"});
  const Outcome run = Bench().bristle(servo_fit(words));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json()["runs"][0]["held_out"], true);
  EXPECT_EQ(run.json()["held_out"]["runs"], 1);
  EXPECT_EQ(run.json()["fitted"]["runs"], 3);
  // Three runs give no interval.
  for (const auto& p : run.json()["parameters"])
    if (p["name"] == "viscous") {
      EXPECT_TRUE(p["lower_95"].is_null());
    }
  EXPECT_PRED2(contains, run.json()["warnings"].dump(), "at least 4 runs");
}

TEST(FitOfServo, SaysInASentenceWhatIsWrong) {
  const Bench bench;
  const auto refused = [&](const Words& more, const std::string& part) {
    expect_refused(bench.bristle(servo_fit(more)), 2, {part});
  };
  for (const Words& option : std::vector<Words>{{"--steady"},
                                                {"--offset"},
                                                {"--asymmetric"},
                                                {"--robust"},
                                                {"--profile", "viscous"},
                                                {"--bound", "viscous=0:1"},
                                                {"--steps", "4"},
                                                {"--bandwidth", "10"},
                                                {"--force", "pwm_counts"},
                                                {"--load", "pwm_counts"},
                                                {"--velocity", "velocity_rad_s"},
                                                {"--output", "velocity"}})
    refused(option, option[0] + (option[0] == "--output" ? " velocity" : "") +
                        " has no meaning with --mechanism servo_pendulum: ");
  refused({"--input", "gaol"},
          "there is no column 'gaol' (columns: run, trajectory, gain, time_s,");
  refused({"--gain", "pwm_counts"}, "the gain goes from 0 to 2 within run 0");
  refused({"--leave-out", "gian"}, "there is no column 'gian' (columns: run,");
  refused({"--leave-out", "pwm_counts"}, "within run 0, it must be the same throughout a run");
  refused({"--hold-out", "0.3"}, "of a servo whole runs are held out");
  refused({"--hold-out", "16"}, "there is no run '16'");
  refused({"--hold-out", "1", "--leave-out", "gain"}, "exclude each other");
  refused({"--free", "motor_constant"}, "did you mean 'mechanism.motor_constant'?");
  refused({"--fix", "viscous=-1"}, "viscous = -1 N m s/rad is not allowed");
  bench.write("bare.csv", "time,angle,goal\n0,0,0\n1,1,1\n2,2,2\n");
  expect_refused(bench.bristle(servo_fit({}, "bare.csv")), 2,
                 {"no column looks like a gain, name it by --gain (columns: time, angle, goal)"});
  EXPECT_EQ(bench.files(), (std::set<std::string>{"bare.csv"}));
}

TEST(FitOfServo, GoesWithGearFrictionAndNoOther) {
  const Bench bench;
  const auto refused = [&](const std::string& model, const std::string& mechanism,
                           const Words& more, const char* part) {
    Words words{"fit", measured, "--model", model, "--mechanism", mechanism, "--input", "goal_rad"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(bench.bristle(words), 2, {part});
  };
  refused("stribeck", "servo_pendulum", {}, "only gear_friction can");
  refused("gear_friction", "dragged_mass", {},
          "gear_friction cannot be fitted with --mechanism dragged_mass, only with servo_pendulum");
  refused("gear_friction", "servo_pendulm", {}, "did you mean 'servo_pendulum'?");
  refused("dahl", "dragged_mass", {"--leave-out", "gain"},
          "--leave-out needs --mechanism servo_pendulum");
}

TEST(FitOfServo, InterruptedLeavesNothingBehind) {
  const Bench bench;
  Process process(bench.root(), servo_fit({"--leave-out", "run", "--out", "found"}));
  process.signal(SIGINT);
  const Outcome cut = process.outcome();
  EXPECT_EQ(cut.code, 130) << cut.err;
  EXPECT_PRED2(contains, cut.err, "nothing was written");
  EXPECT_EQ(bench.files(), std::set<std::string>{});
}

}  // namespace
}  // namespace bristle::test
