// SPDX-License-Identifier: MIT
// Experiments on shapes and on measured friction: unfolded curves, two relations, identification,
// the indirect force, random surfaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bristle/io/errors.hpp"
#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io::shape_test {
namespace {

using test::contains;
using test::refusal;
using test::TemporaryDirectory;

struct Ran {
  Experiment experiment;
  ExperimentResult result;

  explicit Ran(const std::string& text) {
    const TemporaryDirectory dir;
    experiment = read_experiment(dir.write("one.toml", text));
    result = run_experiment(experiment);
  }
  const Case& only() const { return experiment.cases.front(); }
  Measured of(const std::string& quantity, double argument = 0.0) const {
    return measure(only(), result.cases.front(), quantity, argument);
  }
  double number(const std::string& quantity, double argument = 0.0) const {
    const Measured m = of(quantity, argument);
    return std::holds_alternative<double>(m) ? std::get<double>(m) : NAN;
  }
  std::vector<double> column(const std::string& name) const {
    return io::column(only(), result.cases.front(), name);
  }
};

std::string refused(const std::string& text) {
  const TemporaryDirectory dir;
  return refusal<InputError>([&] { read_experiment(dir.write("bad.toml", text)); });
}

const std::string rising =
    "[curve]\nshape = \"points\"\nx = [-1, 0, 1]\nlower = [-1, -0.5, 1]\nupper = [-1, 0.5, 1]\n"
    "[map]\nshape = \"quadratic\"\na = 1.0\n";

TEST(Shapes, AFoldedCurveUnfoldsIntoItselfAndIntoAFallingLoop) {
  const Ran ran(rising);
  const auto y = ran.column("y"), up = ran.column("rising"), down = ran.column("falling");
  ASSERT_EQ(up.size(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(up[i], y[i], 2e-3);
    EXPECT_NEAR(down[i], -y[i], 2e-3);
  }
  EXPECT_EQ(words(ran.of("theorem_5_3_3")), "holds");
}

TEST(Shapes, AnotherMapUnfoldsACurveIntoAnotherLoop) {
  const Ran ran(rising + "[unfold]\nshape = \"absolute\"\ntop = 0\nleft = -1\nright = -1\n");
  EXPECT_EQ(words(ran.of("theorem_5_3_3")), "holds");
  EXPECT_NEAR(ran.column("rising").front(), -1.0, 1e-9);  // |y| = 1 = y^2
  EXPECT_NEAR(ran.column("falling").front(), 1.0, 1e-9);
}

const std::string plays =
    "[system]\nname = \"prandtl_ishlinskii\"\ndirect = 12\nthresholds = [1, 2]\nweights = [5, 6]\n"
    "scale = 4\nrate = 0.8\n[input]\namplitude = 3\nfrequency = 1\n"
    "[solve]\nend = 12.566370614359172\nrecord_from = 6.283185307179586\nsamples = 2001\n";

TEST(Shapes, TwoRelationsLeaveAJumpUnlessEachWayHasItsOwn) {
  // The relations meet at the largest output.
  const double top = 4.0 * std::tanh(2.4),
               most = 12.0 * top + 5.0 * (top - 1.0) + 6.0 * (top - 2.0);
  const double a = 2e-4, b = 0.05, down = a - b / (most * most);
  const Ran ran(plays +
                "[map]\nshape = \"quadratic\"\na = 2e-4\n[map_down]\nshape = \"quadratic\"\n" +
                "b = 0.05\na = " + bristle::words(down) + "\n");
  EXPECT_NEAR(ran.number("unfold_jump"), 2.0 * std::sqrt(b / a), 0.3);
  EXPECT_LT(ran.number("unfold_jump_each"), 1.0);  // two samples apart
  EXPECT_LT(ran.number("unfold_error_each"), 0.01);
  EXPECT_NEAR(ran.number("closing_a"), down, 1e-7);
  EXPECT_NEAR(ran.number("closing_b"), b, 1e-5);
}

TEST(Shapes, AModelIsIdentifiedFromTheLoop) {
  const Ran ran(plays + "[identify]\nplays = 2\nscale = 4\n");
  EXPECT_NEAR(ran.number("identified_q"), 12.0, 0.01);
  EXPECT_NEAR(ran.number("identified_beta"), 1.0, 1e-3);
  EXPECT_NEAR(ran.number("identified_rho") * std::exp(-ran.number("identified_tau")), 5.0, 0.01);
  const auto output = ran.column("output"), model = ran.column("identified");
  ASSERT_EQ(model.size(), output.size());
  for (std::size_t i = 0; i < output.size(); ++i) EXPECT_NEAR(model[i], output[i], 0.01);
}

TEST(Shapes, SlopesOfAMapAreSumsOfStiffnesses) {
  const Ran ran(
      "[system]\nname = \"maxwell_slip\"\nthresholds = [1, 3]\nstiffnesses = [2, 4]\n"
      "[input]\nshape = \"triangle\"\namplitude = 5\n[solve]\nend = 18.84955592153876\n");
  EXPECT_NEAR(ran.number("slope_up", -4.0), 6.0, 1e-9);
  EXPECT_NEAR(ran.number("slope_up", -1.0), 4.0, 1e-9);
  EXPECT_NEAR(ran.number("slope_down", -3.0), 0.0, 1e-9);
  EXPECT_TRUE(std::isnan(ran.number("slope_up", 6.0)));
  EXPECT_EQ(words(ran.of("continuity")), "discontinuous");
}

const std::string oscillator =
    "[model]\nname = \"hysteretic_static\"\n[mechanism]\nname = \"base_excited_mass\"\n"
    "[initial]\nvelocity = 0.001\n"
    "[input]\namplitude = 0.003\nfrequency = 62.83185307179586\n"
    "[solve]\nend = 0.5\nrecord_from = 0.4\nsamples = 5001\n";

TEST(Rig, TheIndirectForceOfOneDegreeOfFreedomIsTheForce) {
  const Ran ran(oscillator);
  EXPECT_LT(ran.number("indirect_error"), 1e-10);
  EXPECT_LT(ran.number("indirect_error_differentiated"), 0.1);
  EXPECT_TRUE(std::isnan(ran.number("transducer_error")));
  EXPECT_GT(ran.number("dwell_time"), 0.0);
  EXPECT_GE(ran.number("max_breakaway_velocity"), ran.number("breakaway_velocity"));
}

TEST(Rig, ColumnsAreKnownBeforeARun) {
  const Ran ran(oscillator + "[[case]]\nlabel = \"rig\"\nmechanism.name = \"rig\"\n");
  const auto before = columns_of(ran.only(), {});
  EXPECT_EQ(before, columns_of(ran.only(), ran.result.cases.front()));
  for (const char* name : {"position", "transducer", "indirect_force"})
    EXPECT_NE(std::find(before.begin(), before.end(), name), before.end()) << name;
}

TEST(Rig, ABreakAwayIsTheEndOfYieldingOrSticking) {
  Case c;
  CaseResult r;
  r.run.trajectory.time = {0.05, 1.0};
  // One before the record; then the motion slows down and speeds up again without a reversal, turns
  // and breaks away.
  r.run.trajectory.events = {
      {EventKind::stick, 0.01, 0.0, 0.0, 7.0},   {EventKind::slip, 0.02, 0.0, 0.3, 10.0},
      {EventKind::switched, 0.1, 0.0, 0.5, 9.0}, {EventKind::switched, 0.3, 0.0, 0.3, 8.5},
      {EventKind::stick, 0.5, 0.0, 0.0, -7.0},   {EventKind::slip, 0.6, 0.0, -0.02, -11.0}};
  EXPECT_EQ(measure(c, r, "breakaway_velocity"), Measured(0.02));
  EXPECT_EQ(measure(c, r, "max_breakaway_velocity"), Measured(0.02));
  EXPECT_EQ(measure(c, r, "breakaway_spread"), Measured(0.0));
  EXPECT_NEAR(std::get<double>(measure(c, r, "dwell_time")), 0.1, 1e-12);
}

TEST(Rig, TheTransducerCarriesWhatMovesTheMass) {
  const Ran ran(oscillator + "[[case]]\nlabel = \"rig\"\nmechanism.name = \"rig\"\n");
  const Rig& o = *ran.only().as<Rig>();
  const auto x = ran.column("body_position"), v = ran.column("body_velocity"),
             a = ran.column("body_acceleration"), link = ran.column("transducer");
  for (std::size_t i = 0; i < x.size(); i += 100)
    EXPECT_NEAR(link[i], -((o.mass - o.tongue_mass) * a[i] + o.spring * x[i] + o.damping * v[i]),
                1e-8);
  EXPECT_GT(ran.number("transducer_error"), ran.number("indirect_error"));
}

TEST(Surface, HasTheDeviationAndTheCorrelationOfItsSpectrum) {
  const Ran ran(
      "[roughness]\ndeviation = 0.05\ndecay = 10\nterms = 500\nspacing = 0.5\n"
      "[surface]\nlength = 0.4\npoints = 101\ndraws = 200\n");
  EXPECT_NEAR(ran.number("surface_deviation"), 0.05, 0.004);
  EXPECT_NEAR(ran.number("surface_mean"), 0.0, 0.005);
  EXPECT_NEAR(ran.number("surface_kurtosis"), 3.0, 0.3);
  EXPECT_NEAR(ran.number("surface_correlation", 0.1), std::exp(-1.0), 0.08);
  EXPECT_NEAR(ran.number("series_deviation"), 0.05, 0.003);
  EXPECT_EQ(ran.column("roughness").size(), 101u);
}

TEST(Shapes, RefuseWhatHasNoMeaning) {
  EXPECT_PRED2(contains, refused(plays + "[map_down]\nshape = \"quadratic\"\n"),
               "[map_down] has no meaning without a [map]");
  EXPECT_PRED2(contains, refused(plays + "[map]\nshape = \"absolute\"\n[map_down]\na = 1\n"),
               "must be quadratic with centre 0");
  EXPECT_PRED2(contains, refused(plays + "[unfold]\na = 1\n"), "[unfold] has no meaning");
  EXPECT_PRED2(contains, refused(rising + "[identify]\nplays = 2\n"), "[identify] has no meaning");
  EXPECT_PRED2(contains, refused(plays + "[identify]\nplays = 0\n"), "plays = 0 is not allowed");
  EXPECT_PRED2(contains, refused(oscillator + "[surface]\npoints = 5\n"),
               "has no meaning beside a [surface]");
  EXPECT_PRED2(contains, refused(plays + "[[figure]]\nover = \"dwell_time\"\n"),
               "over has no meaning without sweeps");
  EXPECT_PRED2(contains, refused(plays + "[[figure]]\nwith = [\"outpt\"]\n"), "'outpt'");
}

TEST(Shapes, FurtherColumnsOfAFigureAreDrawnAndNamed) {
  const TemporaryDirectory dir;
  const Experiment e = read_experiment(dir.write(
      "two.toml", plays + "[identify]\nplays = 2\n[[figure]]\nname = \"both\"\nx = \"input\"\n"
                          "y = \"output\"\nwith = [\"identified\"]\n"));
  write_results(e, run_experiment(e), dir.path("out"), {.figures = false});
  const std::string script = dir.text("out/both.gp");
  EXPECT_PRED2(contains, script, "output y");
  EXPECT_PRED2(contains, script, "output of the identified model");
}

}  // namespace
}  // namespace bristle::io::shape_test
