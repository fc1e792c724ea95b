// SPDX-License-Identifier: MIT
// `bristle loop`: measured loops, their fit, and wrong tables.
#include "cli/program.hpp"

namespace bristle::test {
namespace {

std::string ellipse() {
  std::string text = "field,flux,part\n";
  for (int part = 1; part <= 2; ++part)
    for (int k = 0; k <= 60; ++k)
      text += std::to_string(part * std::cos(0.10471975511965977 * k)) + "," +
              std::to_string(std::sin(0.10471975511965977 * k)) + "," + std::to_string(part) + "\n";
  return text;
}

TEST(Loop, MeasuresEveryLoopOfATable) {
  const Bench bench;
  bench.write("loops.csv", ellipse());
  const Outcome run = bench.bristle({"loop", "loops.csv", "--by", "part", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto loops = run.json().at("loops");
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_NEAR(loops[0].at("area").get<double>(), -3.14159, 0.01);
  EXPECT_NEAR(loops[1].at("area").get<double>(), -6.28319, 0.02);
  EXPECT_EQ(loops[0].at("orientation"), "counterclockwise");
  EXPECT_TRUE(loops[1].at("closes").get<bool>());
}

TEST(Loop, FitsPlaysAndWritesTheInverse) {
  const Bench bench;
  bench.write("loops.csv", ellipse());
  const Outcome run = bench.bristle(
      {"loop", "loops.csv", "--by", "part", "--fit", "8", "--out", "found", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json().at("fit").at("model").at("weights").size(), 8u);
  EXPECT_TRUE(bench.has("found/summary.json"));
  EXPECT_TRUE(bench.has("found/loop1.csv"));
}

TEST(Loop, RefusesWrongTablesInASentence) {
  const Bench bench;
  bench.write("loops.csv", ellipse());
  const Outcome column = bench.bristle({"loop", "loops.csv", "--x", "fild"});
  EXPECT_EQ(column.code, 2);
  EXPECT_PRED2(contains, column.err, "there is no column 'fild'");
  EXPECT_EQ(bench.bristle({"loop", "missing.csv"}).code, 3);
  EXPECT_EQ(bench.bristle({"loop", "loops.csv", "--fit", "0"}).code, 2);
  bench.write("back.csv", "t,u,y\n0,0,0\n1,1,1\n1,2,1\n2,1,2\n");
  expect_refused(bench.bristle({"loop", "back.csv", "--time", "t", "--x", "u", "--y", "y"}), 2,
                 {"row 3", "t = 1 does not come after 1"});
  bench.write("gap.csv", "u,y\n0,0\n1,nan\n0,1\n");
  expect_refused(bench.bristle({"loop", "gap.csv"}), 2, {"gap.csv:3", "column 'y'"});
  bench.write("one.csv", "a\n1\n2\n");
  const Outcome one = bench.bristle({"loop", "one.csv"});
  EXPECT_EQ(one.code, 2);
  EXPECT_PRED2(contains, one.err, "needs two columns");
}

}  // namespace
}  // namespace bristle::test
