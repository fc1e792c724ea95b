// SPDX-License-Identifier: MIT
// Many set-valued contacts at once: random machines against time stepping without events, contacts
// that change together, and what is said where forces are not unique.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"
#include "solve/moreau.hpp"

namespace bristle::many_contacts_test {
namespace {

using testing_machines::Moreau;

std::shared_ptr<const AnyLaw> coulomb(double force) {
  return make_law("coulomb", {{"coulomb_force", force}});
}
Signal sine(double amplitude, double frequency, double phase = 0.0) {
  Signal s;
  s.amplitude = amplitude;
  s.frequency = frequency;
  s.phase = phase;
  return s;
}
Options until(double end, double samples, double tolerance = 1e-9) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = tolerance;
  return o;
}

// Two to six bodies on springs with one to eight contacts on bodies, between them, on sums of them,
// on a drive, and on what another contact holds already. A third has equal numbers, so that
// contacts change together.
class RandomMachine {
 public:
  enum Kind { plain, planar, stops };

  RandomMachine(unsigned seed, Kind kind) : random_(seed), kind_(kind), bodies_(pick(2, 6)) {
    equal_ = chance(0.35);
    for (int i = 0; i < bodies_; ++i) add_body(i);
    if (chance(0.3)) parts.drives.push_back({"hand", sine(0.2, 2.0)});
    const int contacts = pick(1, 8);
    for (int k = 0; k < contacts; ++k) {
      const bool again = k > 0 && chance(0.2);
      ContactPart contact{"c" + std::to_string(k),
                          again ? parts.contacts[std::size_t(pick(0, k - 1))].path : path(),
                          coulomb(near(0.6))};
      if (kind == planar && chance(0.5)) contact.across = path();
      parts.contacts.push_back(contact);
    }
  }

  MachineParts parts;

 private:
  double draw(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(double part) { return draw(0.0, 1.0) < part; }
  double near(double value) { return equal_ ? value : value * std::exp2(draw(-1.0, 1.0)); }
  static std::string name(int i) { return "b" + std::to_string(i); }

  void add_body(int i) {
    const std::string number = std::to_string(i);
    const auto couple_to = [&](const char* head, const std::string& other, auto coupling) {
      parts.couplings.push_back({head + number, {name(i), other}, couple(coupling)});
    };
    parts.bodies.push_back(
        {name(i), {.inertia = near(1.0), .velocity = chance(0.3) ? draw(-1.0, 1.0) : 0.0}});
    if (i == 0 || chance(0.5)) couple_to("k", "ground", SpringDamper{near(8.0), 0.1});
    if (i > 0 && kind_ == stops && chance(0.3))
      couple_to("l", name(i - 1), Backlash{200.0, 2.0, 0.05});
    else if (i > 0) couple_to("l", name(i - 1), SpringDamper{near(8.0)});
    if (kind_ == stops && chance(0.3)) couple_to("e", "ground", EndStop{500.0, 3.0, -0.1, 0.1});
    if (i == 0 || chance(0.6))
      parts.inputs.push_back(
          {"f" + number, name(i), sine(near(2.0), near(1.5), equal_ ? 0.0 : draw(-3.0, 3.0))});
  }
  MotionPath path() {
    MotionPath sum;
    for (int i = 0; i < bodies_ && chance(0.8) && chance(0.4); ++i)
      sum.of.emplace_back(name(i), chance(0.5) ? 1.0 : draw(-1.5, 1.5));
    if (!sum.of.empty()) return sum;
    const int first = pick(0, bodies_ - 1), second = pick(0, bodies_ - 1);
    const bool driven = !parts.drives.empty() && chance(0.3);
    return between(name(first), second != first ? name(second) : driven ? "hand" : "ground");
  }

  std::mt19937_64 random_;
  Kind kind_;
  int bodies_;
  bool equal_ = false;
};

// Positions of all bodies at the samples, with the step and with half of it.
std::vector<double> stepped(const Machine& machine, double end, int samples, double h) {
  Moreau other(machine, h);
  std::vector<double> all;
  const int steps = int(std::lround(end / (samples - 1) / h));
  for (int k = 0; k < samples; ++k) {
    for (std::size_t i = 0; i < machine.parts().bodies.size(); ++i) all.push_back(other.body(i));
    for (int j = 0; j < steps; ++j) other.step();
  }
  return all;
}

class ManyContacts : public ::testing::TestWithParam<RandomMachine::Kind> {};

TEST_P(ManyContacts, MoveAsByTimeSteppingWithoutEvents) {
  long events = 0;
  int stuck = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomMachine drawn(seed, GetParam());
    const Machine machine(drawn.parts);
    const auto& bodies = drawn.parts.bodies;
    const auto run = simulate(machine, until(2.0, 21));
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-7) << run.summary.message;
    events += long(run.events.size());
    const auto fine = stepped(machine, 2.0, 21, 5e-4), coarse = stepped(machine, 2.0, 21, 1e-3);
    double off = 0.0, size = 0.0, doubt = 0.0;
    for (std::size_t k = 0; k < 21; ++k)
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        const auto at = k * bodies.size() + i;
        off = std::max(off, std::abs(run[bodies[i].name + ".position"][k] - fine[at]));
        doubt = std::max(doubt, std::abs(fine[at] - coarse[at]));
        size = std::max(size, std::abs(fine[at]));
      }
    EXPECT_LT(off, 6.0 * doubt + 2e-4 * size);
    for (const auto& contact : drawn.parts.contacts)
      for (const double mode : run[contact.name + ".mode"]) stuck += mode == 0.0;
  }
  EXPECT_GT(events, 100);
  EXPECT_GT(stuck, 100);
}

