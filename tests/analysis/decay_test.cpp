// SPDX-License-Identifier: MIT
// Envelopes of swings, and dry friction under dither, against closed forms and oracle/planar.py.
#include "bristle/analysis/decay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/analysis/dither.hpp"
#include "bristle/model/erase_block.hpp"
#include "bristle/model/planar_reset.hpp"
#include "bristle/solve/machine_run.hpp"

namespace bristle::decay_test {
namespace {

// 1 kg on a spring of 100 N/m along the first axis, on ground that may shake.
MachineResult swing(const PlanarReset& law, double x, double velocity, const Signal& shake,
                    const Options& options, double y = 0.0, double y_velocity = 0.0) {
  MachineParts p;
  p.bodies = {{"x", {.position = x, .velocity = velocity}},
              {"y", {.position = y, .velocity = y_velocity}}};
  p.drives = {{"shaker", shake, {.gives = DriveSettings::velocity}}};
  p.couplings = {{"sx", {"x", "ground"}, couple(SpringDamper{100.0})},
                 {"sy", {"y", "ground"}, couple(SpringDamper{100.0})}};
  ContactPart pad{"pad", between("x", "shaker"), erase(law)};
  pad.across = between("y", "ground");
  p.contacts = {pad};
  return simulate(Machine(p), options);
}
Signal still() {
  Signal s;
  s.shape = Signal::ramp;
  return s;
}
Options until(double end, double samples, double tolerance) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = tolerance;
  return o;
}

TEST(Decay, DistinguishesEqualStepsFromEqualRatios) {
  std::vector<double> time, steps, ratios;
  for (int i = 0; i <= 20000; ++i) {
    const double t = 1e-3 * i;
    time.push_back(t);
    steps.push_back((1.0 - 0.04 * t) * std::cos(9.0 * t));
    ratios.push_back(std::exp(-0.08 * t) * std::cos(9.0 * t));
  }
  const Decay line = find_decay(time, steps), power = find_decay(time, ratios);
  EXPECT_FALSE(line.exponential());
  EXPECT_NEAR(line.fall, 0.04, 1e-5);
  EXPECT_TRUE(power.exponential());
  EXPECT_NEAR(power.rate, 0.08, 1e-6);
  EXPECT_FALSE(find_decay({0.0, 1.0, 2.0}, {0.0, 1.0, 0.0}).known());
}

// Along one axis it is the reset integrator in one dimension.
TEST(Decay, AlongOneAxisMatchesTheReferenceInOneDimension) {
  PlanarReset law;
  law.gradient = 0.0;
  law.damping = 0.0;
  const auto run = swing(law, 0.08, 0.0, still(), until(2.0, 20001.0, 1e-11));
  const auto extremes = find_decay(run["time"], run["x.position"], 0.01);
  // oracle: planar.line.plain.extreme_1 .extreme_2 .extreme_3 .extreme_4 .extreme_5
  const double expected[]{0.060710678, 0.044512135, 0.029888438, 0.018205495, 0.011617820};
  ASSERT_GE(extremes.size.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(extremes.size[std::size_t(i)], expected[i], 2e-8) << i;
  law.gradient = 0.1;
  law.damping = 74.15;
  law.damping_by = PlanarReset::constant;
  const auto damped = swing(law, 0.08, 0.0, still(), until(1.2, 20001.0, 1e-11));
  const auto fewer = find_decay(damped["time"], damped["x.position"], 0.01);
  ASSERT_GE(fewer.size.size(), 2u);
  EXPECT_NEAR(fewer.size[0], 0.050569152, 2e-8);  // oracle: planar.line.damped.extreme_1
  EXPECT_NEAR(fewer.size[1], 0.010751964, 2e-8);  // oracle: planar.line.damped.extreme_2
}

TEST(Decay, OfDryFrictionIsAStraightLine) {
  const auto run = swing({}, 0.08, -0.8, still(), until(2.2, 8001.0, 1e-10), 0.08, 0.8);
  const Decay d = find_decay(run["time"], run["y.position"]);
  EXPECT_FALSE(d.exponential());
  EXPECT_LT(d.line_residual, 0.01);
}

// Closed forms, and the means over a period of Coulomb friction under dither.
TEST(Dither, MeansMatchTheClosedForms) {
  EXPECT_NEAR(mean_friction_along(0.1, 1.0), 0.063768561, 1e-9);  // oracle: curves.dither.along_0_1
  // oracle: curves.dither.across_0_1
  EXPECT_NEAR(mean_friction_across(0.1, 1.0), 0.234415654, 1e-9);
  EXPECT_NEAR(mean_friction_along(0.5, 1.0), 0.333333333, 1e-9);  // oracle: curves.dither.along_0_5
  // oracle: curves.dither.across_0_5
  EXPECT_NEAR(mean_friction_across(0.5, 1.0), 0.642637682, 1e-9);
  EXPECT_EQ(mean_friction_along(2.0, 1.0), 1.0);
  // For small velocities they are the effective damping times the velocity.
  EXPECT_NEAR(mean_friction_along(1e-3, 1.0), effective_damping_along(1.0, 1.0) * 1e-3, 1e-9);
  EXPECT_NEAR(mean_friction_across(1e-3, 1.0), effective_damping_across(1.0, 1.0, 1e-3) * 1e-3,
              1e-8);
}

// Dither makes dry friction viscous: the swing decays exponentially, at the rate of the effective
// damping c / 2 m with c = 2 F / (pi A) along the motion.
TEST(Dither, AlongTheMotionGivesTheKnownDecay) {
  PlanarReset law;
  law.stiffness = 1e5;
  law.range = 1e-5;  // a Coulomb force of 1 N
  law.gradient = 0.0;
  law.damping = 0.0;
  const auto run = swing(law, 0.02, 0.0, Signal{.amplitude = 1.0, .frequency = 3000.0},
                         until(6.0, 12001.0, 1e-7));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  const Decay d = find_decay(run["time"], run["x.position"], 0.2);
  EXPECT_TRUE(d.exponential()) << d.line_residual << " " << d.exponential_residual;
  EXPECT_NEAR(d.rate, 1.0 / std::numbers::pi, 0.05 / std::numbers::pi);
}

}  // namespace
}  // namespace bristle::decay_test
