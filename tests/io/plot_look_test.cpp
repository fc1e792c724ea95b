// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "bristle/io/experiment.hpp"
#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io::plot_look_test {
namespace {

using test::contains;
using test::lacks;
using test::TemporaryDirectory;

// What `bristle run` writes for a file, without pictures.
void write_run(const TemporaryDirectory& bench, const std::string& text) {
  bench.write("e.toml", text);
  const Experiment e = read_experiment(bench.path("e.toml"));
  const ExperimentResult result = run_experiment(e);
  EXPECT_EQ(write_results(e, result, bench.path("out"), {.figures = false}), "");
}

std::string motion(double amplitude, double frequency, double end) {
  return "[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n[input]\namplitude "
         "= " +
         std::to_string(amplitude) + "\nfrequency = " + std::to_string(frequency) +
         "\n[solve]\nend = " + std::to_string(end) +
         "\n[[figure]]\nname = \"way\"\nx = \"time\"\ny = \"position\"\n";
}

TEST(PlotLook, SmallMotionsAreDrawnInMillimetres) {
  const TemporaryDirectory bench;
  write_run(bench, motion(0.01, 1.0, 10.0) + "y_range = \"-0.02:0.02\"\n");
  const std::string script = bench.text("out/way.gp");
  EXPECT_PRED2(contains, script, "position x [mm]");
  EXPECT_PRED2(contains, script, "time [s]");
  EXPECT_PRED2(contains, script, "($3)*1000)");
  EXPECT_PRED2(contains, script, "set yrange [-20:20]");
  EXPECT_PRED2(contains, bench.text("out/report.html"), "position x [mm]");
  // The table stays in SI.
  EXPECT_PRED2(contains, bench.text("out/trajectory.csv"), "position");
}

TEST(PlotLook, LargeMotionsStayInMetres) {
  const TemporaryDirectory bench;
  write_run(bench, motion(2.0, 1.0, 10.0));
  EXPECT_PRED2(contains, bench.text("out/way.gp"), "position x [m]");
}

TEST(PlotLook, ATitleThatIsNotGivenSaysWhatTheFigureShows) {
  const TemporaryDirectory bench;
  write_run(bench, motion(2.0, 1.0, 10.0));
  EXPECT_PRED2(contains, bench.text("out/way.gp"), "set title 'Position x over time'");
}

TEST(PlotLook, AColumnOfAMachineIsNamedInWordsInATitleThatIsNotGiven) {
  const TemporaryDirectory bench;
  write_run(bench,
            "[[body]]\nname = \"load\"\ninertia = 1.0\nvelocity = 1.0\n[solve]\nend = 1.0\n"
            "[[figure]]\nname = \"way\"\nx = \"time\"\ny = \"load.position\"\n");
  EXPECT_PRED2(contains, bench.text("out/way.gp"), "set title 'Position of load over time'");
}

TEST(Report, GivesUnitsAndMeaningsOfWhatTheFileSetsAndTheMainQuantities) {
  const TemporaryDirectory bench;
  write_run(bench, motion(0.01, 1.0, 10.0));
  const std::string page = bench.text("out/report.html");
  const std::string report = std::regex_replace(page, std::regex("<td[^>]*>"), "<td>");
  EXPECT_PRED2(contains, report, "<td>input.amplitude<td>0.01<td>m<td>amplitude of the wave");
  EXPECT_PRED2(contains, report, "<td>solve.end<td>10<td>s<td>");
  EXPECT_PRED2(contains, report, "<td>loop_area<td>");
  EXPECT_PRED2(contains, report, "<td>max_force<td>");
  // Cycles of a given motion are not marked, so nothing is said of stick-slip.
  EXPECT_PRED2(lacks, report, "stick_slip");
  // On a narrow screen each cell stands under the title of its column.
  EXPECT_PRED2(contains, page, "<table class=\"cards\">");
  EXPECT_PRED2(contains, page, " data-l=\"value\"");
}

TEST(PlotLook, MoreSwingsThanPixelsBecomeAnEnvelope) {
  const TemporaryDirectory bench;
  write_run(bench, motion(1.0, 500.0, 10.0) + "[[case]]\nlabel = \"a\"\nsolve.samples = 20001\n");
  EXPECT_PRED2(contains, bench.text("out/way.gp"), "with filledcurves");
  EXPECT_PRED2(contains, bench.text("out/way_envelope1.csv"), "x,lower,upper");
  EXPECT_PRED2(contains, bench.text("out/report.html"), "\"envelope\"");
}

TEST(PlotLook, SwingsThatCanBeSeenStayALine) {
  const TemporaryDirectory bench;
  write_run(bench, motion(1.0, 10.0, 10.0));
  EXPECT_PRED2(lacks, bench.text("out/way.gp"), "filledcurves");
}

TEST(PlotLook, CurvesThatCoincideAreDrawnThickToThinAndTheLastOneDashed) {
  const TemporaryDirectory bench;
  write_run(bench,
            motion(1.0, 1.0, 10.0) +
                "[[case]]\nlabel = \"a\"\n[[case]]\nlabel = \"b\"\ninput.amplitude = 1.001\n");
  const std::string script = bench.text("out/way.gp");
  EXPECT_PRED2(contains, script, "lw 2.8 lc");
  EXPECT_PRED2(contains, script, "lw 1.4 dt (14,8) lc");
}

TEST(PlotLook, TheLastTwoOfThreeCurvesThatCoincideHaveGaps) {
  const TemporaryDirectory bench;
  write_run(bench, motion(1.0, 1.0, 10.0) +
                       "[[case]]\nlabel = \"a\"\n[[case]]\nlabel = \"b\"\ninput.amplitude = 1.001\n"
                       "[[case]]\nlabel = \"c\"\ninput.amplitude = 1.002\n");
  const std::string script = bench.text("out/way.gp");
  EXPECT_PRED2(contains, script, "lw 4.8 lc");
  EXPECT_PRED2(contains, script, "lw 2.8 dt (22,12) lc");
  EXPECT_PRED2(contains, script, "lw 1.4 dt (14,8) lc");
}

TEST(PlotLook, CurvesThatDifferAreDrawnAlike) {
  const TemporaryDirectory bench;
  write_run(bench, motion(1.0, 1.0, 10.0) +
                       "[[case]]\nlabel = \"a\"\n[[case]]\nlabel = \"b\"\ninput.amplitude = 2.0\n");
  EXPECT_PRED2(lacks, bench.text("out/way.gp"), " dt ");
}

}  // namespace
}  // namespace bristle::io::plot_look_test
