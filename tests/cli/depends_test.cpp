// SPDX-License-Identifier: MIT
// Parameters that depend on columns, from the data to a run; several joints; comparisons that begin
// from a part.
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "cli/program.hpp"

namespace bristle::test::depends_test {
namespace {

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.12g", x);
  return text;
}

// A Dahl law on a sine, its Coulomb force by the temperature, with a little noise.
double coulomb_at(double temperature) { return 1.0 - 5e-3 * (temperature - 40.0); }

std::string warm_strokes(unsigned seed) {
  std::string text = "time_s,position_m,temperature_C,force_N\n";
  std::minstd_rand engine(seed);
  double z = 0.0, before = 0.0;
  for (int i = 0; i < 1500; ++i) {
    const double t = 2e-3 * i, x = 1e-3 * std::sin(7.0 * t), temperature = 20.0 + 40.0 * t / 3.0;
    const double move = x - before, sign = move > 0.0 ? 1.0 : -1.0;
    const double bend = coulomb_at(temperature) / 1e4;
    z = sign * (bend - (bend - sign * z) * std::exp(-std::abs(move) / bend));
    before = x;
    const double noise = 0.01 * (double(engine()) / 2147483647.0 - 0.5);
    text += number(t) + "," + number(x) + "," + number(temperature) + "," +
            number(1e4 * z + noise) + "\n";
  }
  return text;
}

double largest_force(const std::string& csv) {
  std::istringstream rows(csv);
  std::string line, cell;
  std::getline(rows, line);
  double largest = 0.0;
  while (std::getline(rows, line)) {
    std::istringstream cells(line);
    for (int k = 0; k < 6; ++k) std::getline(cells, cell, ',');
    largest = std::max(largest, std::stod(cell));
  }
  return largest;
}

Words fit_words(const Words& more) {
  Words words{"fit", "warm.csv", "--model", "dahl"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(Depends, OfATemperatureGoIntoThePartAndActInARun) {
  const Bench bench;
  bench.write("warm.csv", warm_strokes(1));
  const Outcome fit = bench.bristle(
      fit_words({"--depends", "coulomb_force=temperature_C:linear", "--out", "warm"}));
  ASSERT_EQ(fit.code, 0) << fit.err;
  EXPECT_PRED2(contains, fit.out, "condition: column \"temperature_C\"");
  EXPECT_PRED2(contains, fit.out, "coulomb_force = ");
  EXPECT_PRED2(contains, fit.out, "(temperature_C - 40) N");
  const Outcome shown = bench.bristle({"part", "show", "warm/part.toml"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  for (const char* part : {"coulomb_force.temperature_C", "dependence", "range: temperature_C",
                           "coulomb_force is linear in temperature_C, counted from 40"})
    EXPECT_PRED2(contains, shown.out, part);
  for (const double temperature : {25.0, 40.0, 55.0}) {
    const Outcome run = bench.bristle({"run", "warm/run.toml", "--no-figures", "--out", "again",
                                       "--set", "conditions.temperature_C=" + number(temperature)});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err.find("temperature_C is"), std::string::npos) << run.err;
    EXPECT_NEAR(largest_force(bench.text("again/trajectory.csv")), coulomb_at(temperature), 5e-3);
  }
  // Without a word it is at the reference, and outside of the data that is said.
  const Outcome silent = bench.bristle({"run", "warm/run.toml", "--no-figures", "--out", "again"});
  EXPECT_PRED2(contains, silent.err, "its parameters depend on temperature_C, taken at 40");
  EXPECT_NEAR(largest_force(bench.text("again/trajectory.csv")), 1.0, 5e-3);
  const Outcome hot = bench.bristle({"run", "warm/run.toml", "--no-figures", "--out", "again",
                                     "--set", "conditions.temperature_C=90"});
  EXPECT_PRED2(contains, hot.err, "temperature_C is 90, the data of the part cover 20 to 59.9");
  expect_refused(bench.bristle({"run", "warm/run.toml", "--set", "conditions.temperature_C=300"}),
                 2, {"coulomb_force"});
  expect_refused(bench.bristle({"run", "warm/run.toml", "--set", "conditions.temperatur=30"}), 2,
                 {"temperatur", "temperature_C"});
}

TEST(Depends, StartFromAPartThatHasThem) {
  const Bench bench;
  bench.write("warm.csv", warm_strokes(1));
  bench.write("more.csv", warm_strokes(2));
  ASSERT_EQ(
      bench.bristle(fit_words({"--depends", "coulomb_force=temperature_C:linear", "--out", "warm"}))
          .code,
      0);
  const Outcome again = bench.bristle({"fit", "more.csv", "--start", "warm/part.toml", "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  const auto found = nlohmann::json::parse(again.out);
  EXPECT_EQ(found["dependences"][0]["column"], "temperature_C");
  for (const auto& p : found["parameters"])
    if (p["name"] == "coulomb_force.temperature_C") {
      EXPECT_NEAR(double(p["value"]), -5e-3, 2e-4);
    }
}

TEST(Depends, ThatCannotBeMeantAreRefused) {
  const Bench bench;
  bench.write("warm.csv", warm_strokes(1));
  const auto refused = [&](const Words& more, const Words& parts) {
    expect_refused(bench.bristle(fit_words(more)), 2, parts);
  };
  refused({"--depends", "coulomb_force"}, {"must read NAME=COLUMN:FORM"});
  refused({"--depends", "coulomb_force=temperature_C:linaer"}, {"did you mean 'linear'"});
  refused({"--depends", "coulomb_farce=temperature_C:linear"}, {"coulomb_force"});
  refused({"--depends", "coulomb_force=temperature:linear"}, {"temperature", "temperature_C"});
  refused({"--depends", "coulomb_force=force_N:linear", "--force", "force_N"}, {"cannot be both"});
  refused({"--machine", "none.toml", "--backlash"}, {"--backlash", "not of a machine"});
}

TEST(Domain, HasTheTemperatureOfTheData) {
  const Bench bench;
  bench.write("warm.csv", warm_strokes(1));
  ASSERT_EQ(bench.bristle(fit_words({"--out", "warm"})).code, 0);
  const Outcome shown = bench.bristle({"part", "show", "warm/part.toml"});
  EXPECT_PRED2(contains, shown.out, "range: temperature_C");
}

TEST(Joints, OfOneRecordAreFittedOneByOne) {
  const Bench bench;
  std::string text = "time_s,q1_rad,q2_rad,i1_A,i2_A\n";
  for (int i = 0; i < 1500; ++i) {
    const double t = 2e-3 * i;
    const double v1 = 0.9 * std::cos(3.0 * t), v2 = -1.1 * std::sin(2.0 * t);
    const auto torque = [](double v, double c, double d) { return (v > 0.0 ? c : -c) + d * v; };
    // Behind a gear of 50 the motor turns faster, and its current gives a part of the torque.
    text += number(t) + "," + number(50.0 * 0.3 * std::sin(3.0 * t)) + "," +
            number(0.55 * std::cos(2.0 * t)) + "," + number(torque(v1, 2.0, 0.5) / 50.0 / 0.1) +
            "," + number(torque(v2, 0.7, 0.2)) + "\n";
  }
  bench.write("arm.csv", text);
  const Outcome fit =
      bench.bristle({"fit", "arm.csv", "--model", "stribeck", "--fix", "static_force=3", "--joint",
                     "shoulder=q1_rad,i1_A,gear=50,motor-constant=0.1", "--joint",
                     "elbow=q2_rad,i2_A,motor-constant=1", "--json", "--out", "arm"});
  ASSERT_TRUE(fit.code == 0 || fit.code == 5) << fit.err;
  const auto found = nlohmann::json::parse(fit.out);
  ASSERT_EQ(found["joints"].size(), 2u);
  EXPECT_EQ(found["joints"][1]["joint"], "elbow");
  for (int k = 0; k < 2; ++k)
    for (const auto& p : found["joints"][std::size_t(k)]["parameters"])
      if (p["name"] == "coulomb_force") {
        EXPECT_NEAR(double(p["value"]), k == 0 ? 2.0 : 0.7, 0.01);
      }
  bench.text("arm/shoulder/part.toml"), bench.text("arm/elbow/report.html");
  expect_refused(bench.bristle({"fit", "arm.csv", "--model", "stribeck", "--joint", "a=q1_rad"}), 2,
                 {"--joint a=q1_rad", "must read NAME=POSITION,FORCE"});
  expect_refused(
      bench.bristle({"fit", "arm.csv", "--model", "stribeck", "--joint", "../a=q1_rad,i1_A"}), 2,
      {"letters, digits"});
  expect_refused(
      bench.bristle({"fit", "arm.csv", "--model", "stribeck", "--joint", "a=q1_rad,i1_A,gaer=2"}),
      2, {"did you mean 'gear'"});
}

TEST(Comparison, StartsFromAPartAndGivesTheErrorsOfEachRun) {
  const Bench bench;
  bench.write("warm.csv", warm_strokes(1));
  bench.write("more.csv", warm_strokes(2));
  ASSERT_EQ(bench.bristle(fit_words({"--fix", "exponent=1.2", "--out", "warm"})).code, 0);
  const Words words{"compare", "warm.csv",       "more.csv", "--models", "dahl,coulomb",
                    "--start", "warm/part.toml", "--out",    "ladder"};
  const Outcome compared = bench.bristle(words);
  ASSERT_EQ(compared.code, 0) << compared.err;
  EXPECT_PRED2(contains, compared.out, "errors of each run");
  EXPECT_PRED2(contains, bench.text("ladder/report.html"), "Errors of each run");
  const auto summary = nlohmann::json::parse(bench.text("ladder/summary.json"));
  EXPECT_EQ(summary["ranking"][0]["runs"].size(), 2u);
  for (const auto& p : summary["ranking"][0]["parameters"])
    if (p["name"] == "exponent") {
      EXPECT_EQ(double(p["value"]), 1.2);
    }
  expect_refused(
      bench.bristle({"compare", "warm.csv", "--models", "coulomb", "--start", "warm/part.toml"}), 2,
      {"is of the law dahl, which is not among --models"});
  // What a comparison has no place for is not dropped in silence.
  ASSERT_EQ(
      bench.bristle(fit_words({"--depends", "coulomb_force=temperature_C:linear", "--out", "oil"}))
          .code,
      0);
  expect_refused(bench.bristle({"compare", "warm.csv", "--start", "oil/part.toml"}), 2,
                 {"--start oil/part.toml", "parameters that depend on columns"});
}

}  // namespace
}  // namespace bristle::test::depends_test
