// SPDX-License-Identifier: MIT
// Normal forces that vary in time, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"

namespace bristle::load_test {
namespace {

Signal ramp(double offset, double rate) {
  Signal s;
  s.shape = Signal::ramp;
  s.offset = offset;
  s.rate = rate;
  return s;
}
Signal sine(double offset, double amplitude, double frequency) {
  Signal s;
  s.offset = offset;
  s.amplitude = amplitude;
  s.frequency = frequency;
  return s;
}
Options until(double end, double tolerance = 1e-10) {
  Options o;
  o.end = end;
  o.samples = 101.0;
  o.tolerance = tolerance;
  return o;
}

// A rotor that spins at 100 rad/s is pressed against one at rest: the clutch closes.
MachineParts clutch() {
  MachineParts p;
  p.bodies = {{"engine", {.inertia = 0.2, .velocity = 100.0, .motion = Body::rotation}},
              {"gearbox", {.inertia = 0.3, .motion = Body::rotation}}};
  p.contacts = {{"disc",
                 between("engine", "gearbox"),
                 make_law("coulomb", {{"coulomb_force", 0.05}}),
                 {.forces = ContactSettings::per_load}}};
  p.loads = {{"press", "disc", ramp(0.0, 200.0)}};
  return p;
}

TEST(Load, OfAClutchThatClosesStopsTheSlipWhenItsImpulseIsEnough) {
  const auto run = simulate(Machine(clutch()), until(3.0));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  // w' = -0.05 200 t (1/0.2 + 1/0.3)
  const double fall = 0.05 * 200.0 * (1.0 / 0.2 + 1.0 / 0.3);
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_EQ(run.events[0].kind, EventKind::stick);
  EXPECT_NEAR(run.events[0].time, std::sqrt(200.0 / fall), 1e-9);
  EXPECT_NEAR(run["engine.velocity"].back(), 40.0, 1e-8);
  EXPECT_EQ(run["engine.velocity"].back(), run["gearbox.velocity"].back());
  EXPECT_NEAR(run["dissipated"].back(), 0.5 * 0.12 * 1e4, 1e-6);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-10);
}

TEST(Load, ThatFallsLetsABodyGoWhereItsFrictionIsLeft) {
  // 1 N on a body under a load of 5 - t with a coefficient of 0.4: it slips from t = 2.5 on.
  MachineParts p;
  p.bodies = {{"body", {.inertia = 2.0}}};
  p.contacts = {{"pad",
                 between("body", "ground"),
                 make_law("coulomb", {{"coulomb_force", 0.4}}),
                 {.forces = ContactSettings::per_load}}};
  p.loads = {{"press", "pad", ramp(5.0, -1.0)}};
  p.inputs = {{"push", "body", ramp(1.0, 0.0)}};
  const auto run = simulate(Machine(p), until(4.5));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.events[0].time, 2.5, 1e-10);
  // a = (1 - 0.4 (5 - t)) / 2 = 0.2 (t - 2.5)
  EXPECT_NEAR(run["body.velocity"].back(), 0.1 * 4.0, 1e-9);
  EXPECT_NEAR(run["body.position"].back(), 0.2 * 8.0 / 6.0, 1e-9);
}

TEST(Load, ThatBeginsAtZeroWithTheForceLetsTheForceDecide) {
  // Load 1 t and force 2 t from zero on: the friction of 1.5 t holds or not by its coefficient.
  for (const double coefficient : {1.5, 2.5}) {
    MachineParts p;
    p.bodies = {{"body", {.inertia = 1.0}}};
    p.contacts = {{"pad", between("body", "ground"),
                   make_law("coulomb", {{"coulomb_force", coefficient}}),
                   {.forces = ContactSettings::per_load}}};
    p.loads = {{"press", "pad", ramp(0.0, 1.0)}};
    p.inputs = {{"push", "body", ramp(0.0, 2.0)}};
    const auto run = simulate(Machine(p), until(2.0));
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_NEAR(run["body.velocity"].back(), coefficient < 2.0 ? 0.5 * 0.5 * 4.0 : 0.0, 1e-8);
    EXPECT_EQ(run.events.size(), coefficient < 2.0 ? 1u : 0u);
  }
}

TEST(Load, OfBristlesDoesWorkOnTheEnergyTheyStore) {
  // A law normalised by its load, and one that is multiplied by it, under a load that breathes.
  for (const char* law : {"frbd", "lugre"}) {
    MachineParts p;
    p.bodies = {{"body", {.inertia = 1.0}}};
    p.couplings = {{"spring", {"body", "ground"}, couple(SpringDamper{30.0})}};
    p.contacts = {{"pad", between("body", "ground"), make_law(law)}};
    if (std::string(law) == "lugre") p.contacts[0].settings.forces = ContactSettings::per_load;
    p.loads = {{"press", "pad", sine(2.0, 1.5, 7.0)}};
    p.inputs = {{"push", "body", sine(0.0, 4.0, 2.0)}};
    const auto run = simulate(Machine(p), until(6.0, 1e-9));
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-8) << law << ": " << run.summary.message;
    EXPECT_GT(run["dissipated"].back(), 1.0);
  }
}

TEST(Load, IsRefusedWhereItMeansNothing) {
  const auto sentence = [](MachineParts p) -> std::string {
    try {
      simulate(Machine(std::move(p)), until(1.0));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  MachineParts p = clutch();
  p.loads[0].on = "disk";
  EXPECT_EQ(sentence(p).rfind("load: there is no contact 'disk', did you mean 'disc'?", 0), 0u)
      << sentence(p);
  p = clutch();
  p.contacts[0].settings.forces = ContactSettings::given;
  EXPECT_NE(sentence(p).find("does not depend on the load; set forces = \"per_load\""),
            std::string::npos);
  p = clutch();
  p.loads[0].load = ramp(10.0, -20.0);
  EXPECT_NE(sentence(p).find("a load must not become negative"), std::string::npos);
  p = clutch();
  p.loads.push_back({"again", "disc", ramp(1.0, 0.0)});
  EXPECT_NE(sentence(p).find("has another load already"), std::string::npos);
  p = clutch();
  p.contacts[0].law = make_law("frbd");
  EXPECT_NE(sentence(p).find("depends on the load already"), std::string::npos);
}

}  // namespace
}  // namespace bristle::load_test
