// SPDX-License-Identifier: MIT
// Machines of several bodies and contacts against closed forms and independent integrations. The
// numbers of the chain, of the stacked blocks and of the redundant contacts are closed forms of
// piecewise linear motion; those of the drive, the belt and the drill string are from an
// event-driven integration in 80-bit arithmetic by two methods.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"

namespace bristle::machine_test {
namespace {

std::shared_ptr<const AnyLaw> coulomb(double force) {
  return make_law("coulomb", {{"coulomb_force", force}});
}
Signal sine(double amplitude, double frequency) {
  Signal s;
  s.amplitude = amplitude;
  s.frequency = frequency;
  return s;
}
Signal ramp(double rate) {
  Signal s;
  s.shape = Signal::ramp;
  s.rate = rate;
  return s;
}
Options until(double end, double samples, double tolerance = 1e-10) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = tolerance;
  return o;
}
double at(const MachineResult& run, const char* column, double time) {
  const auto& t = run["time"];
  for (std::size_t i = 0; i < t.size(); ++i)
    if (std::abs(t[i] - time) < 1e-9) return run[column][i];
  ADD_FAILURE() << "no sample at " << time;
  return NAN;
}
// The times at which a contact changes its mode, in order.
std::vector<double> times_of(const MachineResult& run, int contact) {
  std::vector<double> times;
  for (const auto& e : run.events)
    if (e.contact == contact) times.push_back(e.time);
  return times;
}
void expect_times(const std::vector<double>& got, const std::vector<double>& want, double within) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(got[i], want[i], within) << i;
}

TEST(Machine, OfTwoMassesWithAStateLawAndCoulombFriction) {
  MachineParts p;
  p.bodies = {{"motor", {.inertia = 2e-4, .motion = Body::rotation}},
              {"load", {.inertia = 1.1e-3, .motion = Body::rotation}}};
  p.couplings = {{"shaft", {"motor", "load"}, couple(SpringDamper{120.0, 0.02})}};
  p.contacts = {{"bearing", between("motor", "ground"),
                 make_law("lugre", {{"stiffness", 40.0},
                                    {"damping", 0.02},
                                    {"viscous", 0.0},
                                    {"coulomb_force", 0.02},
                                    {"static_force", 0.03},
                                    {"stribeck_velocity", 0.1}})},
                {"table", between("load", "ground"), coulomb(0.05)}};
  p.inputs = {{"torque", "motor", sine(0.2, 3.0)}};
  const auto run = simulate(Machine(p), until(4.0, 5));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  // oracle: machines.two_mass.motor_1
  EXPECT_NEAR(at(run, "motor.position", 1.0), 24.987083221329, 1e-9);
  // oracle: machines.two_mass.load_4
  EXPECT_NEAR(at(run, "load.position", 4.0), 31.281751878312, 1e-9);
  // oracle: machines.two_mass.motor_speed_2
  EXPECT_NEAR(at(run, "motor.velocity", 2.0), -40.311967837004, 1e-8);
  // oracle: machines.two_mass.load_speed_3
  EXPECT_NEAR(at(run, "load.velocity", 3.0), 45.401649412901, 1e-8);
  // oracle: machines.two_mass.motor_work
  EXPECT_NEAR(at(run, "bearing.work", 4.0), 2.111263219294, 1e-9);
  // oracle: machines.two_mass.load_work
  EXPECT_NEAR(at(run, "table.work", 4.0), 5.2786237513094, 1e-9);
  EXPECT_NEAR(at(run, "work_in", 4.0), 8.5608344114839, 1e-9);  // oracle: machines.two_mass.work_in
  EXPECT_NEAR(at(run, "stored", 4.0), 1.1709469220987, 1e-9);   // oracle: machines.two_mass.stored
  expect_times(times_of(run, 1),
               {0.10649596339116, 1.42207937151834, 2.40416521056480, 3.47934047391064}, 1e-9);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-10);
}

