// SPDX-License-Identifier: MIT
// Machines by the second adaptive method: it shares the equations with the default one, but none of
// the integration.
#include <gtest/gtest.h>

#include "bristle/machine/short_forms.hpp"
#include "bristle/solve/machine_run.hpp"
#include "solve/random_machines.hpp"
#include "sundials.hpp"

namespace bristle::machine_cvode_test {
namespace {

using namespace testing_machines;

Options until(double end, int method) {
  Options o;
  o.end = end;
  o.samples = 101.0;
  o.tolerance = 1e-8;
  o.method = method;
  return o;
}

// The largest difference of the positions of all bodies, over the largest way of any of them; 0.1 m
// is the scale that errors of slower ones are measured against here, force over stiffness.
double apart(const Machine& machine, const MachineResult& a, const MachineResult& b) {
  double off = 0.0, way = 0.1;
  for (const auto& body : machine.parts().bodies) {
    const auto &x = a[body.name + ".position"], &y = b[body.name + ".position"];
    for (std::size_t i = 0; i < x.size(); ++i) {
      off = std::max(off, std::abs(x[i] - y[i]));
      way = std::max(way, std::abs(x[i] - x[0]));
    }
  }
  return off / way;
}

// Two runs whose tolerance, 1e-8, is that of a step, so that the motions may be a hundred times
// that apart.
void agree(const Machine& machine, double end) {
  const auto want = simulate(machine, until(end, Options::rosenbrock));
  const auto got = simulate(machine, until(end, Options::cvode));
  ASSERT_TRUE(want.summary.ok()) << want.summary.message;
  ASSERT_TRUE(got.summary.ok()) << got.summary.message;
  EXPECT_EQ(got.summary.method, "cvode");
  EXPECT_TRUE(got.summary.ledger.closes) << got.summary.message;
  EXPECT_LT(apart(machine, want, got), 1e-6);
  // What sticks stands exactly still.
  for (const auto& contact : machine.parts().contacts) {
    if (!contact.law->set_valued()) continue;
    const bool planar = !contact.across.of.empty();
    const auto& mode = got[contact.name + ".mode"];
    const auto& velocity = got[contact.name + (planar ? ".velocity_1" : ".velocity")];
    for (std::size_t i = 0; i < mode.size(); ++i)
      ASSERT_TRUE(mode[i] != 0.0 || velocity[i] == 0.0) << contact.name << " at sample " << i;
  }
}

Signal sine(Random& random, double amplitude) { return random_signal(random, 0.0, amplitude, 1.5); }

const std::vector<std::string> contact_laws{
    "coulomb", "stribeck", "lugre",       "frbd",     "dahl",    "elasto_plastic",
    "gms",     "sbm",      "regularised", "sawtooth", "coulomb", "reset_integrator"};

std::shared_ptr<const AnyLaw> soft_gms() {
  return make_law("gms", {{"stiffness", std::vector<double>{800.0, 400.0}},
                          {"share", std::vector<double>{0.6, 0.4}}});
}

// Bodies in a row with springs, friction on the ground and between neighbours, now and then a belt,
// play, a lag or a load that varies.
MachineParts random_parts(int number, Random& random) {
  const auto chance = [&](double part) { return between(random, 0.0, 1.0) < part; };
  MachineParts p;
  const int n = 1 + number % 4;
  p.drives = {{"belt", Signal{}}};
  p.drives[0].signal.shape = Signal::ramp;
  p.drives[0].signal.rate = near(random, 0.3);
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i), name = "b" + k;
    const std::string other = i == 0 ? "ground" : "b" + std::to_string(i - 1);
    p.bodies.push_back({name, {.inertia = near(random, 1.0)}});
    if (i > 0 && chance(0.2))
      p.couplings.push_back(
          {"k" + k, {name, other}, couple(Backlash{near(random, 30.0), near(random, 0.3), 0.02})});
    else
      p.couplings.push_back(
          {"k" + k, {name, other}, couple(SpringDamper{near(random, 8.0), near(random, 0.1)})});
    const std::string law = contact_laws[std::size_t(number + 5 * i) % contact_laws.size()];
    p.contacts.push_back({"g" + k, bristle::between(name, chance(0.3) ? "belt" : "ground"),
                          law == "gms" ? soft_gms() : random_law(law, random)});
    if (i > 0 && chance(0.5))
      p.contacts.push_back({"m" + k, bristle::between(name, other),
                            make_law("coulomb", {{"coulomb_force", near(random, 0.4)}})});
    if (p.contacts.back().law->name() == "coulomb" && chance(0.3)) {
      Signal load;
      load.offset = 1.0, load.amplitude = 0.5, load.frequency = near(random, 2.0);
      p.contacts.back().settings.forces = ContactSettings::per_load;
      p.loads.push_back({"l" + k, p.contacts.back().name, load});
    }
    p.inputs.push_back({"f" + k, name, sine(random, 2.5), {.lag = chance(0.3) ? 0.1 : 0.0}});
  }
  return p;
}

TEST(MachineCvode, RandomMachinesMoveAsWithTheDefaultMethod) {
  BRISTLE_NEEDS_SUNDIALS();
  Random random(118);
  for (int k = 0; k < 48; ++k) {
    SCOPED_TRACE("machine " + std::to_string(k));
    agree(Machine(random_parts(k, random)), 3.0);
  }
}

