// SPDX-License-Identifier: MIT
// Machines under sampled controllers.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/run.hpp"

namespace bristle::machine_control_test {
namespace {

Signal rest_at(double value) {
  Signal s;
  s.shape = Signal::ramp;
  s.offset = value;
  s.rate = 0.0;
  return s;
}

// A mass of 1 kg with falling friction under PID with integral action.
MachineParts hunting(double start, double step) {
  MachineParts p;
  p.bodies = {{"axis", {.position = start}}};
  p.contacts = {
      {"guide", between("axis", "ground"),
       make_law("stribeck",
                {{"coulomb_force", 1.0}, {"static_force", 1.5}, {"stribeck_velocity", 0.01}})}};
  Controller pid;
  pid.step = step;
  pid.position_gain = 100.0;
  pid.velocity_gain = 10.0;
  pid.integral_gain = 200.0;
  pid.sensing = Controller::exact;
  p.controllers = {{"pid", "axis", "axis", pid, rest_at(0.0)}};
  return p;
}

TEST(Control, WithIntegralActionHuntsAtItsKnownPeriod) {
  Options o;
  o.end = 80.0;
  o.samples = 8001.0;
  o.tolerance = 1e-9;
  const auto run = simulate(Machine(hunting(-0.1, 1e-3)), o);
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_LT(run.summary.ledger.relative_error, 1e-7);
  // Slips to one side follow each other by a period.
  std::vector<double> slips;
  for (const auto& e : run.events)
    if (e.kind == EventKind::slip && e.after > 0.0) slips.push_back(e.time);
  ASSERT_GT(slips.size(), 5u);
  // oracle: control.hunting.period
  EXPECT_NEAR(slips.back() - slips[slips.size() - 2], 7.926, 1e-9);
  // oracle: control.hunting.offset
  EXPECT_NEAR(std::abs(run["axis.position"].back()), 0.00338447654743412, 2e-8);
  EXPECT_EQ(run["axis.velocity"].back(), 0.0);
}

TEST(Control, HuntingDiesFromAStartThatIsNear) {
  Options o;
  o.end = 60.0;
  o.samples = 61.0;
  const auto run = simulate(Machine(hunting(-0.02, 1e-3)), o);
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_EQ(run["axis.velocity"].back(), 0.0);
  for (const auto& e : run.events) EXPECT_LT(e.time, 20.0);
}

TEST(Control, OfAMassWithoutFrictionFollowsItsDifferenceEquation) {
  // A held force on a free mass: position and velocity from sample to sample in closed form.
  MachineParts p;
  p.bodies = {{"m", {.inertia = 2.0, .position = 0.3}}};
  Controller pd;
  pd.step = 0.02;
  pd.position_gain = 40.0;
  pd.velocity_gain = 9.0;
  pd.resolution = 1e-3;
  pd.delay = 2.0;
  pd.saturation = 5.0;
  pd.gain = 1.5;
  p.controllers = {{"pd", "m", "m", pd, rest_at(0.1)}};
  bristle::Run run{Machine(p)};
  double x = 0.3, v = 0.0, before = 0.0;
  double line[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < 200; ++k) {
    const double read = 1e-3 * std::round(x / 1e-3);
    const double u = 40.0 * (0.1 - read) - 9.0 * (k > 0 ? (read - before) / 0.02 : 0.0);
    before = read;
    line[2] = line[1], line[1] = line[0], line[0] = std::clamp(u, -5.0, 5.0);
    const double a = 1.5 * line[2] / 2.0;
    x += v * 0.02 + 0.5 * a * 0.02 * 0.02;
    v += a * 0.02;
    ASSERT_EQ(run.step(0.02), Status::done) << k << " " << run.time();
    ASSERT_NEAR(run.position(0), x, 1e-9) << k;
    ASSERT_NEAR(run.velocity(0), v, 1e-9) << k;
  }
}

TEST(Control, TwoMassDriveHuntsUnderVelocityControl) {
  MachineParts p;
  p.bodies = {{"motor", {.inertia = 2e-4, .motion = Body::rotation}},
              {"load", {.inertia = 1.1e-3, .motion = Body::rotation}}};
  p.couplings = {{"shaft", {"motor", "load"}, couple(SpringDamper{120.0, 0.02})}};
  p.contacts = {
      {"bearing", between("motor", "ground"),
       make_law("stribeck", {{"coulomb_force", 0.05},
                             {"static_force", 0.1},
                             {"stribeck_velocity", 0.2},
                             {"curve", std::string("exponential")}})},
      {"table", between("load", "ground"), make_law("coulomb", {{"coulomb_force", 0.05}})}};
  Controller pi;
  pi.form = Controller::velocity;
  pi.step = 1e-4;
  pi.velocity_gain = 0.08;
  pi.integral_gain = 1.6;
  pi.sensing = Controller::exact;
  p.controllers = {{"pi", "motor", "motor", pi, rest_at(0.1)}};
  Options o;
  o.end = 4.0;
  o.samples = 401.0;
  const auto run = simulate(Machine(p), o);
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  std::vector<double> slips;
  for (const auto& e : run.events)
    if (e.contact == 1 && e.kind == EventKind::slip) slips.push_back(e.time);
  ASSERT_GT(slips.size(), 4u);
  // From one slip of the load to the next; in continuous time 0.2894424 s.
  EXPECT_NEAR(slips.back() - slips[slips.size() - 2], 0.28944, 5e-4);
}

}  // namespace
}  // namespace bristle::machine_control_test