TEST(Machine, OfAChainOfThreeBlocksFollowsItsClosedForm) {
  MachineParts p;
  p.bodies = {{"b1"}, {"b2"}, {"b3"}};
  p.drives = {{"hand", ramp(0.05)}};
  p.couplings = {{"s1", {"b1", "b2"}, couple(SpringDamper{100.0})},
                 {"s2", {"b2", "b3"}, couple(SpringDamper{100.0})},
                 {"s0", {"hand", "b1"}, couple(SpringDamper{50.0})}};
  p.contacts = {{"c1", between("b1", "ground"), coulomb(1.0)},
                {"c2", between("b2", "ground"), coulomb(1.5)},
                {"c3", between("b3", "ground"), coulomb(2.0)}};
  const auto run = simulate(Machine(p), until(20.0, 21));
  // oracle: machines.chain.x1_5
  EXPECT_NEAR(at(run, "b1.position", 5.0), 0.15291342598204298, 1e-10);
  // oracle: machines.chain.x2_10
  EXPECT_NEAR(at(run, "b2.position", 10.0), 0.37305333274449943, 1e-10);
  // oracle: machines.chain.x3_20
  EXPECT_NEAR(at(run, "b3.position", 20.0), 0.86639541856642907, 1e-10);
  // oracle: machines.chain.v3_10
  EXPECT_NEAR(at(run, "b3.velocity", 10.0), 0.00338980703609295, 1e-9);
  // oracle: machines.chain.dissipated3
  EXPECT_NEAR(at(run, "c3.work", 20.0), 1.73279083713286, 1e-9);
  EXPECT_NEAR(at(run, "work_in", 20.0), 4.22422351331302, 1e-9);  // oracle: machines.chain.work_in
  expect_times(times_of(run, 1),
               {1.238767183738220, 1.966020815469058, 1.992251826330496, 2.719326892457596,
                2.745495059687600},
               1e-9);
  expect_times(times_of(run, 2),
               {2.925172909759164, 4.634211718382422, 4.729972344800800, 6.409920073265185,
                6.495551825010132, 8.199336130331706, 8.239684901747770},
               1e-9);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-10);
}

TEST(Machine, OfStackedBlocksLetsTheGroundGoWhereTheInterfaceSticks) {
  MachineParts p;
  p.bodies = {{"low", {.inertia = 2.0}}, {"up", {.inertia = 1.0}}};
  p.inputs = {{"push", "low", sine(6.0, 2.0)}};
  p.contacts = {{"floor", between("low", "ground"), coulomb(3.0)},
                {"interface", between("up", "low"), coulomb(2.0)}};
  const auto run = simulate(Machine(p), until(10.0, 2001));
  // oracle: machines.stacked.x_low_2_5
  EXPECT_NEAR(at(run, "low.position", 2.5), 0.5136331215042344, 1e-9);
  // oracle: machines.stacked.x_up_5
  EXPECT_NEAR(at(run, "up.position", 5.0), 0.6328337443933959, 1e-9);
  // oracle: machines.stacked.slip_10
  EXPECT_NEAR(at(run, "up.position", 10.0) - at(run, "low.position", 10.0), 0.000071221136306545,
              1e-9);
  // oracle: machines.stacked.v_up_5
  EXPECT_NEAR(at(run, "up.velocity", 5.0), 0.10014198237932704, 1e-9);
  // oracle: machines.stacked.ground_work
  EXPECT_NEAR(at(run, "floor.work", 10.0), 11.1941435289228, 1e-8);
  // oracle: machines.stacked.interface_work
  EXPECT_NEAR(at(run, "interface.work", 10.0), 0.00400377133973629, 1e-9);
  const auto floor = times_of(run, 0), interface = times_of(run, 1);
  ASSERT_EQ(floor.size(), 13u);
  ASSERT_EQ(interface.size(), 12u);
  EXPECT_NEAR(floor[1], 1.906366714859055, 1e-9);      // oracle: machines.stacked.ground_2
  EXPECT_NEAR(interface[1], 1.913222954981036, 1e-9);  // oracle: machines.stacked.interface_2
  EXPECT_EQ(floor[2], interface[1]);                   // a double event is one instant
  EXPECT_NEAR(floor[12], 9.762382440603702, 1e-9);     // oracle: machines.stacked.ground_13

  // In stick the velocities are the same number, and zero against the ground.
  int both = 0;
  for (std::size_t i = 0; i < run["time"].size(); ++i) {
    if (run["interface.mode"][i] == 0.0) {
      EXPECT_EQ(run["up.velocity"][i], run["low.velocity"][i]);
      EXPECT_EQ(run["interface.velocity"][i], 0.0);
      ++both;
    }
    if (run["floor.mode"][i] == 0.0) {
      EXPECT_EQ(run["low.velocity"][i], 0.0);
    }
  }
  EXPECT_GT(both, 1000);
}

