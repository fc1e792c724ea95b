// SPDX-License-Identifier: MIT
// Laws without memory and laws that follow a load, by closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle::block_laws_test {
namespace {

Options until(double end, double samples = 101.0) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = 1e-10;
  return o;
}
Signal ramp(double offset, double rate = 0.0) {
  Signal s;
  s.shape = Signal::ramp;
  s.offset = offset;
  s.rate = rate;
  return s;
}

TEST(Regularised, CreepsUnderAForceThatTrueFrictionHolds) {
  // Without fall, tanh(v / width) = force / Fc at last: v = width atanh(0.5).
  const auto law = make_law("regularised", {{"static_force", 1.0}, {"width", 1e-3}});
  WallSpringMass body;
  body.spring = 1e-9;
  body.signal = ramp(0.5);
  const auto run = simulate(*law, body, until(1.0));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_NEAR(run.trajectory.velocity.back(), 1e-3 * std::atanh(0.5), 1e-12);
  EXPECT_NEAR(run.trajectory.force.back(), 0.5, 1e-8);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-9);
}

TEST(Regularised, IsTheStribeckCurveAwayFromRest) {
  const auto smooth = make_law("regularised", {{"viscous", 0.3}});
  for (const double v : {-0.02, 3e-3, 0.5}) {
    const double curve = 1.0 + 0.5 * std::exp(-square(v / 1e-3));
    EXPECT_NEAR(smooth->steady({0.0, v, 1.0, 0.0}), std::copysign(curve, v) + 0.3 * v, 1e-12) << v;
  }
  // Near rest a damper of Fs / width, also by the series.
  EXPECT_NEAR(smooth->steady({0.0, 1e-9, 1.0, 0.0}), 1e-9 * (1.5 / 1e-4 + 0.3), 1e-15);
}

TEST(Regularised, ActsInThePlaneAlongTheVelocity) {
  MachineParts p;
  p.bodies = {{"x", {.inertia = 1.0}}, {"y", {.inertia = 1.0}}};
  ContactPart pad{"pad", between("x", "ground"),
                  make_law("regularised", {{"static_force", 1.0}, {"width", 1e-2}})};
  pad.across = between("y", "ground");
  p.contacts = {pad};
  p.inputs = {{"fx", "x", ramp(0.3)}, {"fy", "y", ramp(0.4)}};
  const auto run = simulate(Machine(p), until(2.0));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_NEAR(run["x.velocity"].back(), 0.6e-2 * std::atanh(0.5), 1e-9);
  EXPECT_NEAR(run["y.velocity"].back(), 0.8e-2 * std::atanh(0.5), 1e-9);
}

// A gear driven back and forth under a torque.
Simulation gear(double load, double amplitude) {
  PrescribedMotion m;
  m.load = load;
  m.signal.amplitude = amplitude;
  m.signal.frequency = 2.0;
  return simulate(*make_law("gear_hysteresis"), m, until(6.0, 601.0));
}

TEST(GearHysteresis, TurnsExponentiallyWithTheTravelAfterAReversal) {
  const auto run = gear(5.0, 0.01);
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  const double quarter = 0.25 * std::acos(-1.0);
  for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
    const double t = run.trajectory.time[i], x = run.trajectory.position[i];
    if (t < quarter || t > 3.0 * quarter) continue;
    // From z = 1 - exp(-10) at the first turn: z + 1 falls as exp(-travel / reversal).
    const double first = 1.0 - std::exp(-10.0);
    const double z = -1.0 + (1.0 + first) * std::exp(-(0.01 - x) / 1e-3);
    EXPECT_NEAR(run.trajectory.force[i], 0.1 * 5.0 * z + 0.02 * 5.0 * z * z, 1e-8) << t;
  }
}

TEST(GearHysteresis, LosesInProportionToTheTorqueItCarries) {
  const auto law = make_law("gear_hysteresis");
  EXPECT_DOUBLE_EQ(law->steady({0.0, 1.0, 5.0, 0.0}), 0.6);
  EXPECT_DOUBLE_EQ(law->steady({0.0, -1.0, 5.0, 0.0}), -0.4);
  EXPECT_DOUBLE_EQ(law->steady({0.0, 1.0, -5.0, 0.0}), 0.4);
}

TEST(GearHysteresis, FollowsATorqueThatChangesItsSign) {
  MachineParts p;
  p.bodies = {{"rotor", {.inertia = 0.1, .velocity = 20.0, .motion = Body::rotation}}};
  p.contacts = {{"gear", between("rotor", "ground"), make_law("gear_hysteresis")}};
  p.loads = {{"torque", "gear", ramp(4.0, -4.0)}};
  const auto run = simulate(Machine(p), until(2.0));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  // z is one but for the first 1e-3 rad: w' = -(0.1 |4 - 4 t| + 0.02 (4 - 4 t)) / 0.1.
  EXPECT_NEAR(run["rotor.velocity"].back(), 20.0 - 4.0, 1e-3);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-9);
}

TEST(GearHysteresis, IsRefusedWhereItWouldDriveItself) {
  EXPECT_THROW(make_law("gear_hysteresis", {{"proportional", 0.1}, {"directional", 0.2}}),
               InvalidInput);
}

}  // namespace
}  // namespace bristle::block_laws_test