TEST(MachineCvode, ContactsInThePlaneMoveAsWithTheDefaultMethod) {
  BRISTLE_NEEDS_SUNDIALS();
  Random random(7);
  const std::vector<std::string> names{"coulomb", "stribeck", "lugre", "frbd", "regularised"};
  for (int k = 0; k < 20; ++k) {
    MachineParts p;
    const auto axis = [&](const std::string& name) {
      p.bodies.push_back({name, {.inertia = near(random, 1.0)}});
      p.inputs.push_back({"f" + name, name, sine(random, k < 10 ? 2.5 : 1.2)});
      p.inputs.back().signal.phase = 0.0;  // it leaves rest by itself
      p.couplings.push_back({"k" + name, {name, "ground"}, couple(SpringDamper{8.0, 0.1})});
    };
    axis("x"), axis("y");
    ContactPart pad{"pad", bristle::between("x", "ground"),
                    random_law(names[std::size_t(k) % names.size()], random)};
    pad.across = bristle::between("y", "ground");
    p.contacts = {pad};
    // A second pad makes the forces at rest redundant.
    if (k % 3 == 2) {
      pad.name = "other";
      pad.law = make_law("coulomb", {{"coulomb_force", 0.2}});
      p.contacts.push_back(pad);
    }
    SCOPED_TRACE("stage " + std::to_string(k));
    agree(Machine(p), 4.0);
  }
}

TEST(MachineCvode, AControlledAxisMovesAsWithTheDefaultMethod) {
  BRISTLE_NEEDS_SUNDIALS();
  MachineParts p;
  p.bodies = {{"axis", {.inertia = 1.0, .position = -0.1}}};
  p.contacts = {
      {"guide", bristle::between("axis", "ground"),
       make_law("stribeck",
                {{"coulomb_force", 1.0}, {"static_force", 1.5}, {"stribeck_velocity", 0.01}})}};
  ControllerPart pid{"pid", "axis", "axis"};
  pid.controller.step = 1e-2;
  pid.controller.position_gain = 100.0;
  pid.controller.velocity_gain = 10.0;
  pid.controller.integral_gain = 200.0;
  pid.reference.amplitude = 0.02;
  pid.reference.frequency = 3.0;
  p.controllers = {pid};
  agree(Machine(p), 5.0);
}

template <class M>
void compare(const std::string& name, Random& random) {
  M mechanism{};
  if constexpr (requires { draw(random, mechanism); }) draw(random, mechanism);
  else mechanism.signal = random_signal(random, 0.0, 0.01, 2.0);
  const auto law = name == "gms" ? soft_gms() : make_law(name);
  const auto want = simulate(*law, mechanism, until(4.0, Options::rosenbrock));
  const auto got = simulate(*law, mechanism, until(4.0, Options::cvode));
  SCOPED_TRACE(name + " on " + std::string(M::name));
  ASSERT_TRUE(want.summary.ok()) << want.summary.message;
  ASSERT_TRUE(got.summary.ok()) << got.summary.message;
  EXPECT_EQ(got.summary.method, "cvode");
  EXPECT_TRUE(got.summary.ledger.closes) << got.summary.message;
  const auto &a = want.trajectory, &b = got.trajectory;
  ASSERT_EQ(a.size(), b.size());
  double way = M::velocity_state < 0 ? 0.0 : 0.1, off = 0.0, force = 0.0, force_off = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    way = std::max(way, std::abs(a.position[i] - a.position[0]));
    off = std::max(off, std::abs(a.position[i] - b.position[i]));
    force = std::max(force, std::abs(a.force[i]));
    force_off = std::max(force_off, std::abs(a.force[i] - b.force[i]));
  }
  EXPECT_LT(off, 1e-6 * way);
  // A given motion leaves only the force; that of a moving body changes within microseconds.
  EXPECT_LT(force_off, (M::velocity_state < 0 ? 1e-6 : 1e-3) * force);
}

TEST(MachineCvode, LawsWithSeveralStatesMoveOnEveryMechanismAsWithTheDefaultMethod) {
  BRISTLE_NEEDS_SUNDIALS();
  Random random(4);
  for (const std::string name : {"gms", "regularised", "gear_hysteresis"}) {
    compare<DraggedMass>(name, random);
    compare<WallSpringMass>(name, random);
    compare<BaseExcitedMass>(name, random);
    compare<Pendulum>(name, random);
    compare<DiaphragmValve>(name, random);
    compare<PrescribedMotion>(name, random);
  }
}

TEST(MachineCvode, EndsAtItsLimitOfStepsAndWhenItIsCancelled) {
  BRISTLE_NEEDS_SUNDIALS();
  Random random(3);
  const Machine machine(random_parts(2, random));
  Options o = until(3.0, Options::cvode);
  o.step_limit = 50.0;
  EXPECT_EQ(simulate(machine, o).summary.status, Status::step_limit);
  o = until(3.0, Options::cvode);
  o.progress = [](double) { return false; };
  EXPECT_EQ(simulate(machine, o).summary.status, Status::cancelled);
}

TEST(MachineCvode, RefusesAMachineThatIsTooLargeInOneSentence) {
  MachineParts p;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "b" + std::to_string(i);
    p.bodies.push_back({name, {}});
    p.couplings.push_back({"k" + std::to_string(i),
                           {name, i == 0 ? "ground" : "b" + std::to_string(i - 1)},
                           couple(SpringDamper{1.0})});
  }
  try {
    simulate(Machine(p), until(1.0, Options::cvode));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "solve: method = \"cvode\" supports machines of at most 2000 states and energies, "
                 "this one has 2002, use rosenbrock");
  }
}

}  // namespace
}  // namespace bristle::machine_cvode_test