TEST(Machine, WithRedundantContactsHasForcesOfLeastNorm) {
  MachineParts p;
  p.bodies = {{"b"}};
  p.contacts = {{"c1", between("b", "ground"), coulomb(1.0)},
                {"c2", between("b", "ground"), coulomb(2.0)}};
  p.inputs = {{"push", "b", sine(2.5, 1.0)}};
  const auto held = simulate(Machine(p), until(10.0, 21));
  for (const double x : held["b.position"]) EXPECT_EQ(x, 0.0);
  for (const double v : held["b.velocity"]) EXPECT_EQ(v, 0.0);
  // oracle: machines.redundant.half
  EXPECT_NEAR(at(held, "c1.force", 0.5), 0.5992819232552538, 1e-11);
  // oracle: machines.redundant.half
  EXPECT_NEAR(at(held, "c2.force", 0.5), 0.5992819232552538, 1e-11);
  EXPECT_NEAR(at(held, "c1.force", 1.0), 1.0, 1e-12);
  // oracle: machines.redundant.strong_1
  EXPECT_NEAR(at(held, "c2.force", 1.0), 1.103677462019741, 1e-11);
  EXPECT_NEAR(at(held, "c1.force", 5.0), -1.0, 1e-12);

  p.inputs = {{"push", "b", sine(4.0, 1.0)}};
  const auto slips = simulate(Machine(p), until(10.0, 21));
  // oracle: machines.redundant.x_2_5
  EXPECT_NEAR(at(slips, "b.position", 2.5), 0.883380001567755, 1e-9);
  // oracle: machines.redundant.x_10
  EXPECT_NEAR(at(slips, "b.position", 10.0), 1.18722712247921, 1e-9);
  EXPECT_EQ(at(slips, "b.velocity", 10.0), 0.0);
  EXPECT_NEAR(at(slips, "c1.force", 10.0), -1.0, 1e-12);
  // oracle: machines.redundant.strong_10
  EXPECT_NEAR(at(slips, "c2.force", 10.0), -1.17608444355748, 1e-10);
  expect_times(times_of(slips, 0),
               {0.848062078981481, 3.058738604515875, 3.989654732571274, 6.200331258105668,
                7.131247386161067, 9.341923911695462},
               1e-9);
  // oracle: machines.redundant.work
  EXPECT_NEAR(at(slips, "c1.work", 10.0) + at(slips, "c2.work", 10.0), 10.6850441023129, 1e-8);
}

MachineParts belt(double x, double v) {
  MachineParts p;
  p.bodies = {{"block", {.position = x, .velocity = v}}};
  p.drives = {{"belt", ramp(0.1)}};
  p.couplings = {{"wall", {"block", "ground"}, couple(SpringDamper{10.0, 0.1})}};
  p.contacts = {
      {"slide", between("block", "belt"),
       make_law("stribeck",
                {{"coulomb_force", 1.0}, {"static_force", 1.5}, {"stribeck_velocity", 0.1}})},
      {"guide", between("block", "ground"), coulomb(0.2)}};
  return p;
}

TEST(Machine, OnABeltWithTwoContactsReachesItsLimitCycle) {
  const auto run = simulate(Machine(belt(0.0, 0.0)), until(40.0, 41));
  // oracle: machines.belt.x_5
  EXPECT_NEAR(at(run, "block.position", 5.0), 0.0893267180674810, 1e-9);
  // oracle: machines.belt.v_10
  EXPECT_NEAR(at(run, "block.velocity", 10.0), 0.0892021196991523, 1e-9);
  // oracle: machines.belt.x_20
  EXPECT_NEAR(at(run, "block.position", 20.0), 0.0911749760850557, 1e-9);
  // oracle: machines.belt.x_40
  EXPECT_NEAR(at(run, "block.position", 40.0), 0.156170501515865, 1e-9);
  const auto slide = times_of(run, 0);
  ASSERT_GT(slide.size(), 8u);
  // oracle: machines.belt.period
  EXPECT_NEAR(slide[4] - slide[2], 2.12926131492938, 1e-9);  // period, from stick to stick
  // oracle: machines.belt.stick
  EXPECT_NEAR(slide[3] - slide[2], 0.16915190692672, 1e-9);  // stick
  EXPECT_LT(run.summary.ledger.relative_error, 1e-9);
}