std::string name_of(const ::testing::TestParamInfo<RandomMachine::Kind>& info) {
  const char* names[]{"BodiesOnLines", "ContactsInThePlane", "BacklashAndEndStops"};
  return names[info.param];
}
INSTANTIATE_TEST_SUITE_P(Of, ManyContacts,
                         ::testing::Values(RandomMachine::plain, RandomMachine::planar,
                                           RandomMachine::stops),
                         name_of);

TEST(ContactsAtOnce, OfEqualBlocksBreakAwayAtOneInstant) {
  MachineParts p;
  for (const char* name : {"a", "b", "c", "d"}) {
    p.bodies.push_back({name});
    p.contacts.push_back({std::string("on_") + name, between(name, "ground"), coulomb(1.0)});
    p.inputs.push_back({std::string("push_") + name, name, sine(2.0, 1.0)});
  }
  for (const auto& [first, second] : {std::pair{"a", "b"}, {"b", "c"}, {"c", "d"}})
    p.couplings.push_back(
        {std::string("spring_") + first, {first, second}, couple(SpringDamper{50.0, 1.0})});
  const auto run = simulate(Machine(p), until(3.0, 31));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  ASSERT_GE(run.events.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(run.events[i].kind, EventKind::slip);
    EXPECT_NEAR(run.events[i].time, std::asin(0.5), 1e-12);
  }
  for (std::size_t i = 0; i < 31; ++i)
    EXPECT_NEAR(run["b.position"][i], run["a.position"][i], 1e-12);
}

TEST(ContactsAtOnce, AtAnEndStopAStuckNeighbourTakesTheBlow) {
  // The stop is on the heavy body; the light one rides on it by friction and slips in the blow.
  MachineParts p;
  p.bodies = {{"carrier", {.inertia = 2.0, .velocity = 1.0}},
              {"rider", {.inertia = 0.5, .velocity = 1.0}}};
  p.couplings = {{"stop", {"carrier", "ground"}, couple(EndStop{2e5, 0.0, -1.0, 0.1})}};
  p.contacts = {{"grip", between("rider", "carrier"), coulomb(1.0)}};
  const auto run = simulate(Machine(p), until(0.3, 301, 1e-10));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
  // Slip begins where the stop pushes with 2 N per kg of the carrier and the rider would need more
  // than 1 N: at an acceleration of 2 m/s2, a depth of 2 (2 + 0.5) / 2e5.
  ASSERT_GE(run.events.size(), 2u);
  const double pace = std::sqrt(2e5 / 2.5), depth = 2.0 * 2.5 / 2e5;
  EXPECT_NEAR(run.events[0].time, 0.1, 1e-12) << "it meets the stop";
  EXPECT_NEAR(run.events[1].time, 0.1 + std::asin(depth * pace) / pace, 1e-12) << "it slips";
  // Both lose by friction alone: momentum goes to the stop, energy to the grip.
  const double end = 0.5 * 2.0 * std::pow(run["carrier.velocity"].back(), 2) +
                     0.5 * 0.5 * std::pow(run["rider.velocity"].back(), 2);
  EXPECT_NEAR(end + run["grip.work"].back(), 1.25, 1e-8);
}

