// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

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

TEST(PlotLook, CurvesThatDifferAreDrawnAlike) {
  const TemporaryDirectory bench;
  write_run(bench, motion(1.0, 1.0, 10.0) +
                       "[[case]]\nlabel = \"a\"\n[[case]]\nlabel = \"b\"\ninput.amplitude = 2.0\n");
  EXPECT_PRED2(lacks, bench.text("out/way.gp"), " dt ");
}

}  // namespace
}  // namespace bristle::io::plot_look_test