TEST(Machine, OnABeltMayAlsoBeHeldByItsSecondContact) {
  const auto rests = simulate(Machine(belt(0.12, 0.0)), until(10.0, 11));
  EXPECT_EQ(at(rests, "block.position", 10.0), 0.12);
  EXPECT_EQ(at(rests, "block.velocity", 10.0), 0.0);
  // oracle: -machines.belt.drag
  EXPECT_NEAR(at(rests, "slide.force", 10.0), -1.18393972058572, 1e-12);
  // oracle: -machines.belt.held
  EXPECT_NEAR(at(rests, "guide.force", 10.0), -0.016060279414279, 1e-12);
  const auto slides = simulate(Machine(belt(0.139, 0.0)), until(10.0, 11));
  // oracle: machines.belt.stop
  EXPECT_NEAR(at(slides, "block.position", 10.0), 0.133638191583346, 1e-10);
}

TEST(Machine, OfADrillStringSticksAndSlipsAtTheBit) {
  MachineParts p;
  p.drives = {{"table", ramp(3.0)}};
  for (int i = 1; i <= 20; ++i) {
    const std::string name = "n" + std::to_string(i);
    p.bodies.push_back({name, {.inertia = 100.0, .motion = Body::rotation}});
    p.couplings.push_back({"pipe" + std::to_string(i),
                           {i == 1 ? "table" : "n" + std::to_string(i - 1), name},
                           couple(SpringDamper{1e4})});
    p.couplings.push_back(
        {"mud" + std::to_string(i), {name, "ground"}, couple(SpringDamper{0.0, 10.0})});
  }
  p.contacts = {{"bit", between("n20", "ground"),
                 make_law("stribeck", {{"coulomb_force", 5000.0},
                                       {"static_force", 8000.0},
                                       {"stribeck_velocity", 1.0}})}};
  const auto run = simulate(Machine(p), until(50.0, 51, 1e-9));
  expect_times(times_of(run, 0),
               {5.98978486350, 10.46726530084, 14.47357622585, 18.94573217630, 22.91643495944,
                27.40106444395, 31.38567933035, 35.87906360538, 39.84369234682, 44.32639116502,
                times_of(run, 0).back()},
               1e-7);
  // oracle: machines.string.bit_50
  EXPECT_NEAR(at(run, "n20.position", 50.0), 137.027802272, 1e-6);
  EXPECT_NEAR(at(run, "n1.position", 20.0), 59.7221770853, 1e-6);  // oracle: machines.string.top_20
  EXPECT_EQ(at(run, "n20.velocity", 20.0), 0.0);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
}

TEST(Machine, WithARigidGearMovesAsOneWithTheInertiaOfBoth) {
  // Motor and load over a gear of 5: the motor sees J1 + J2 / 25, and friction on the load of 1/5.
  MachineParts p;
  p.bodies = {{"motor", {.inertia = 0.01}}, {"load", {.inertia = 0.5, .position = 2.0}}};
  p.couplings = {{"gear", {"motor", "load"}, couple(Gear{5.0})}};
  p.contacts = {{"bearing", between("load", "ground"), coulomb(0.3)}};
  p.inputs = {{"torque", "motor", sine(0.2, 1.0)}};
  const auto run = simulate(Machine(p), until(6.0, 61));
  MachineParts q;
  q.bodies = {{"one", {.inertia = 0.01 + 0.5 / 25.0}}};
  q.contacts = {{"bearing", between("one", "ground"), coulomb(0.06)}};
  q.inputs = {{"torque", "one", sine(0.2, 1.0)}};
  const auto one = simulate(Machine(q), until(6.0, 61));
  double largest = 0.0;
  for (std::size_t i = 0; i < run["time"].size(); ++i) {
    EXPECT_NEAR(run["motor.position"][i], one["one.position"][i], 1e-8);
    EXPECT_NEAR(run["load.position"][i], 2.0 + one["one.position"][i] / 5.0, 1e-8);
    largest = std::max(largest, std::abs(run["motor.position"][i]));
  }
  EXPECT_GT(largest, 1.0);
}

