// SPDX-License-Identifier: MIT
// `bristle loop`: measured loops, their fit, and wrong tables.
#include "cli/program.hpp"

namespace bristle::test::loop_test {
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

// Counterclockwise: half the input and a play of it, at two sizes.
std::string lagging() {
  std::string text = "field,flux,part\n";
  for (int part = 1; part <= 2; ++part)
    for (int k = 0, state = 0; k <= 80; ++k) {
      // In thousandths, so that the play is exact.
      const int x = int(std::lround(1000.0 * part * std::cos(0.07853981633974483 * k)));
      state = std::max(x - 300, std::min(x + 300, state));
      text += std::to_string(1e-3 * x) + "," + std::to_string(1e-3 * (0.5 * x + state)) + "," +
              std::to_string(part) + "\n";
    }
  return text;
}

TEST(Loop, FitsPlaysAndWritesTheInverse) {
  const Bench bench;
  bench.write("loops.csv", lagging());
  const Outcome run = bench.bristle(
      {"loop", "loops.csv", "--by", "part", "--fit", "8", "--out", "found", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json().at("fit").at("model").at("weights").size(), 8u);
  EXPECT_TRUE(bench.has("found/summary.json"));
  EXPECT_TRUE(bench.has("found/loop1.csv"));
  EXPECT_TRUE(bench.has("found/inverse.toml"));
  EXPECT_LT(run.json().at("fit").at("round_trip_error").get<double>(), 1e-10);
}

// Force over displacement of a spring beside a Coulomb damper: four cycles that grow, from rest,
// and a quarter of a fifth.
std::string damper(double spring, double friction) {
  std::string text = "displacement,force\n";
  for (int k = 0; k <= 340; ++k) {
    const double size = 0.25 + 0.25 * std::min(3, k / 80);
    const double x = size * std::sin(0.07853981633974483 * k);
    const double sign = k % 80 <= 20 || k % 80 > 60 ? 1.0 : -1.0;
    text += std::to_string(x) + "," + std::to_string(spring * x + friction * sign) + "\n";
  }
  return text;
}

TEST(Loop, FitsClockwiseLoopsByStopsBesideASpring) {
  const Bench bench;
  bench.write("damper.csv", damper(2.0, 1.0));
  const Outcome run =
      bench.bristle({"loop", "damper.csv", "--fit", "20", "--out", "found", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto fit = run.json().at("fit");
  EXPECT_EQ(fit.at("orientation"), "clockwise");
  EXPECT_EQ(fit.at("operator"), "stops beside a spring");
  EXPECT_EQ(fit.at("rows"), 341);
  EXPECT_TRUE(fit.at("explains").get<bool>());
  EXPECT_GT(fit.at("r_squared").get<double>(), 0.97);
  EXPECT_LT(fit.at("rms_error").get<double>(), 0.3 * fit.at("line_rms_error").get<double>());
  EXPECT_NEAR(fit.at("maxwell_slip").at("spring").get<double>(), 2.0, 0.2);
  // Rounding, through the twenty slopes that the inverse divides by.
  EXPECT_LT(fit.at("round_trip_error").get<double>(), 1e-10);
  // The model that was written gives the loop again, and has an inverse.
  EXPECT_EQ(bench.bristle({"run", "found/model.toml", "--out", "again"}).code, 0);
  const Outcome inverse = bench.bristle({"invert", "found/model.toml"});
  EXPECT_EQ(inverse.code, 0) << inverse.err;
}

TEST(Loop, DrawsTheFitOverTheDataAndKeepsItAsAPart) {
  const Bench bench;
  bench.write("damper.csv", damper(2.0, 1.0));
  const Outcome run = bench.bristle({"loop", "damper.csv", "--fit", "20", "--out", "found",
                                     "--licence", "CC0", "--source", "a damper"});
  ASSERT_EQ(run.code, 0) << run.err;
  for (const char* part : {"fitted", "orientation clockwise", "closing error", "<figure"})
    EXPECT_PRED2(contains, bench.text("found/report.html"), part);
  const Outcome shown = bench.bristle({"part", "show", "found/part.toml"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  for (const char* part : {"prandtl_ishlinskii, fitted", "range: input", "range: output",
                           "all rows", "licence: CC0", "damper.csv"})
    EXPECT_PRED2(contains, shown.out, part);
  EXPECT_EQ(bench.bristle({"part", "check", "found/part.toml"}).code, 0);
  // The part runs as the model does.
  const std::string rest = "[input]\nshape = \"sine\"\namplitude = 1\n[solve]\nend = 13\n";
  bench.write("by_part.toml", "[system]\npart = \"found/part.toml\"\n" + rest);
  for (const char* file : {"by_part", "found/model"}) {
    const std::string name = std::string(file) + ".toml";
    ASSERT_EQ(
        bench
            .bristle({"run", name, "--no-figures", "--out", file + std::string("_run"), "--set",
                      "input.amplitude=1", "--set", "input.offset=0", "--set", "solve.end=13"})
            .code,
        0);
  }
  EXPECT_EQ(bench.text("by_part_run/trajectory.csv"), bench.text("found/model_run/trajectory.csv"));
  expect_refused(bench.bristle({"fit", "damper.csv", "--start", "found/part.toml"}), 2,
                 {"is the part of the operator prandtl_ishlinskii"});
  bench.write("wrong.toml", "[model]\npart = \"found/part.toml\"\n");
  expect_refused(bench.bristle({"run", "wrong.toml"}), 2,
                 {"wrong.toml:2", "is that of a system, which [model] has no use for"});
}

TEST(Loop, InvertsNothingThatExplainsNothing) {
  const Bench bench;
  bench.write("line.csv", damper(2.0, 0.0));
  const Outcome run = bench.bristle({"loop", "line.csv", "--fit", "20", "--out", "found"});
  EXPECT_EQ(run.code, 5) << run.err;
  EXPECT_PRED2(contains, run.out, "the fit explains nothing");
  EXPECT_FALSE(contains(run.out, "recovers the input"));
  EXPECT_FALSE(bench.has("found/inverse.toml"));
  EXPECT_FALSE(bench.has("found/model.toml"));
  const Outcome json = bench.bristle({"loop", "line.csv", "--fit", "20", "--json"});
  EXPECT_EQ(json.code, 5);
  EXPECT_FALSE(json.json().at("fit").contains("inverse"));
  EXPECT_FALSE(json.json().at("fit").contains("round_trip_error"));
}

TEST(Loop, FitsAllRowsAndNamesThoseInNoLoop) {
  const Bench bench;
  bench.write("damper.csv", damper(2.0, 1.0));
  const auto j = bench.bristle({"loop", "damper.csv", "--fit", "8", "--json"}).json();
  std::size_t left = 0;
  for (const auto& part : j.at("rows_in_no_loop")) {
    left += part.at("last_row").get<std::size_t>() - part.at("first_row").get<std::size_t>() + 1;
    EXPECT_FALSE(part.at("why").get<std::string>().empty());
  }
  EXPECT_GT(left, 0u);
  EXPECT_EQ(j.at("fit").at("rows"), j.at("rows"));
  const Outcome words = bench.bristle({"loop", "damper.csv"});
  EXPECT_PRED2(contains, words.out,
               std::to_string(left) + " of 341 rows are in no loop of this list");
  EXPECT_PRED2(contains, words.out, "no whole cycle there");
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
  expect_refused(bench.bristle({"loop", "loops.csv", "--x", "1", "--y", "1"}), 2,
                 {"cannot be both input and output"});
  bench.write("still.csv", "u,y\n3,0\n3,1\n3,0\n3,1\n");
  expect_refused(bench.bristle({"loop", "still.csv"}), 2,
                 {"the input, column 'u', is 3 in every row: no loop"});
}

TEST(Loop, IsNotMadeOfAnInputThatNeverTurns) {
  const Bench bench;
  bench.write("record.csv", "time,u,y\n0,0,0\n1,1,1\n2,2,1\n3,1,0\n4,0,-1\n");
  expect_refused(bench.bristle({"loop", "record.csv"}), 2,
                 {"record.csv: the input \"time\" never falls", "--x"});
  EXPECT_EQ(bench.bristle({"loop", "record.csv", "--x", "u", "--y", "y"}).code, 0);
  bench.write("short.csv", "u,y\n0,0\n");
  expect_refused(bench.bristle({"loop", "short.csv"}), 2,
                 {"short.csv: a loop needs at least 4 rows, there is 1"});
}

}  // namespace
}  // namespace bristle::test::loop_test
