// SPDX-License-Identifier: MIT
// Simulations against the independent numbers of oracle/, which state their errors.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/analysis/limit_cycle.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/model/bouc_wen.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/ffbm.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/mpabm.hpp"
#include "bristle/model/sbm.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::reference_test {
namespace {

constexpr double pi = std::numbers::pi;

// Table II of R, as LuGre.
LuGre<> table_two() {
  LuGre<> law;
  law.stiffness = 1e4;
  law.damping = 64.5;
  law.viscous = 0.04;
  law.stribeck_velocity = 0.01;
  return law;
}

Simulation dragged(const auto& law, double end = 40.0) {
  Options o;
  o.end = end;
  o.tolerance = 1e-11;
  o.samples = 200.0 * end + 1;
  return simulate(law, DraggedMass{}, o);
}

TEST(StickSlip, OfFrbdMatchesTheIndependentComputation) {
  const auto run = dragged(FrBD<>{});
  const auto& beats = run.trajectory.crossings;
  ASSERT_GE(beats.size(), 3u);
  EXPECT_NEAR(beats[0].time, 7.697391218, 2e-9);   // oracle: bristle.frbd.beat_1
  EXPECT_NEAR(beats[1].time, 15.336658244, 2e-9);  // oracle: bristle.frbd.beat_2
  EXPECT_NEAR(beats[2].time, 22.975925270, 3e-9);  // oracle: bristle.frbd.beat_3
  // oracle: bristle.frbd.period
  EXPECT_NEAR(beats[2].time - beats[1].time, 7.639267026, 1e-9 * 7.64);
  // oracle: bristle.frbd.x_8
  EXPECT_NEAR(sample_at(run.trajectory.time, run.trajectory.position, 8.0), 0.0430405279, 1e-9);
  // oracle: bristle.frbd.v_8
  EXPECT_NEAR(sample_at(run.trajectory.time, run.trajectory.velocity, 8.0), 0.2091474644, 1e-9);
  // oracle: bristle.frbd.force_8
  EXPECT_NEAR(sample_at(run.trajectory.time, run.trajectory.force, 8.0), 1.0083561059, 1e-9);
  // oracle: bristle.frbd.x_10
  EXPECT_NEAR(sample_at(run.trajectory.time, run.trajectory.position, 10.0), 0.7528249060, 1e-9);
  // oracle: bristle.frbd.max_velocity
  EXPECT_NEAR(range_of(run.trajectory.velocity).most, 0.468610785, 2e-9);
}

TEST(StickSlip, OfLuGreMatchesTheIndependentComputation) {
  const auto run = dragged(table_two());
  const auto& beats = run.trajectory.crossings;
  ASSERT_GE(beats.size(), 2u);
  EXPECT_NEAR(beats[0].time, 7.692541196, 2e-9);                  // oracle: bristle.lugre.beat_1
  EXPECT_NEAR(beats[1].time - beats[0].time, 7.630918378, 2e-9);  // oracle: bristle.lugre.period
  // oracle: bristle.lugre.max_velocity
  EXPECT_NEAR(range_of(run.trajectory.velocity).most, 0.468073869, 2e-9);
  // oracle: bristle.lugre.x_8
  EXPECT_NEAR(sample_at(run.trajectory.time, run.trajectory.position, 8.0), 0.0439286986, 1e-9);

  LuGre<> inside = table_two();
  inside.viscous_form = LuGre<>::in_curve;
  const auto other = dragged(inside, 24.0);
  // oracle: bristle.lugre.in_curve.beat_1
  EXPECT_NEAR(other.trajectory.crossings[0].time, 7.692384529, 2e-8);
  // oracle: bristle.lugre.in_curve.period
  EXPECT_NEAR(other.trajectory.crossings[1].time - other.trajectory.crossings[0].time, 7.630941555,
              2e-8);
}

TEST(StickSlip, OfTheElastoPlasticLawMatchesTheIndependentComputation) {
  ElastoPlastic<> law;
  law.stiffness = 1e4;
  law.damping = 64.5;
  law.viscous = 0.04;
  law.stribeck_velocity = 0.01;
  const auto run = dragged(law, 24.0);
  const auto& beats = run.trajectory.crossings;
  ASSERT_GE(beats.size(), 2u);
  EXPECT_NEAR(beats[0].time, 7.69895662128, 2e-9);  // oracle: bristle.elasto_plastic.beat_1
  EXPECT_NEAR(beats[1].time, 15.3435388437, 2e-9);  // oracle: bristle.elasto_plastic.beat_2
  // oracle: bristle.elasto_plastic.max_velocity
  EXPECT_NEAR(range_of(run.trajectory.velocity).most, 0.469284981278, 2e-9);
  // oracle: bristle.elasto_plastic.x_8
  EXPECT_NEAR(sample_at(run.trajectory.time, run.trajectory.position, 8.0), 0.0424199589532, 1e-9);
}

TEST(StickSlip, IsExactWithALongRest) {
  const LimitCycle cycle = find_limit_cycle(dragged(FrBD<>{}).trajectory);
  EXPECT_EQ(cycle.kind, StickSlip::exact);
  EXPECT_GT(cycle.stick_fraction, 0.5);
  EXPECT_LT(cycle.period_spread, 1e-8);
}

// The loop area of the eighth period of a free mass under 1.35 sin(2 pi f t).
double presliding_area(const auto& law, double hertz) {
  WallSpringMass m;
  m.spring = 0.0;
  m.signal.amplitude = 1.35;
  m.signal.frequency = 2 * pi * hertz;
  Options o;
  o.end = 8.0 / hertz;
  o.tolerance = 1e-12;
  o.samples = 8001;
  const auto run = simulate(law, m, o);
  EXPECT_TRUE(run.summary.ok());
  return work_between(run.trajectory, 7.0 / hertz, o.end);
}

TEST(Presliding, LoopAreasMatchTheIndependentComputation) {
  // Given with eight digits.
  const double digits = 6e-8;
  // oracle: bristle.presliding.frbd_1_hz
  EXPECT_NEAR(presliding_area(FrBD<>{}, 1.0) / 8.4034696e-4, 1.0, digits);
  // oracle: bristle.presliding.frbd_5_hz
  EXPECT_NEAR(presliding_area(FrBD<>{}, 5.0) / 3.5830019e-3, 1.0, digits);
  // oracle: bristle.presliding.frbd_10_hz
  EXPECT_NEAR(presliding_area(FrBD<>{}, 10.0) / 1.1409601e-3, 1.0, digits);
  // oracle: bristle.presliding.lugre_1_hz
  EXPECT_NEAR(presliding_area(table_two(), 1.0) / 7.3436994e-4, 1.0, digits);
  // oracle: bristle.presliding.lugre_5_hz
  EXPECT_NEAR(presliding_area(table_two(), 5.0) / 2.32103007e-3, 1.0, digits);
  // oracle: bristle.presliding.lugre_10_hz
  EXPECT_NEAR(presliding_area(table_two(), 10.0) / 1.04814807e-3, 1.0, digits);
}

Simulation staircase(const auto& law, double spring, double end, double tolerance) {
  WallSpringMass m;
  m.spring = spring;
  m.signal.amplitude = 2.0;
  m.signal.frequency = 0.01;
  Options o;
  o.end = end;
  o.tolerance = tolerance;
  o.samples = end + 1;
  return simulate(law, m, o);
}

TEST(Staircase, OfFfbmMatchesTheIndependentComputation) {
  const auto run = staircase(Ffbm<>{}, 1.0, 100.0, 2e-14);
  ASSERT_TRUE(run.summary.ok());
  const auto& x = run.trajectory.position;
  EXPECT_NEAR(x[60], 0.011730105176276, 2e-11);   // oracle: bristle.ffbm.x_60
  EXPECT_NEAR(x[80], 0.039701804869695, 2e-11);   // oracle: bristle.ffbm.x_80
  EXPECT_NEAR(x[95], 0.596255635367522, 5e-11);   // oracle: bristle.ffbm.x_95
  EXPECT_NEAR(x[100], 0.596286957483831, 5e-11);  // oracle: bristle.ffbm.x_100
}

TEST(Staircase, OfMpabmMatchesTheIndependentComputation) {
  const auto run = staircase(Mpabm<>{}, 2.0, 60.0, 2e-14);
  ASSERT_TRUE(run.summary.ok());
  const auto& x = run.trajectory.position;
  EXPECT_NEAR(x[20], 5.6597502065813174e-06, 1e-12);  // oracle: bristle.mpabm.x_20
  EXPECT_NEAR(x[38], 3.383125523450736e-05, 1e-12);   // oracle: bristle.mpabm.x_38
  EXPECT_NEAR(x[45], 0.271874611694967, 1e-11);       // oracle: bristle.mpabm.x_45
  EXPECT_NEAR(x[50], 0.27188441451266293, 1e-11);     // oracle: bristle.mpabm.x_50
}

TEST(SimplifiedBristle, StickSlipMatchesTheIndependentComputation) {
  DraggedMass m;
  m.spring = 1.0;
  Options o;
  o.end = 50.0;
  o.tolerance = 1e-10;
  o.samples = 10001;
  o.section = 0.02;
  const auto run = simulate(Sbm<>{}, m, o);
  const auto& beats = run.trajectory.crossings;
  ASSERT_EQ(beats.size(), 3u);
  EXPECT_NEAR(beats[0].time, 15.60046846, 5e-7);  // oracle: bristle.sbm.beat_1
  EXPECT_NEAR(beats[1].time, 30.60867265, 5e-7);  // oracle: bristle.sbm.beat_2
  EXPECT_NEAR(beats[2].time, 45.61690693, 5e-7);  // oracle: bristle.sbm.beat_3
  // oracle: bristle.sbm.max_velocity
  EXPECT_NEAR(range_of(run.trajectory.velocity).most, 0.67733477, 5e-8);
}

// The last of several periods of prescribed motion: large exponents settle slowly.
double loop_area(const auto& law, double amplitude, double frequency, double phase = 0.0,
                 int periods = 2) {
  PrescribedMotion m;
  m.signal.amplitude = amplitude;
  m.signal.frequency = frequency;
  m.signal.phase = phase;
  Options o;
  o.end = periods * 2 * pi / frequency;
  o.tolerance = 1e-12;
  o.samples = 1000 * periods + 1;
  const auto run = simulate(law, m, o);
  EXPECT_TRUE(run.summary.ok());
  return work_between(run.trajectory, o.end * (periods - 1) / periods, o.end);
}

TEST(Loops, OfDahlHaveTheAreasOfTheClosedForms) {
  const auto area = [](double gamma) {
    return loop_area(Dahl<>{.stiffness = 1.5, .coulomb_force = 0.75, .exponent = gamma}, 1.0, 0.1,
                     0.0, 60);
  };
  EXPECT_NEAR(area(0.0), 1.5, 1.5e-9);
  EXPECT_NEAR(area(0.5), 1.5857864376269046, 2e-9);  // oracle: dahl.fig_1_8.area_0_5
  EXPECT_NEAR(area(1.0), 1.5539586298862746, 2e-9);  // oracle: dahl.fig_1_8.area_1
  EXPECT_NEAR(area(2.0), 1.4289655895541742, 2e-9);  // oracle: dahl.fig_1_8.area_2
  EXPECT_NEAR(area(3.0), 1.2841483320759293, 2e-9);  // oracle: dahl.fig_1_8.area_3
  // oracle: dahl.fig_1_9.area_1
  EXPECT_NEAR(loop_area(Dahl<>{.stiffness = 7.5, .coulomb_force = 1.5}, 1.0, 2.0),
              4.800108954884886, 5e-9);
}

TEST(Loops, OfBoucAndWenHaveTheAreasOfTheSeparatedEquation) {
  const auto area = [](double exponent, double beta, double gamma) {
    return loop_area(
        BoucWen<>{.stiffness = 2.0, .beta = beta, .gamma = gamma, .exponent = exponent}, 1.0, 0.1,
        0.0, 60);
  };
  EXPECT_NEAR(area(1.0, 0.6, 0.4), 1.361912455429424, 2e-9);    // oracle: bouc_wen.n_1.area
  EXPECT_NEAR(area(1.5, 0.7, 0.2), 1.3661928602004807, 2e-9);   // oracle: bouc_wen.n_1_5.area
  EXPECT_NEAR(area(2.0, 1.5, -0.5), 2.0192605883708485, 2e-9);  // oracle: bouc_wen.n_2.area
  EXPECT_NEAR(area(4.0, 2.0, 2.0), 1.5527401294742758, 2e-9);   // oracle: bouc_wen.n_4.area
  // From one end to the same end: the last force is the largest one.
  const auto peak = [](double exponent, double beta, double gamma) {
    PrescribedMotion m;
    m.signal.phase = pi / 2;
    Options o;
    o.end = 60 * 2 * pi;
    o.tolerance = 1e-12;
    const auto run = simulate(
        BoucWen<>{.stiffness = 2.0, .beta = beta, .gamma = gamma, .exponent = exponent}, m, o);
    return run.trajectory.force.back();
  };
  EXPECT_NEAR(peak(1.0, 0.6, 0.4), 1.4640428837709807, 2e-10);  // oracle: bouc_wen.n_1.peak
  EXPECT_NEAR(peak(1.5, 0.7, 0.2), 1.6662121916152044, 2e-10);  // oracle: bouc_wen.n_1_5.peak
  EXPECT_NEAR(peak(2.0, 1.5, -0.5), 1.756725310900924, 2e-10);  // oracle: bouc_wen.n_2.peak
  EXPECT_NEAR(peak(4.0, 2.0, 2.0), 1.405451227990849, 2e-10);   // oracle: bouc_wen.n_4.peak
}

TEST(Loops, OfLuGreMatchTheIndependentComputation) {
  LuGre<> law;
  law.stiffness = 1e4;
  law.damping = 100.0;
  law.viscous = 0.6;
  law.stribeck_velocity = 0.04;
  // Known to 3e-9; ours is the error of the tolerance.
  // oracle: systems.lugre_loop.area
  EXPECT_NEAR(loop_area(law, 5.0, 0.01, pi / 2), 24.43697608656674, 2e-8);
}

// The valve of R (61) under a ramp from 20 % at 2 %/s, from its equilibrium; to 3e-12.
TEST(Reference, ValveUnderARamp) {
  FrBD<> law;
  law.stiffness = 6.82e7;
  law.damping = 701.97;
  law.viscous = 2.97e3;
  law.dynamic_coefficient = 39.73;
  law.static_coefficient = 59.86;
  law.stribeck_velocity = 6.42e-3;
  DiaphragmValve valve;
  valve.signal = Signal{.shape = Signal::ramp, .offset = 20.0, .rate = 2.0};
  Options o;
  o.end = 10.0;
  o.tolerance = 1e-10;
  o.samples = 5;
  o.initial.position = (valve.area * valve.first_pressure() - valve.preload) / valve.spring;
  EXPECT_NEAR(o.initial.position, 3.644674238976923e-3, 1e-15);  // oracle: systems.valve.start
  for (const int method : {Options::rosenbrock, Options::cvode, Options::coupled}) {
    if (method == Options::cvode && !with_sundials) continue;
    o.method = method;
    const auto run = simulate(law, valve, o);
    EXPECT_TRUE(run.summary.ledger.closes);
    // oracle: systems.valve.frbd.x_2_5
    EXPECT_NEAR(run.trajectory.position[1], 0.0045304670, 1e-10);
    EXPECT_NEAR(run.trajectory.position[2], 0.0063086104, 1e-10);  // oracle: systems.valve.frbd.x_5
    EXPECT_NEAR(run.trajectory.velocity[2], 7.25377492e-4, 1e-9);  // oracle: systems.valve.frbd.v_5
    EXPECT_NEAR(run.trajectory.force[2], 61.7590125, 1e-5);  // oracle: systems.valve.frbd.force_5
    // oracle: systems.valve.frbd.x_10
    EXPECT_NEAR(run.trajectory.position[4], 0.0099496298, 1e-10);
  }
}

}  // namespace
}  // namespace bristle::reference_test