// A mass that sticks to and slips on ground that is shaken, and pulls at a spring to it.
TEST(Machine, MovesAlikeWhetherItsDriveIsGivenByPositionOrByVelocity) {
  const auto run = [](const DrivePart& drive) {
    MachineParts p;
    p.bodies = {{"mass", {.inertia = 1.0}}};
    p.drives = {drive};
    p.couplings = {{"wall", {"mass", "ground"}, couple(SpringDamper{20.0})},
                   {"spring", {"mass", "shaker"}, couple(SpringDamper{30.0, 0.2})}};
    p.contacts = {{"pad", between("mass", "shaker"), coulomb(0.4)}};
    return simulate(Machine(p), until(6.0, 61.0));
  };
  // 0.5 sin(7 t) m/s from position zero on.
  Signal position = sine(0.5 / 7.0, 7.0);
  position.phase = -std::acos(0.0);
  position.offset = 0.5 / 7.0;
  const auto want = run({"shaker", position});
  const auto got = run({"shaker", sine(0.5, 7.0), {.gives = DriveSettings::velocity}});
  ASSERT_TRUE(got.summary.ok()) << got.summary.message;
  EXPECT_GT(got.events.size(), 10u);
  ASSERT_EQ(got.events.size(), want.events.size());
  EXPECT_LT(got.summary.ledger.relative_error, 1e-8);
  for (std::size_t i = 0; i < 61; ++i) {
    EXPECT_NEAR(got["shaker.position"][i], want["shaker.position"][i], 1e-15);
    EXPECT_NEAR(got["mass.position"][i], want["mass.position"][i], 1e-9);
    EXPECT_NEAR(got["mass.velocity"][i], want["mass.velocity"][i], 1e-8);
  }
}

TEST(Machine, ThatFallsFreelyKeepsItsEnergy) {
  MachineParts p;
  p.bodies = {{"stone"}};
  p.couplings = {{"weight", {"stone", "ground"}, couple(Weight{3.0})}};
  const auto run = simulate(Machine(p), until(1.0, 3));
  EXPECT_NEAR(at(run, "stone.velocity", 1.0), -3.0, 1e-12);
  EXPECT_TRUE(run.summary.ledger.closes) << run.summary.message;
}

TEST(Machine, WithPlayPassesNoForceInsideIt) {
  // A body thrown into a gap: free flight, then half a period on the far spring, then back.
  MachineParts p;
  p.bodies = {{"b", {.inertia = 2.0, .velocity = 0.3}}};
  p.couplings = {{"gap", {"b", "ground"}, couple(Backlash{50.0, 0.0, 0.2})}};
  const auto run = simulate(Machine(p), until(3.0, 301));
  const double w = std::sqrt(50.0 / 2.0), hit = 0.1 / 0.3, away = hit + M_PI / w;
  EXPECT_NEAR(at(run, "b.position", 0.2), 0.06, 1e-10);
  const double t = 0.8;
  ASSERT_LT(t, away);
  EXPECT_NEAR(at(run, "b.position", t), 0.1 + 0.3 / w * std::sin(w * (t - hit)), 1e-9);
  EXPECT_NEAR(at(run, "b.position", 1.2), 0.1 - 0.3 * (1.2 - away), 1e-9);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-9);
}

TEST(Machine, AgainstAnEndStopBouncesAsItsSpringAndDamperSay) {
  // Under a constant push against a stop with damping: the closed form of the damped oscillator.
  MachineParts p;
  p.bodies = {{"b", {.inertia = 1.0, .velocity = 1.0}}};
  p.couplings = {{"stop", {"b", "ground"}, couple(EndStop{400.0, 4.0, -1.0, 0.0})}};
  const auto run = simulate(Machine(p), until(0.1, 11));
  const double w = std::sqrt(400.0 - 4.0);
  EXPECT_NEAR(at(run, "b.position", 0.1), std::exp(-0.2) * std::sin(w * 0.1) / w, 1e-9);
}

