// SPDX-License-Identifier: MIT
// `bristle part`, and parts on the command lines of others.
#include <cmath>
#include <map>
#include <random>

#include "cli/program.hpp"

namespace bristle::test::part_test {
namespace {

// A Dahl law on a sine, sliding 1 N, with a little noise of its own by the seed.
std::string strokes(unsigned seed, double coulomb = 1.0) {
  std::string text = "time,position,force\n";
  std::minstd_rand engine(seed);
  double z = 0.0, before = 0.0;
  for (int i = 0; i < 1200; ++i) {
    const double t = 2e-3 * i, x = 1e-3 * std::sin(7.0 * t);
    const double move = x - before, sign = move > 0.0 ? 1.0 : -1.0;
    z = sign * (1e-4 - (1e-4 - sign * z) * std::exp(-std::abs(move) / 1e-4));
    before = x;
    const double noise = 0.02 * (double(engine()) / 2147483647.0 - 0.5);
    text += std::to_string(t) + "," + std::to_string(1e9 * x) + "e-9," +
            std::to_string(coulomb * 1e4 * z + noise) + "\n";
  }
  return text;
}

void fit(const Bench& bench, const std::string& name, const Words& more = {}) {
  Words words{"fit",   name + ".csv", "--model",   "dahl", "--hold-out", "0.3",
              "--out", name,          "--licence", "CC0",  "--source",   "a sine"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome run = bench.bristle(words);
  ASSERT_EQ(run.code, 0) << run.err;
}

TEST(PartCommand, ShowsAndChecksTheResultOfAFit) {
  const Bench bench;
  bench.write("one.csv", strokes(1));
  fit(bench, "one");
  const Outcome shown = bench.bristle({"part", "show", "one/part.toml"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  for (const char* part :
       {"dahl, fitted", "95 % interval", "stiffness", "N/m", "range: speed", "held out", "rmse",
        "licence: CC0", "source: a sine", "command: bristle"})
    EXPECT_PRED2(contains, shown.out, part);
  const Outcome checked = bench.bristle({"part", "check", "one/part.toml"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_PRED2(contains, checked.out, "one.csv: the file that was fitted");
  bench.write("one.csv", strokes(2));
  const Outcome changed = bench.bristle({"part", "check", "one/part.toml"});
  EXPECT_EQ(changed.code, 1);
  EXPECT_PRED2(contains, changed.out, "another content than when it was fitted");
  bench.write("broken.toml", bench.text("one/part.toml") + "[tail]\n");
  expect_refused(bench.bristle({"part", "check", "broken.toml"}), 2, {"unknown key 'tail'"});
  expect_refused(bench.bristle({"part", "check", "none.toml"}), 3, {"none.toml"});
  expect_refused(bench.bristle({"part", "diff", "one/part.toml"}), 2, {"takes 2 files"});
}

TEST(PartCommand, DistinguishesParametersThatDifferFromThoseThatScatter) {
  const Bench bench;
  for (const auto& [name, text] :
       {std::pair{"one", strokes(1)}, {"same", strokes(9)}, {"other", strokes(5, 1.2)}}) {
    bench.write(std::string(name) + ".csv", text);
    fit(bench, name);
  }
  const Outcome same = bench.bristle({"part", "diff", "one/part.toml", "same/part.toml"});
  EXPECT_EQ(same.code, 0) << same.out;
  EXPECT_PRED2(contains, same.out, "0 of ");
  const Outcome other = bench.bristle({"part", "diff", "one/part.toml", "other/part.toml"});
  EXPECT_EQ(other.code, 1) << other.out;
  EXPECT_PRED2(contains, other.out, "differs");
}

TEST(PartCommand, GivesAnotherFitItsLawAndItsStart) {
  const Bench bench;
  bench.write("one.csv", strokes(1));
  bench.write("two.csv", strokes(3, 1.1));
  fit(bench, "one", {"--offset", "--fix", "exponent=1.1"});
  const Outcome run =
      bench.bristle({"fit", "two.csv", "--start", "one/part.toml", "--starts", "0", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto summary = run.json();
  EXPECT_EQ(summary["model"], "dahl");
  std::map<std::string, double> values;
  for (const auto& p : summary["parameters"]) values[p["name"]] = p["value"];
  EXPECT_EQ(values["exponent"], 1.1);
  EXPECT_TRUE(values.contains("offset"));
  EXPECT_NEAR(values["coulomb_force"], 1.1, 0.03);
  expect_refused(bench.bristle({"fit", "two.csv", "--start", "one/part.toml", "--model", "lugre"}),
                 2, {"is of the law dahl, not of lugre"});
}

TEST(PartCommand, GivesAMotionForWhatItDoesNotDetermine) {
  const Bench bench;
  const std::string part = std::string(BRISTLE_EXPERIMENTS) + "/../parts/cylinder-3bar.toml";
  const Outcome run = bench.bristle(
      {"excite", "--part", part, "--duration", "5", "--rate", "200", "--trials", "30"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out, "18202 to 81714");
  EXPECT_PRED2(contains, run.out, "not determined before");
  expect_refused(bench.bristle({"excite", "--part", part, "--model", "lugre"}), 2,
                 {"the part is of the law dahl"});
  expect_refused(bench.bristle({"excite"}), 2, {"--model: is needed"});
}

TEST(PartCommand, GivesARunItsLawAndARunThatIsFasterAWarning) {
  const Bench bench;
  bench.write("one.csv", strokes(1));
  fit(bench, "one");
  bench.write("drag.toml",
              "[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n[input]\n"
              "shape = \"sine\"\namplitude = 0.01\nfrequency = 7.0\n[solve]\nend = 1.0\n");
  const Outcome run = bench.bristle(
      {"run", "drag.toml", "--part", "one/part.toml", "--no-figures", "--out", "r", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const double force = run.json()["cases"][0]["model"]["parameters"]["coulomb_force"];
  EXPECT_NEAR(force, 1.0, 0.01);
  EXPECT_NE(force, 1.0);
  EXPECT_PRED2(contains, run.err, "warning: ");
  EXPECT_PRED2(contains, run.json()["warnings"].dump(), "the speed reaches 0.07");
  // Fields that are set stay above those of the part.
  const Outcome set =
      bench.bristle({"run", "drag.toml", "--part", "one/part.toml", "--set",
                     "model.coulomb_force=3", "--no-figures", "--out", "r", "--json"});
  EXPECT_EQ(set.json()["cases"][0]["model"]["parameters"]["coulomb_force"], 3.0);
}

}  // namespace
}  // namespace bristle::test::part_test