TEST(ContactsAtOnce, BreakAwayFromADriveAtOnceAndDoNotTurnBack) {
  // The slip grows out of a difference of two velocities that agree to rounding.
  Signal wave = sine(0.2668094837323712, 1.4965195863693892, -1.4335285526066504);
  wave.shape = Signal::two_sines;
  wave.offset = -0.031073937309970066;
  wave.second_amplitude = 0.12, wave.second_frequency = 4.645863627193874;
  wave.second_phase = -1.0470015452563122;
  Signal push = sine(2.131957352923306, 2.99254628035401, 2.196421005584275);
  push.change_time = 0.3440000108790534, push.amplitude_after = 2.0685275278220896;
  Signal press = sine(0.5, 2.560524817113431, 1.2983506470938422);
  press.offset = 1.0;
  const auto falling = [](double coulomb_force, double static_force, double speed, double viscous) {
    return make_law("stribeck", {{"coulomb_force", coulomb_force},
                                 {"static_force", static_force},
                                 {"stribeck_velocity", speed},
                                 {"viscous", viscous}});
  };
  MachineParts p;
  p.bodies = {{"b", {.inertia = 2.048313847782933}}};
  p.drives = {{"hand", wave, {.gives = DriveSettings::velocity}}};
  p.couplings = {
      {"spring", {"b", "hand"}, couple(SpringDamper{5.419571210069551})},
      {"stop",
       {"b", "ground"},
       couple(EndStop{382.2427910225445, 5.196567836409982, -0.11474032372692158})},
      {"arm", {"b", "ground"}, couple(PendulumWeight{1.947743209600353, -0.07682012203586752})}};
  p.contacts = {{"grip", between("b", "hand"),
                 falling(0.8543741162564675, 1.1961237627590544, 0.28847875447271965, 0.0)},
                {"floor",
                 between("b", "ground"),
                 falling(0.3942580695332744, 0.5519612973465842, 0.1733257019978796, 0.1),
                 {.forces = ContactSettings::per_load}}};
  p.inputs = {
      {"push",
       "b",
       push,
       {.gain = 1.2052309189173012, .bias = -0.14223736553457617, .lag = 0.1492977563830975}}};
  p.loads = {{"press", "floor", press}};
  const auto run = simulate(Machine(p), until(2.0, 31, 1e-11));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  long slips = 0;
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    slips += run.events[i].kind == EventKind::slip;
    EXPECT_TRUE(i == 0 || run.events[i].time > run.events[i - 1].time) << run.events[i].time;
  }
  EXPECT_EQ(slips, 2) << "each contact breaks away once";
}

TEST(ContactsAtOnce, ThatShareAForceAreNamed) {
  MachineParts p;
  p.bodies = {{"b"}, {"other"}};
  p.couplings = {{"spring", {"b", "other"}, couple(SpringDamper{1.0})}};
  p.contacts = {{"first", between("b", "ground"), coulomb(1.0)},
                {"second", between("b", "ground"), coulomb(2.0)},
                {"alone", between("other", "ground"), coulomb(1.0)}};
  p.inputs = {{"push", "b", sine(2.5, 1.0)}};
  const auto run = simulate(Machine(p), until(2.0, 21));
  EXPECT_EQ(run.summary.warning,
            "the motion does not determine how the contacts first, second share their force in "
            "stick; forces of least norm are given");
  p.contacts.erase(p.contacts.begin() + 1);
  EXPECT_EQ(simulate(Machine(p), until(2.0, 21)).summary.warning, "");
}

TEST(ContactsAtOnce, InALoopOfThreeShareTheirForces) {
  MachineParts p;
  p.bodies = {{"a"}, {"b"}};
  p.contacts = {{"floor", between("a", "ground"), coulomb(1.0)},
                {"top", between("b", "a"), coulomb(1.0)},
                {"wall", between("b", "ground"), coulomb(1.0)}};
  p.inputs = {{"push", "a", sine(1.2, 1.0)}};
  const auto run = simulate(Machine(p), until(1.0, 11));
  EXPECT_NE(run.summary.warning.find("floor, top, wall share"), std::string::npos)
      << run.summary.warning;
  // Least norm with f1 - f2 = push, f2 + f3 = 0: f2 = -push / 3.
  for (std::size_t i = 0; i < 11; ++i) {
    const double push = run["push.force"][i];
    EXPECT_NEAR(run["floor.force"][i], 2.0 / 3.0 * push, 1e-9);
    EXPECT_NEAR(run["top.force"][i], -push / 3.0, 1e-9);
    EXPECT_NEAR(run["wall.force"][i], push / 3.0, 1e-9);
  }
}

}  // namespace
}  // namespace bristle::many_contacts_test