TEST(Machine, LeavesAnEndStopWhereItsForceEndsAndIsNotPulledBack) {
  // From the bounce above the force 400 x + 4 v ends at tan(w t) = -w / 98, before x does.
  MachineParts p;
  p.bodies = {{"b", {.inertia = 1.0, .velocity = 1.0}}};
  p.couplings = {{"stop", {"b", "ground"}, couple(EndStop{400.0, 4.0, -1.0, 0.0})}};
  const double w = std::sqrt(400.0 - 4.0), left = (M_PI - std::atan(w / 98.0)) / w;
  const double decay = std::exp(-2.0 * left), sine = std::sin(w * left) / w;
  const double from = decay * sine, speed = decay * (std::cos(w * left) - 2.0 * sine);
  ASSERT_NEAR(400.0 * from + 4.0 * speed, 0.0, 1e-12);
  for (const int method : {Options::rosenbrock, Options::coupled, Options::cvode}) {
    if (method == Options::cvode && !with_sundials) continue;
    SCOPED_TRACE(Options::methods[std::size_t(method)]);
    Options o = until(0.5, 51);
    o.method = method;
    o.step = 1e-5;
    const auto run = simulate(Machine(p), o);
    const double allowed = method == Options::coupled ? 1e-6 : 1e-8;
    EXPECT_NEAR(run["b.velocity"].back(), speed, allowed);
    EXPECT_NEAR(run["b.position"].back(), from + speed * (0.5 - left), allowed);
    EXPECT_NEAR(run["dissipated"].back(), 0.5 - 0.5 * speed * speed, allowed);
    EXPECT_LT(run.summary.ledger.relative_error, allowed);
  }
}

TEST(Machine, MeetsAnEndStopAgainBeforeTheStopHasComeBack) {
  // A stop with much damping is left early and struck again far from where it begins.
  MachineParts p;
  p.bodies = {{"b", {.inertia = 0.1}}};
  p.couplings = {{"stop", {"b", "ground"}, couple(EndStop{50.0, 20.0, -1.0, 0.0})}};
  Signal push;
  push.amplitude = 8.0;
  push.frequency = 60.0;
  p.inputs = {{"push", "b", push, {.bias = 5.0}}};
  Options o = until(2.0, 201);
  const auto run = simulate(Machine(p), o);
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_LT(run.summary.ledger.relative_error, 1e-7);
  int left = 0, again = 0;
  for (const auto& event : run.events)
    left += event.after == 2.0, again += event.before == 2.0 && event.after == 1.0;
  EXPECT_GT(left, 10);
  EXPECT_GT(again, 10);
  o.method = Options::coupled;
  o.step = 1e-4;
  const auto stepped = simulate(Machine(p), o);
  for (std::size_t i = 0; i < 201; ++i)
    EXPECT_NEAR(stepped["b.position"][i], run["b.position"][i], 1e-6) << i;
}

// Over two periods the force is 2 N against the motion, and 4 * 2 N * 0.5 m are lost in each.
TEST(Machine, WithASetValuedLawAlongAGivenMotionHasTheForceOfItsDirection) {
  MachineParts p;
  Signal sine;
  sine.amplitude = 0.5;
  sine.frequency = 3.0;
  p.drives = {{"hand", sine}};
  p.contacts = {
      {"rub", bristle::between("hand", "ground"), make_law("coulomb", {{"coulomb_force", 2.0}})}};
  Options o;
  o.end = 4.0 * std::numbers::pi / 3.0;
  o.samples = 402.0;
  o.step = o.end / 4010.0;
  for (const int method : {Options::rosenbrock, Options::coupled}) {
    SCOPED_TRACE(Options::methods[std::size_t(method)]);
    o.method = method;
    const auto run = simulate(Machine(p), o);
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    for (std::size_t i = 0; i < run["time"].size(); ++i)
      EXPECT_EQ(run["rub.force"][i], std::cos(3.0 * run["time"][i]) > 0.0 ? 2.0 : -2.0) << i;
    const double allowed = method == Options::coupled ? 1e-5 : 1e-8 * 8.0;
    EXPECT_NEAR(run["dissipated"].back(), 8.0, allowed);
    EXPECT_NEAR(run["work_in"].back(), 8.0, allowed);
  }
}

}  // namespace
}  // namespace bristle::machine_test
