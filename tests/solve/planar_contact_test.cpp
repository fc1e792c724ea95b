// SPDX-License-Identifier: MIT
// Contacts in the plane: against an integration in speed and heading, and against the same law
// along a line that is turned.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/run.hpp"

namespace bristle {
namespace {

using LawPointer = std::shared_ptr<const AnyLaw>;

Signal wave(double amplitude, double frequency, double phase = 0.0) {
  Signal s;
  s.amplitude = amplitude;
  s.frequency = frequency;
  s.phase = phase;
  return s;
}
Options until(double end, double samples, double tolerance) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = tolerance;
  return o;
}
ContactPart pad(const char* name, LawPointer law, const char* x = "x", const char* y = "y") {
  ContactPart contact{name, between(x, "ground"), std::move(law)};
  contact.across = between(y, "ground");
  return contact;
}

// A mass on springs whose end goes round a circle.
MachineParts stage() {
  MachineParts p;
  p.bodies = {{"x", {.inertia = 1.0, .position = 0.02}}, {"y", {.inertia = 1.0}}};
  p.drives = {{"ex", wave(0.02, 1.0, std::acos(0.0))}, {"ey", wave(0.02, 1.0)}};
  p.couplings = {{"sx", {"x", "ex"}, couple(SpringDamper{100.0})},
                 {"sy", {"y", "ey"}, couple(SpringDamper{100.0})}};
  p.contacts = {pad("pad", make_law("coulomb", {{"coulomb_force", 0.5}}))};
  return p;
}

TEST(PlanarContact, OfCoulombFrictionFollowsTheMotionInSpeedAndHeading) {
  const auto run = simulate(Machine(stage()), until(20.0, 21.0, 1e-11));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_LT(run.summary.ledger.relative_error, 1e-10);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_EQ(run.events[0].kind, EventKind::slip);
  EXPECT_NEAR(run.events[0].time, 0.2506556623361308,
              1e-12);  // oracle: machines.planar_stage.break_away
  const auto near = [&](const char* column, int t, double value, double within) {
    EXPECT_NEAR(run[column][std::size_t(t)], value, within) << column << " at " << t;
  };
  near("x.position", 1, 0.015706507541872063, 5e-10);   // oracle: machines.planar_stage.x_1
  near("y.position", 1, 0.012144085242043856, 5e-10);   // oracle: machines.planar_stage.y_1
  near("x.velocity", 1, -0.00977922417428298, 2e-9);    // oracle: machines.planar_stage.vx_1
  near("y.velocity", 1, 0.009525822160163648, 2e-9);    // oracle: machines.planar_stage.vy_1
  near("dissipated", 1, 0.006516860214132684, 5e-10);   // oracle: machines.planar_stage.heat_1
  near("x.position", 20, 0.012009019383857887, 5e-10);  // oracle: machines.planar_stage.x_20
  near("y.position", 20, 0.015430747168257306, 5e-10);  // oracle: machines.planar_stage.y_20
  near("x.velocity", 20, -0.01792759840038698, 2e-9);   // oracle: machines.planar_stage.vx_20
  near("y.velocity", 20, 0.01467863097154513, 2e-9);    // oracle: machines.planar_stage.vy_20
  near("dissipated", 20, 0.1939660588338151, 5e-10);    // oracle: machines.planar_stage.heat_20
}

TEST(PlanarContact, HoldsBothVelocitiesAtExactlyZeroInStick) {
  const auto run = simulate(Machine(stage()), until(0.25, 26.0, 1e-8));
  for (std::size_t i = 0; i < run["time"].size(); ++i) {
    EXPECT_EQ(run["x.velocity"][i], 0.0);
    EXPECT_EQ(run["y.velocity"][i], 0.0);
    EXPECT_EQ(run["pad.mode"][i], 0.0);
    // The force balances the springs: 4 sin(t / 2) in size.
    const double t = run["time"][i];
    EXPECT_NEAR(std::hypot(run["pad.force_1"][i], run["pad.force_2"][i]), 4.0 * std::sin(0.5 * t),
                1e-13);
  }
}

// A body on springs under a force along one direction of the plane, and the same along a line.
MachineParts slanted(LawPointer law, double angle, const Signal& force) {
  MachineParts p;
  p.bodies = {{"x", {.inertia = 0.7}}, {"y", {.inertia = 0.7}}};
  p.couplings = {{"sx", {"x", "ground"}, couple(SpringDamper{40.0, 0.1})},
                 {"sy", {"y", "ground"}, couple(SpringDamper{40.0, 0.1})}};
  p.contacts = {pad("pad", std::move(law))};
  p.inputs = {{"fx", "x", force, {.gain = std::cos(angle)}},
              {"fy", "y", force, {.gain = std::sin(angle)}}};
  return p;
}
MachineParts straight(LawPointer law, const Signal& force) {
  MachineParts p;
  p.bodies = {{"x", {.inertia = 0.7}}};
  p.couplings = {{"sx", {"x", "ground"}, couple(SpringDamper{40.0, 0.1})}};
  p.contacts = {{"pad", between("x", "ground"), std::move(law)}};
  p.inputs = {{"f", "x", force}};
  return p;
}

class AlongALine : public ::testing::TestWithParam<const char*> {};

TEST_P(AlongALine, APlanarContactIsTheLawItself) {
  const LawPointer law = make_law(GetParam());
  const Signal force = wave(3.0, 2.3);
  const auto want = simulate(Machine(straight(law, force)), until(6.0, 601.0, 1e-10));
  for (const double angle : {0.0, 0.6435, 2.4}) {
    const auto got = simulate(Machine(slanted(law, angle, force)), until(6.0, 601.0, 1e-10));
    ASSERT_TRUE(got.summary.ok()) << got.summary.message;
    EXPECT_TRUE(got.summary.ledger.closes) << got.summary.message;
    double off = 0.0, size = 0.0;
    for (std::size_t i = 0; i < 601; ++i) {
      size = std::max(size, std::abs(want["x.position"][i]));
      off = std::max(off, std::abs(got["x.position"][i] - std::cos(angle) * want["x.position"][i]));
      off = std::max(off, std::abs(got["y.position"][i] - std::sin(angle) * want["x.position"][i]));
    }
    EXPECT_GT(size, 1e-3);
    EXPECT_LT(off, 1e-7 * size) << "angle " << angle;
    if (want.events.empty()) continue;
    long sticks = 0, wanted = 0;
    for (const auto& e : got.events) sticks += e.kind == EventKind::stick;
    for (const auto& e : want.events) wanted += e.kind == EventKind::stick;
    EXPECT_EQ(sticks, wanted);
  }
}
INSTANTIATE_TEST_SUITE_P(Laws, AlongALine,
                         ::testing::Values("coulomb", "stribeck", "lugre", "frbd",
                                           "elasto_plastic"));

TEST(PlanarContact, MovesAlikeWithItsAxesTurned) {
  // A LuGre bristle under a force that turns, seen along the bodies and along axes turned by an
  // angle: the motion of the bodies is the same.
  const auto run = [](double turn) {
    MachineParts p;
    p.bodies = {{"x", {.inertia = 1.0}}, {"y", {.inertia = 1.0}}};
    const double c = std::cos(turn), s = std::sin(turn);
    ContactPart contact{"pad", {{{"x", c}, {"y", s}}}, make_law("lugre")};
    contact.across = {{{"x", -s}, {"y", c}}};
    p.contacts = {contact};
    p.inputs = {{"fx", "x", wave(2.0, 3.0)}, {"fy", "y", wave(2.0, 3.0, -std::acos(0.0))}};
    return simulate(Machine(p), until(3.0, 31.0, 1e-10));
  };
  const auto plain = run(0.0), turned = run(0.8);
  ASSERT_TRUE(turned.summary.ok()) << turned.summary.message;
  EXPECT_LT(turned.summary.ledger.relative_error, 1e-8);
  EXPECT_GT(std::abs(plain["x.position"].back()), 0.1);
  for (std::size_t i = 0; i < 31; ++i) {
    EXPECT_NEAR(plain["x.position"][i], turned["x.position"][i], 1e-8);
    EXPECT_NEAR(plain["y.position"][i], turned["y.position"][i], 1e-8);
  }
}

TEST(PlanarContact, OnThreePadsHoldsAStageThatOneOfThemAloneDoesNot) {
  // A plate with rotation: pads at the corners of a triangle, each with 1 N.
  MachineParts p;
  p.bodies = {{"x", {.inertia = 2.0}},
              {"y", {.inertia = 2.0}},
              {"turn", {.inertia = 0.02, .motion = Body::rotation}}};
  const double at[3][2]{{0.1, 0.0}, {-0.05, 0.0866}, {-0.05, -0.0866}};
  for (int i = 0; i < 3; ++i) {
    ContactPart c{"pad" + std::to_string(i),
                  {{{"x", 1.0}, {"turn", -at[i][1]}}},
                  make_law("coulomb", {{"coulomb_force", 1.0}})};
    c.across = {{{"y", 1.0}, {"turn", at[i][0]}}};
    p.contacts.push_back(c);
  }
  p.inputs = {{"push", "x", wave(2.9, 1.0)}};
  const auto held = simulate(Machine(p), until(4.0, 41.0, 1e-8));
  ASSERT_TRUE(held.summary.ok()) << held.summary.message;
  for (const double v : held["x.velocity"]) EXPECT_EQ(v, 0.0);
  for (std::size_t i = 0; i < 41; ++i) {
    const double sum = held["pad0.force_1"][i] + held["pad1.force_1"][i] + held["pad2.force_1"][i];
    EXPECT_NEAR(sum, held["push.force"][i], 1e-9);
  }
  // 3.5 N through the centre break it away at asin(3 / 3.5) without turning it.
  p.inputs = {{"push", "x", wave(3.5, 1.0)}};
  const auto moved = simulate(Machine(p), until(2.0, 201.0, 1e-9));
  ASSERT_TRUE(moved.summary.ok()) << moved.summary.message;
  ASSERT_FALSE(moved.events.empty());
  EXPECT_NEAR(moved.events[0].time, std::asin(3.0 / 3.5), 1e-7);
  const double t0 = std::asin(3.0 / 3.5), t = 2.0;
  const double want = (3.5 * (std::cos(t0) - std::cos(t)) - 3.0 * (t - t0)) / 2.0;
  EXPECT_NEAR(moved["x.velocity"].back(), want, 1e-6);
  EXPECT_NEAR(moved["turn.position"].back(), 0.0, 1e-9);
}

TEST(PlanarContact, IsRefusedForALawWithoutAPlanarForm) {
  MachineParts p = stage();
  p.contacts[0].law = make_law("sawtooth");
  try {
    Machine machine(p);
    FAIL();
  } catch (const InvalidPart& error) {
    EXPECT_STREQ(error.what(), "contact: sawtooth has no form in the plane");
  }
}

TEST(PlanarContact, IsSteppedByARunWithBothAxes) {
  bristle::Run run(Machine{stage()});
  ASSERT_EQ(run.step(0.2), Status::done);
  EXPECT_EQ(run.mode(0), 0.0);
  EXPECT_NEAR(std::hypot(run.force(0, 0), run.force(0, 1)), 4.0 * std::sin(0.1), 1e-13);
  RunSnapshot here;
  run.save(here);
  ASSERT_EQ(run.step(0.3), Status::done);
  EXPECT_EQ(run.mode(0), 1.0);
  const double x = run.position(0);
  run.restore(here);
  ASSERT_EQ(run.step(0.3), Status::done);
  EXPECT_EQ(run.position(0), x);
}

}  // namespace
}  // namespace bristle
