// SPDX-License-Identifier: MIT
// Fits of machines as a command.
#include <cmath>

#include "cli/program.hpp"

namespace bristle::test::machine_fit_test {
namespace {

// A sledge on a spring with dry friction.
const std::string sledge =
    "[[body]]\nname = \"sledge\"\ninertia = 2.0\n"
    "[[coupling]]\nname = \"spring\"\nkind = \"spring_damper\"\nbetween = [\"sledge\", "
    "\"ground\"]\n"
    "stiffness = 50.0\n"
    "[[contact]]\nname = \"rail\"\non = \"sledge\"\nlaw = { name = \"coulomb\", coulomb_force = "
    "0.5 }\n"
    "[[input]]\nname = \"push\"\non = \"sledge\"\namplitude = 3.0\nfrequency = 4.0\n"
    "[solve]\nend = 3.0\ntolerance = 1e-9\nsamples = 301\n";

// Its motion in mm over ms, with an error of some micrometres.
std::string log_of(const Bench& bench) {
  bench.write("sledge.toml", sledge);
  EXPECT_EQ(bench.bristle({"run", "sledge.toml", "--no-figures", "--out", "r"}).code, 0);
  std::istringstream rows(read(bench.root() / "r/trajectory.csv"));
  std::string row, text = "t_ms,F_N,x_mm\n";
  std::getline(rows, row);
  for (int i = 0; std::getline(rows, row); ++i) {
    const double t = std::stod(row), x = std::stod(row.substr(row.find(',') + 1));
    text += std::to_string(1e3 * t) + "," + std::to_string(3.0 * std::sin(4.0 * t)) + "," +
            std::to_string(1e3 * x + 0.005 * std::sin(97.0 * i * i)) + "\n";
  }
  return text;
}

TEST(MachineFitCommand, FindsMassAndFrictionFromForceAndMotionInTheirUnits) {
  const Bench bench;
  bench.write("log.csv", log_of(bench));
  const Outcome o = bench.bristle({"fit",        "log.csv",
                                   "--machine",  "sledge.toml",
                                   "--time",     "t_ms",
                                   "--measured", "push=F_N",
                                   "--measured", "sledge.position=x_mm",
                                   "--free",     "body.sledge.inertia",
                                   "--free",     "contact.rail.coulomb_force",
                                   "--guess",    "body.sledge.inertia=1.5",
                                   "--guess",    "contact.rail.coulomb_force=0.8",
                                   "--starts",   "4",
                                   "--out",      "fitted",
                                   "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto j = o.json();
  const auto parameter = [&](std::size_t i, const char* name) {
    return j["parameters"][i][name].get<double>();
  };
  EXPECT_NEAR(parameter(0, "value"), 2.0, 0.01);
  EXPECT_NEAR(parameter(1, "value"), 0.5, 0.01);
  EXPECT_LT(parameter(1, "lower"), parameter(1, "upper"));
  EXPECT_LT(parameter(1, "upper") - parameter(1, "lower"), 0.05);
  EXPECT_TRUE(fs::exists(bench.root() / "fitted/fit-1.csv"));
}

TEST(MachineFitCommand, RefusesInOneSentence) {
  const Bench bench;
  bench.write("sledge.toml", sledge);
  bench.write("log.csv", "t,F,x\n0,0,0\n1,0,0\n2,0,0\n3,0,0\n4,0,0\n");
  const auto refused = [&](Words more) {
    Words words{"fit", "log.csv", "--machine", "sledge.toml"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = bench.bristle(words);
    EXPECT_EQ(o.code, 2) << o.err;
    return o.err;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(refused({"--measured", "psh=F"}), "did you mean 'push'"));
  EXPECT_TRUE(has(refused({"--measured", "push=F"}), "--measured BODY.position=COLUMN"));
  EXPECT_TRUE(has(refused({"--measured", "sledge.position=x:kg"}), "unit of mass"));
  EXPECT_TRUE(has(refused({"--measured", "sledge.position=x"}), "at least one free parameter"));
  EXPECT_TRUE(has(refused({"--measured", "sledge.position=x", "--free", "body.sledg.inertia"}),
                  "body.sledge.inertia"));
  EXPECT_TRUE(has(refused({"--model", "lugre"}), "--model has no meaning with --machine"));
  EXPECT_EQ(bench.bristle({"fit", "log.csv"}).code, 2);
  EXPECT_EQ(bench.bristle({"fit", "log.csv", "--measured", "a=b", "--model", "lugre"}).code, 2);
}

}  // namespace
}  // namespace bristle::test::machine_fit_test
