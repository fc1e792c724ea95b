// SPDX-License-Identifier: MIT
// Contacts in the plane: against an integration in speed and heading, and against the same law
// along a line that is turned.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/run.hpp"

namespace bristle::planar_contact_test {
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
  // oracle: machines.planar_stage.break_away
  EXPECT_NEAR(run.events[0].time, 0.2506556623361308, 1e-12);
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
                                           "elasto_plastic", "mpabm", "sbm"));

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

// Two blocks in the plane, one on the other, on springs and under forces that turn.
struct Stack {
  explicit Stack(unsigned seed) : random(seed) {
    for (double& m : mass) m = draw(0.3, 2.0);
    for (double& k : spring) k = draw(0.0, 60.0);
    for (double& f : friction) f = draw(0.2, 2.0);
    for (Signal& s : force) s = wave(draw(1.0, 6.0), draw(0.5, 5.0), draw(0.0, 6.0));
    for (double& v : velocity) v = seed % 3 == 0 ? draw(-1.0, 1.0) : 0.0;
  }
  double draw(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  double push(int i, double t) const {  // on the coordinates x1, y1, x2, y2
    return i == 3 ? 0.0 : (i == 2 ? 0.3 : 1.0) * force[i == 0 ? 0 : 1].value(t, 0);
  }
  MachineParts parts() const {
    MachineParts p;
    const char* names[]{"x1", "y1", "x2", "y2"};
    for (int i = 0; i < 4; ++i) {
      p.bodies.push_back({names[i], {.inertia = mass[i / 2], .velocity = velocity[i]}});
      p.couplings.push_back({"s" + std::to_string(i),
                             {names[i], "ground"},
                             couple(SpringDamper{spring[i / 2], 0.1})});
    }
    const auto law = [&](int i) { return make_law("coulomb", {{"coulomb_force", friction[i]}}); };
    ContactPart upper{"upper", between("x2", "x1"), law(1)};
    upper.across = between("y2", "y1");
    p.contacts = {pad("lower", law(0), "x1", "y1"), upper};
    p.inputs = {
        {"f0", "x1", force[0]}, {"f1", "y1", force[1]}, {"f2", "x2", force[1], {.gain = 0.3}}};
    return p;
  }

  std::mt19937_64 random;
  double mass[2], spring[2], friction[2], velocity[4];
  Signal force[2];
};

// Moreau's time stepping: impulses within discs, contact after contact, without events.
class MoreauStack {
 public:
  MoreauStack(const Stack& s, double h) : s_(s), h_(h) {
    std::copy(s.velocity, s.velocity + 4, v_);
  }
  void step(double t) {
    for (int i = 0; i < 4; ++i)
      free_[i] = v_[i] + h_ / s_.mass[i / 2] *
                             (s_.push(i, t + 0.5 * h_) - 0.1 * v_[i] -
                              s_.spring[i / 2] * (q[i] + 0.5 * h_ * v_[i]));
    double change = 1.0;
    for (int k = 0; k < 300 && change > 1e-10 * h_; ++k)
      change = std::max(relax(lower_, 0, -1, 0), relax(upper_, 2, 0, 1));
    for (int i = 0; i < 4; ++i) {
      const double next = speed(i);
      q[i] += 0.5 * h_ * (v_[i] + next);
      v_[i] = next;
    }
  }
  double q[4]{};

 private:
  double speed(int i) const {
    const double p = i < 2 ? lower_[i] - upper_[i] : upper_[i - 2];
    return free_[i] - p / s_.mass[i / 2];
  }
  // One contact between the coordinates from `first` on and those from `second` on (or the ground).
  double relax(double* p, int first, int second, int law) {
    const double g = 1.0 / s_.mass[first / 2] + (second < 0 ? 0.0 : 1.0 / s_.mass[second / 2]);
    double next[2];
    for (int a = 0; a < 2; ++a)
      next[a] = p[a] + (speed(first + a) - (second < 0 ? 0.0 : speed(second + a))) / g;
    const double size = std::hypot(next[0], next[1]), most = h_ * s_.friction[law];
    double change = 0.0;
    for (int a = 0; a < 2; ++a) {
      if (size > most) next[a] *= most / size;
      change = std::max(change, std::abs(next[a] - p[a]));
      p[a] = next[a];
    }
    return change;
  }

  const Stack& s_;
  double h_, v_[4], free_[4], lower_[2]{}, upper_[2]{};
};

TEST(PlanarContact, OnAnotherOneMovesAsByTimeStepping) {
  long events = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Stack stack(seed);
    const auto run = simulate(Machine(stack.parts()), until(2.0, 21.0, 1e-8));
    ASSERT_TRUE(run.summary.ok()) << "seed " << seed << ": " << run.summary.message;
    EXPECT_TRUE(run.summary.ledger.closes) << "seed " << seed << ": " << run.summary.message;
    events += long(run.events.size());
    constexpr int steps = 1000;
    const double h = 0.1 / steps;
    MoreauStack other(stack, h);
    double off = 0.0, size = 0.0;
    const char* columns[]{"x1.position", "y1.position", "x2.position", "y2.position"};
    for (std::size_t k = 0; k < 21; ++k) {
      for (int i = 0; i < 4; ++i) {
        off = std::max(off, std::abs(run[columns[i]][k] - other.q[i]));
        size = std::max(size, std::abs(other.q[i]));
      }
      for (int j = 0; j < steps; ++j) other.step(h * (double(k) * steps + j));
    }
    EXPECT_LT(off, 5e-4 * size) << "seed " << seed;
  }
  EXPECT_GT(events, 20);
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

TEST(PlanarContact, IsRefusedForLawsThatAreNotIsotropic) {
  // By position, by pieces along it, by the sign of a load, by several elements.
  for (const std::string name : {"sawtooth", "drbm", "ffbm", "gear_friction", "dahl", "gms"}) {
    MachineParts p = stage();
    p.contacts[0].law = make_law(name);
    try {
      Machine machine(p);
      ADD_FAILURE() << name;
    } catch (const InvalidPart& error) {
      EXPECT_EQ(error.what(), "contact: " + name + " has no form in the plane");
    }
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
}  // namespace bristle::planar_contact_test
