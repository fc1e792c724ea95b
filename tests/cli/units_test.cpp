// SPDX-License-Identifier: MIT
// Units, signs and contradictions of measured data as users of the command meet them.
#include <sys/stat.h>

#include <cmath>
#include <cstdio>
#include <sstream>

#include "cli/program.hpp"

namespace bristle::test::units_test {
namespace {

// A bristle of 10,167 N/m and 1 N driven along a sine, in ms, mm and the given force.
std::string strokes(const std::string& header, double force_factor, double offset = 0.0,
                    double asymmetry = 0.0) {
  std::string text = header + "\n";
  constexpr double stiffness = 10167.0, coulomb = 1.0;
  double z = 0.0, before = 0.0;
  for (int i = 0; i < 1200; ++i) {
    const double t = 2e-3 * i, x = 1e-3 * std::sin(7.0 * t) + 2e-4 * std::sin(31.0 * t);
    const double move = x - before, sign = move > 0.0 ? 1.0 : -1.0, full = coulomb / stiffness;
    z = sign * (full - (full - sign * z) * std::exp(-std::abs(move) / full));
    before = x;
    const double f = stiffness * z;
    char row[120];
    std::snprintf(row, sizeof row, "%.1f,%.9e,%.9e\n", 1e3 * t, 1e3 * x,
                  force_factor * (offset + f * (1.0 + asymmetry * (f > 0.0 ? 1.0 : -1.0))));
    text += row;
  }
  return text;
}

double value_of(const nlohmann::json& fit, const std::string& name) {
  for (const auto& p : fit.at("parameters"))
    if (p.at("name") == name) return p.at("value").get<double>();
  return NAN;
}

Words fit(const Words& more) {
  Words words{"fit", "strokes.csv", "--model", "dahl", "--starts", "32"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(UnitsOfColumns, ComeFromTheHeader) {
  for (const char* header :
       {"time_ms,position_mm,force_N", "t/ms,\"x, mm\",F [N]", "time,position,force\nms,mm,N"}) {
    const Bench bench;
    bench.write("strokes.csv", strokes(header, 1.0));
    const Outcome run = bench.bristle(fit({"--json"}));
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_NEAR(value_of(run.json(), "stiffness"), 10167.0, 20.0) << header;
    EXPECT_NEAR(value_of(run.json(), "coulomb_force"), 1.0, 1e-3) << header;
    const auto columns = run.json().at("columns");
    EXPECT_EQ(columns[1].at("unit"), "mm");
    EXPECT_EQ(columns[1].at("read_as"), "m");
    EXPECT_EQ(columns[1].at("factor"), 1e-3);
  }
}

// In inch, kip and ms as in SI; the numbers of the file differ in their last digits.
TEST(UnitsOfColumns, OfInchAndKipGiveTheNumbersOfSi) {
  const Bench bench;
  std::string text = "t [ms],x [in],F [kip]\n";
  std::istringstream rows(strokes("", 1.0 / 4448.2216152605));
  std::string row;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    double t = 0.0, x = 0.0, f = 0.0;
    ASSERT_EQ(std::sscanf(row.c_str(), "%lf,%lf,%lf", &t, &x, &f), 3);
    char line[120];
    std::snprintf(line, sizeof line, "%.1f,%.12e,%.12e\n", t, x / 25.4, f);
    text += line;
  }
  bench.write("strokes.csv", text);
  const auto inch = bench.bristle(fit({"--json"})).json();
  bench.write("strokes.csv", strokes("time_ms,position_mm,force_N", 1.0));
  const auto si = bench.bristle(fit({"--json"})).json();
  for (const char* name : {"stiffness", "coulomb_force"})
    EXPECT_NEAR(value_of(inch, name), value_of(si, name), 1e-5 * value_of(si, name)) << name;
  EXPECT_EQ(inch.at("columns")[1].at("read_as"), "m");
}

TEST(UnitsOfColumns, AreReportedByEveryCommand) {
  const Bench bench;
  bench.write("strokes.csv", strokes("time_ms,position_mm,force", 1.0));
  const Outcome run = bench.bristle(fit({"--out", "found"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out,
               "position: column \"position_mm\" in mm, read as m (factor 0.001)\n");
  EXPECT_PRED2(contains, run.out, "force: column \"force\", no unit given, read as N\n");
  EXPECT_PRED2(contains, bench.text("found/report.html"), "in mm, read as m (factor 0.001)");
  EXPECT_PRED2(contains, bench.text("found/summary.json"), "\"read_as\": \"m\"");
  const Outcome ladder = bench.bristle(
      {"compare", "strokes.csv", "--models", "dahl", "--starts", "16", "--out", "ladder"});
  EXPECT_PRED2(contains, ladder.out, "in mm, read as m (factor 0.001)\n");
  EXPECT_PRED2(contains, bench.text("ladder/report.html"), "in mm, read as m (factor 0.001)");
  const Outcome loop = bench.bristle({"loop", "strokes.csv", "--x", "position_mm", "--y", "force"});
  EXPECT_PRED2(contains, loop.out, "input: column \"position_mm\" in mm\n");
}

TEST(UnitsOfColumns, ThatDoNotFitAreRefused) {
  const Bench bench;
  bench.write("strokes.csv", strokes("time_ms,position_mm,force [V]", 0.04));
  expect_refused(bench.bristle(fit({})), 2,
                 {"column 'force [V]': 'V' is a unit of voltage", "(N, mN, uN, kN"});
  expect_refused(bench.bristle(fit({"--force", "force [V]:25", "--position", "position_mm:N"})), 2,
                 {"--position position_mm:N: 'N' is a unit of force", "(m, cm, mm, um"});
  const Outcome run = bench.bristle(fit({"--force", "force [V]:25", "--json"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NEAR(value_of(run.json(), "stiffness"), 10167.0, 20.0);
}

TEST(UnitsOfColumns, AreListed) {
  const Bench bench;
  const Outcome text = bench.bristle({"models", "units"});
  EXPECT_EQ(text.code, 0);
  for (const char* part : {"force [N]\n", "  lbf      4.4482216152605\n", "torque [N m]\n"})
    EXPECT_PRED2(contains, text.out, part);
  EXPECT_GT(bench.bristle({"models", "units", "--json"}).json().size(), 50u);
}

TEST(SignOfTheForce, GetsAWarningWhereItIsReversed) {
  const Bench bench;
  bench.write("strokes.csv", strokes("time_ms,position_mm,force_N", -1.0));
  const Outcome reversed = bench.bristle(fit({}));
  EXPECT_PRED2(contains, reversed.out, "% of the sliding samples: is its sign reversed?");
  EXPECT_PRED2(contains, reversed.out, "--force \"force_N:-N\"");
  const Outcome turned = bench.bristle(fit({"--force", "force_N:-N"}));
  ASSERT_EQ(turned.code, 0) << turned.err;
  EXPECT_EQ(turned.out.find("sign reversed"), std::string::npos);
  EXPECT_PRED2(contains, turned.out, "force: column \"force_N\" in -N, read as N (factor -1)");
}

TEST(FittedBias, IsInThePartAndActsInARun) {
  const Bench bench;
  bench.write("strokes.csv", strokes("time_ms,position_mm,force_N", 1.0, 0.3, 0.1));
  const Outcome run = bench.bristle(fit({"--offset", "--asymmetric", "--out", "found"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const auto summary = nlohmann::json::parse(bench.text("found/summary.json"));
  const double offset = value_of(summary, "offset"), asymmetry = value_of(summary, "asymmetry");
  EXPECT_NEAR(offset, 0.3, 1e-3);
  EXPECT_NEAR(asymmetry, 0.1, 1e-3);
  // The same motion with and without what was fitted beside the law.
  const auto forces = [&](const Words& more) {
    Words words{"run", "found/run.toml", "--no-figures", "--out", "again"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome out = bench.bristle(words);
    EXPECT_EQ(out.code, 0) << out.err;
    std::vector<double> column;
    std::istringstream rows(bench.text("again/trajectory.csv"));
    std::string line, cell;
    std::getline(rows, line);
    while (std::getline(rows, line)) {
      std::istringstream cells(line);
      for (int k = 0; k < 6; ++k) std::getline(cells, cell, ',');
      column.push_back(std::stod(cell));
    }
    return column;
  };
  const auto with = forces({});
  const auto alone = forces({"--set", "bias.offset=0", "--set", "bias.asymmetry=0"});
  ASSERT_EQ(with.size(), alone.size());
  ASSERT_GT(with.size(), 1000u);
  double largest = 0.0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    const double f = alone[i], sign = f > 0.0 ? 1.0 : f < 0.0 ? -1.0 : 0.0;
    ASSERT_NEAR(with[i], offset + f * (1.0 + asymmetry * sign), 1e-6) << i;
    largest = std::max(largest, with[i]);
  }
  EXPECT_NEAR(largest, 0.3 + 1.1, 0.01);
}

TEST(FittedBias, IsRefusedWhereItHasNoMeaning) {
  const Bench bench;
  bench.write("bad.toml", "[system]\nname = \"cubic\"\n[bias]\noffset = 1\n");
  expect_refused(bench.bristle({"run", "bad.toml"}), 2, {"bad.toml:4", "[bias] has no meaning"});
  bench.write("wide.toml", stick_slip + "[bias]\nasymmetry = 2\n");
  expect_refused(bench.bristle({"run", "wide.toml"}), 2,
                 {"wide.toml:11", "asymmetry = 2", "at most 0.99"});
}

TEST(Contradictions, AreRefusedInASentence) {
  const Bench bench;
  bench.write("strokes.csv", strokes("time_ms,position_mm,force_N", 1.0));
  bench.write("copy.csv", strokes("time_ms,position_mm,force_N", 1.0));
  const auto refused = [&](const Words& more, const char* part) {
    expect_refused(bench.bristle(fit(more)), 2, {part});
  };
  refused({"--fix", "stiffness=1e4", "--free", "stiffness"},
          "--fix stiffness=1e4 and --free stiffness contradict each other");
  refused({"--fix", "stiffness=1e4", "--fix", "stiffness=2e4"}, "both hold stiffness");
  refused({"--fix", "stiffness=1e4", "--guess", "stiffness=2e4"}, "is held and not fitted");
  refused({"--guess", "exponent=1.5"}, "exponent is held and not fitted; fit it with --free");
  refused({"--guess", "stiffness=1e6", "--bound", "stiffness=1:10"},
          "the guess of stiffness, 1e+06 N/m, lies outside its bounds from 1 to 10");
  refused({"--guess", "stifness=1"}, "did you mean 'stiffness'?");
  refused({"--load", "force_N", "--force", "force_N"},
          "column 'force_N' cannot be both load and force");
  refused({"copy.csv"}, "have the same content");
  refused({"./strokes.csv"}, "are the same file");
  expect_refused(bench.bristle({"compare", "strokes.csv", "--fix", "stiffness=1"}), 2,
                 {"--fix stiffness=1: has no meaning for a comparison"});
  bench.write("twice.csv", "t,x,F,F\n0,1,2,3\n1,2,3,4\n");
  expect_refused(bench.bristle({"fit", "twice.csv", "--model", "dahl"}), 2,
                 {"columns 3 and 4 are both called 'F'"});
}

TEST(Load, IsRefusedOrSaidToBeUnusedByLawsThatDoNotDependOnIt) {
  const Bench bench;
  std::string text = "time,position,force,normal_force\n";
  std::istringstream rows(strokes("", 1.0));
  std::string line;
  std::getline(rows, line);
  while (std::getline(rows, line)) text += line + ",12\n";
  bench.write("strokes.csv", text);
  expect_refused(bench.bristle(fit({"--load", "normal_force"})), 2,
                 {"--load normal_force: the force of dahl does not depend on the load", "frbd"});
  const Outcome found = bench.bristle(fit({"--position", "position:mm", "--time", "time:ms"}));
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_PRED2(contains, found.out, "not used, the force of dahl does not depend on it");
}

TEST(Method, OfTheCommandLineIsSaidToOverrideThatOfTheFile) {
  if (without_sundials()) GTEST_SKIP() << "this program was built without SUNDIALS";
  const Bench bench;
  bench.write("slip.toml", stick_slip + "method = \"cvode\"\n");
  const Words run{"run", "slip.toml", "--no-figures", "--out", "result", "--set", "solve.end=0.1"};
  Words other = run;
  other.insert(other.end(), {"--method", "rosenbrock"});
  EXPECT_EQ(bench.bristle(other).err,
            "bristle: --method rosenbrock overrides solve.method = cvode of slip.toml:10\n");
  other.back() = "cvode";
  EXPECT_EQ(bench.bristle(other).err, "");
  other.insert(other.end(), {"--set", "solve.method=coupled"});
  expect_refused(bench.bristle(other), 2, {"contradict each other: both set solve.method"});
  other = run;
  other.insert(other.end(), {"--set", "solve.end=2"});
  expect_refused(bench.bristle(other), 2, {"both set solve.end"});
}

TEST(NamesOfColumns, MayBeInLatin1) {
  const Bench bench;
  const std::string header = "time_ms,Weg [\xb5m],Kraft \xb5N";
  bench.write("strokes.csv", strokes(header, 1e3));
  const Outcome run = bench.bristle(fit(
      {"--position", "Weg [\xb5m]:mm", "--force", "Kraft \xb5N:mN", "--out", "found", "--json"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json().at("columns")[1].at("column"), "Weg [µm]");
  EXPECT_NEAR(value_of(run.json(), "stiffness"), 10167.0, 20.0);
  EXPECT_PRED2(contains, bench.text("found/report.html"), "Kraft µN");
}

TEST(EndlessInput, IsRefused) {
  const Bench bench;
  expect_refused(bench.bristle({"fit", "/dev/zero", "--model", "dahl"}), 2,
                 {"/dev/zero:1: the line is longer"});
  expect_refused(bench.bristle({"run", "/dev/zero"}), 3, {"/dev/zero: does not end"});
  expect_refused(bench.bristle({"loop", "."}), 3, {".: is a directory"});
}

TEST(PipeWithoutAWriter, IsLeftOnCtrlC) {
  const Bench bench;
  const std::string pipe = bench.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const Words& words :
       {Words{"fit", "pipe", "--model", "dahl"}, Words{"loop", "pipe"}, Words{"run", "pipe"}}) {
    Process process(bench.root(), words);
    process.signal(SIGINT);
    EXPECT_TRUE(process.ends_within(std::chrono::seconds(5))) << words[0];
    EXPECT_EQ(process.outcome().code, 130) << words[0];
  }
}

TEST(InputFile, IsReadInTheUnitsOfItsHeader) {
  const Bench bench;
  bench.write("motion.csv", "t_ms,x_mm\n0,0\n500,1\n1000,0\n");
  bench.write("slide.toml",
              "[model]\nname = \"coulomb\"\n[mechanism]\nname = \"prescribed_motion\"\n"
              "[input]\nfile = \"motion.csv\"\n[solve]\nend = 1\n");
  const Outcome run = bench.bristle({"run", "slide.toml", "--no-figures", "--out", "result"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, bench.text("result/trajectory.csv"), "\n0.5,0.001,0.001,");
  bench.write("motion.csv", "t_ms,x [N]\n0,0\n500,1\n1000,0\n");
  expect_refused(bench.bristle({"run", "slide.toml"}), 2,
                 {"motion.csv: column 'x [N]': 'N' is a unit of force"});
}

}  // namespace
}  // namespace bristle::test::units_test
