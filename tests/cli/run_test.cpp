// SPDX-License-Identifier: MIT
// `bristle run` where all goes well.
#include <cstdlib>

#include "cli/program.hpp"

namespace bristle::test::run_test {
namespace {

bool gnuplot_is_there() { return std::system("gnuplot --version >/dev/null 2>&1") == 0; }

const std::set<std::string> without_figures{".bristle-files", "events.csv",  "experiment.toml",
                                            "figure.gp",      "report.html", "summary.json",
                                            "trajectory.csv"};

TEST(Run, FinishesOnAStickSlipFile) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Outcome run = bench.bristle({"run", "slide.toml", "--no-figures"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_PRED2(contains, run.out, "stick_slip = exact");
  EXPECT_PRED2(contains, run.out, "results: out/slide/report.html");
}

TEST(Run, ReportsItsGlobalErrorUnlessSwitchedOff) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const std::string told = "positions differ from those of a run at a tolerance of 1e-09 by";
  EXPECT_PRED2(contains, bench.bristle({"run", "slide.toml", "--no-figures"}).out, told);
  const auto json = bench.bristle({"run", "slide.toml", "--no-figures", "--json"}).out;
  EXPECT_PRED2(contains, json, "\"global_error\"");
  for (const auto& option :
       std::vector<std::vector<std::string>>{{"--no-verify"}, {"--set", "solve.verify=no"}}) {
    std::vector<std::string> command{"run", "slide.toml", "--no-figures"};
    command.insert(command.end(), option.begin(), option.end());
    const Outcome quiet = bench.bristle(command);
    EXPECT_EQ(quiet.code, 0) << quiet.err;
    EXPECT_EQ(quiet.out.find("differ from"), std::string::npos) << quiet.out;
  }
}

TEST(Run, WritesDataReportAndInputWithoutFigures) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  bench.bristle({"run", "slide.toml", "--no-figures"});
  EXPECT_EQ(bench.names("out/slide"), without_figures);
  EXPECT_EQ(bench.names("out"), std::set<std::string>{"slide"});
  EXPECT_EQ(bench.text("out/slide/experiment.toml"), stick_slip);
  EXPECT_PRED2(begins, bench.text("out/slide/trajectory.csv"), "time,input,position,velocity,");
  EXPECT_PRED2(begins, bench.text("out/slide/report.html"), "<!doctype html>");
}

TEST(Run, DrawsFiguresIntoTheReport) {
  if (!gnuplot_is_there()) GTEST_SKIP() << "gnuplot is not installed";
  const Bench bench;
  bench.write("slide.toml", stick_slip + "[[figure]]\nname = \"speed\"\ny = \"velocity\"\n");
  const Outcome run = bench.bristle({"run", "slide.toml", "--out", "result"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(bench.names("result"),
            (std::set<std::string>{".bristle-files", "events.csv", "experiment.toml", "report.html",
                                   "speed.gp", "speed.png", "speed.svg", "summary.json",
                                   "trajectory.csv"}));
  EXPECT_PRED2(contains, bench.text("result/report.html"), "class=\"plot\"");
}

TEST(Run, DrawsAMovingPictureOfEachCase) {
  const Bench bench;
  bench.write("row.toml",
              "title = \"<row> & body\"\n[model]\nname = \"drbm\"\n[mechanism]\nname = "
              "\"dragged_mass\"\nspring = 1.0\ndrag_velocity = 0.002\n[solve]\nend = 100.0\n"
              "[[case]]\nlabel = \"sparse\"\n[[case]]\nlabel = \"a state\"\nmodel.name = "
              "\"lugre\"\n");
  const Outcome run = bench.bristle({"run", "row.toml", "--animate", "--no-figures", "--out", "r"});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* file : {"r/animation-sparse.svg", "r/animation-a-state.svg"}) {
    ASSERT_TRUE(bench.has(file));
    const std::string svg = bench.text(file);
    EXPECT_PRED2(begins, svg, "<svg xmlns=");
    EXPECT_PRED2(contains, svg, "<animate attributeName=");
    EXPECT_PRED2(contains, svg, "&lt;row&gt; &amp; body");
    EXPECT_PRED2(contains, svg, "class=\"body\"");
    EXPECT_FALSE(contains(svg, "nan"));
    EXPECT_LT(svg.size(), 500'000u);
  }
}

TEST(Run, RefusesToAnimateWhatHasNoBodyOverBristles) {
  const Bench bench;
  bench.write("m.toml", "[[body]]\nname = \"load\"\ninertia = 1.0\n[solve]\nend = 1.0\n");
  expect_refused(bench.bristle({"run", "m.toml", "--animate"}), 2,
                 {"--animate: m.toml has no body of a [mechanism] over its bristles to draw"});
}

TEST(Run, ComparesTheSwitchModelOnRequest) {
  if (without_sundials()) GTEST_SKIP() << "this program was built without SUNDIALS";
  const Bench bench;
  bench.write("row.toml",
              "[model]\nname = \"sawtooth\"\n[mechanism]\nname = \"dragged_mass\"\nspring = "
              "2.0\n[solve]\nend = 20.0\n");
  const Outcome run = bench.bristle({"run", "row.toml", "--method", "switch", "--json",
                                     "--no-figures", "--set", "solve.switch_time=0.05"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out, "\"method\": \"switch\"");
  const Outcome refused = bench.bristle(
      {"run", "row.toml", "--method", "switch", "--set", "model.name=lugre", "--no-figures"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_PRED2(contains, refused.err, "set-valued at rest");
}

TEST(Run, WritesOneTableForEachCase) {
  const Bench bench;
  bench.write("slide.toml", stick_slip +
                                "[[case]]\nlabel = \"slow drag\"\n[[case]]\nlabel = \"fast\"\n"
                                "mechanism.drag_velocity = 0.5\n");
  EXPECT_EQ(bench.bristle({"run", "slide.toml", "--no-figures", "--out", "r"}).code, 0);
  EXPECT_TRUE(bench.has("r/slow-drag.csv"));
  EXPECT_TRUE(bench.has("r/fast.csv"));
  EXPECT_NE(bench.text("r/slow-drag.csv"), bench.text("r/fast.csv"));
}

TEST(Run, GivesTheSameTableTwiceBitForBit) {
  if (without_sundials()) GTEST_SKIP() << "this program was built without SUNDIALS";
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  for (const std::string method : {"rosenbrock", "cvode", "coupled", "bristle_only"}) {
    for (const std::string out : {"a", "b"})
      ASSERT_EQ(
          bench.bristle({"run", "slide.toml", "--no-figures", "--method", method, "--out", out})
              .code,
          0);
    EXPECT_TRUE(bench.text("a/trajectory.csv") == bench.text("b/trajectory.csv")) << method;
  }
}

TEST(Run, TakesEachOfTheFourMethods) {
  if (without_sundials()) GTEST_SKIP() << "this program was built without SUNDIALS";
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  for (const std::string method : {"rosenbrock", "cvode", "coupled", "bristle_only"}) {
    const Outcome run =
        bench.bristle({"run", "slide.toml", "--no-figures", "--json", "--method", method});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto one = run.json().at("cases").at(0);
    EXPECT_EQ(one.at("method"), method);
    EXPECT_EQ(one.at("status"), "done");
    EXPECT_EQ(one.at("quantities").at("stick_slip"), "exact") << method;
    EXPECT_NEAR(one.at("quantities").at("period").get<double>(), 6.3627, 5e-3) << method;
  }
}

TEST(Run, PrintsTheSummaryAsJson) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Outcome run = bench.bristle({"run", "slide.toml", "--no-figures", "--json", "--out", "r"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.out, bench.text("r/summary.json"));
  const auto summary = run.json();
  EXPECT_EQ(summary.at("experiment"), "slide");
  const auto& one = summary.at("cases").at(0);
  EXPECT_EQ(one.at("model").at("name"), "lugre");
  EXPECT_EQ(one.at("model").at("parameters").at("stiffness"), 1e5);
  EXPECT_TRUE(one.at("ledger").at("closes").get<bool>());
  for (const char* key : {"bristle", "compiler", "build", "command", "fingerprint"})
    EXPECT_TRUE(summary.at("provenance").contains(key)) << key;
}

TEST(Run, ChangesFieldsFromTheCommandLine) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Outcome run = bench.bristle({"run", "slide.toml", "--set", "model.stiffness=2e4", "--set",
                                     "solve.end=7", "--no-figures", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto one = run.json().at("cases").at(0);
  EXPECT_EQ(one.at("model").at("parameters").at("stiffness"), 2e4);
  EXPECT_EQ(one.at("settings").at("solve").at("end"), 7.0);
  EXPECT_PRED2(contains, run.out, "--set model.stiffness=2e4");
}

std::string fingerprint_of(const Bench& bench, const Words& more = {}) {
  Words words{"run", "slide.toml", "--no-figures", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  return bench.bristle(words).json().at("provenance").at("fingerprint");
}

TEST(Run, HasAFingerprintOfItsInputs) {
  if (without_sundials()) GTEST_SKIP() << "this program was built without SUNDIALS";
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const std::string first = fingerprint_of(bench);
  EXPECT_EQ(fingerprint_of(bench, {"--out", "elsewhere"}), first);
  EXPECT_NE(fingerprint_of(bench, {"--set", "model.stiffness=2e4"}), first);
  EXPECT_NE(fingerprint_of(bench, {"--method", "cvode"}), first);
}

TEST(Run, CountsSampledInputInItsFingerprint) {
  const Bench bench;
  bench.write("slide.toml",
              "[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n"
              "[input]\nfile = \"motion.csv\"\n");
  bench.write("motion.csv", "0,0\n1,1\n");
  const std::string first = fingerprint_of(bench);
  bench.write("motion.csv", "0,0\n1,2\n");
  EXPECT_NE(fingerprint_of(bench), first);
}

TEST(Run, KeepsSampledInputWithItsResults) {
  // A result directory holds enough to run it again.
  const Bench bench;
  bench.write("slide.toml",
              "[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n"
              "[input]\nfile = \"motion.csv\"\n");
  bench.write("motion.csv", "0,0\n1,1\n");
  ASSERT_EQ(bench.bristle({"run", "slide.toml", "--no-figures", "--out", "r"}).code, 0);
  fs::remove(bench.path("motion.csv"));
  ASSERT_EQ(bench.bristle({"run", "r/experiment.toml", "--no-figures", "--out", "again"}).code, 0);
  EXPECT_EQ(bench.text("again/trajectory.csv"), bench.text("r/trajectory.csv"));
}

TEST(Run, RecordsACommandThatAShellReadsTheSame) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Outcome run =
      bench.bristle({"run", "slide.toml", "--no-figures", "--json", "--out", "two words"});
  ASSERT_EQ(run.code, 0);
  EXPECT_PRED2(contains, run.json().at("provenance").at("command"), "'two words'");
}

TEST(Run, ReplacesItsEarlierResults) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  bench.write("two.toml", stick_slip + "[[case]]\nlabel = \"a\"\n");
  ASSERT_EQ(bench.bristle({"run", "two.toml", "--no-figures", "--out", "r"}).code, 0);
  ASSERT_EQ(bench.bristle({"run", "slide.toml", "--no-figures", "--out", "r"}).code, 0);
  EXPECT_EQ(bench.names("r"), without_figures);
  EXPECT_EQ(bench.files(), (std::set<std::string>{"r", "slide.toml", "two.toml"}));
}

TEST(Run, WritesDataAndSaysWhatIsMissingWithoutGnuplot) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Outcome run =
      bench.bristle({"run", "slide.toml", "--out", "r"}, {.path = bench.root().string()});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(bench.names("r"), without_figures);
  EXPECT_PRED2(begins, run.err, "bristle: no figures: gnuplot is not installed");
  EXPECT_EQ(run.err.find('\n'), run.err.size() - 1);
  EXPECT_PRED2(contains, run.out, "results: r/report.html");
}

TEST(Run, SaysWhichExpectationsAreMet) {
  const Bench bench;
  bench.write(
      "slide.toml",
      stick_slip + "[expect]\nstick_slip = { is = \"exact\" }\nmax_force = { at_most = 1 }\n");
  const Outcome run = bench.bristle({"run", "slide.toml", "--no-figures"});
  EXPECT_EQ(run.code, 0);
  EXPECT_PRED2(contains, run.out, "  passes\n");
  EXPECT_PRED2(contains, run.out, "  fails\n");
}

TEST(Run, SweepsSteadyFriction) {
  const Bench bench;
  bench.write("curve.toml", "[model]\nname = \"stribeck\"\n[steady]\npoints = 11\n");
  EXPECT_EQ(bench.bristle({"run", "curve.toml", "--no-figures", "--out", "r"}).code, 0);
  EXPECT_PRED2(begins, bench.text("r/trajectory.csv"), "velocity,force\n-0.1,");
}

TEST(Run, WritesToNamesInAnyEncoding) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  for (const std::string out : {"Größe", "caf\xe9"}) {
    const Outcome run = bench.bristle({"run", "slide.toml", "--no-figures", "--out", out});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(bench.has(out + "/summary.json")) << out;
  }
}

}  // namespace
}  // namespace bristle::test::run_test
