// SPDX-License-Identifier: MIT
// Stepping allocates nothing: the number of allocations of a run does not depend on its length.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>

#include "bristle/machine/servo.hpp"
#include "bristle/machine/short_forms.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/drbm.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/gear_friction.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/play_sum.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/fixed_step.hpp"
#include "bristle/solve/host.hpp"
#include "bristle/solve/integrate.hpp"
#include "bristle/solve/rollout.hpp"
#include "bristle/solve/run.hpp"
#include "bristle/solve/simulate.hpp"
#include "bristle/system/contact_patch.hpp"

namespace {
std::atomic<long> allocations{0};
}

#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // it sees only one of the two replaced
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace bristle::allocation_test {
namespace {

struct NullObserver {
  template <class Method>
  void step(const Method&, const Mode&, double, double) {}
  template <class State>
  void event(int, double, const State&, const Mode&, const Mode&) {}
  bool cancelled() const { return false; }
};

TEST(Stepping, OfTheAdaptiveMethodAllocatesNothing) {
  const System<DraggedMass, LuGre<>> system(DraggedMass{}, LuGre<>{});
  NullObserver observer;
  StepControl control;
  control.end = 20.0;
  const long before = allocations;
  const StepReport report = integrate<true>(system, 0.0, {0.0, 0.0, 0.0}, control, observer);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(report.steps, 200);
}

TEST(Stepping, OfAMachineWithManyContactsAllocatesNothing) {
  MachineParts p;
  Signal push;
  push.amplitude = 6.0;
  push.frequency = 2.0;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "b" + std::to_string(i), number = std::to_string(i);
    p.bodies.push_back({name});
    p.contacts.push_back({"g" + number, between(name, "ground"), make_law("coulomb", {})});
    if (i > 0)
      p.contacts.push_back(
          {"m" + number, between(name, "b" + std::to_string(i - 1)), make_law("stribeck", {})});
  }
  p.contacts.push_back({"l", between("b0", "ground"), make_law("lugre", {})});
  p.inputs = {{"push", "b3", push}, {"pull", "b0", push}};
  bristle::Run run{Machine(p)};
  RunSnapshot kept;
  run.save(kept);
  const long before = allocations;
  long moved = 0;
  for (int k = 0; k < 400; ++k) {
    run.set_input(0, k % 7);
    ASSERT_EQ(run.step(0.01), Status::done);
    moved += run.velocity(3) != 0.0;
    if (k == 200) run.save(kept);
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(moved, 10);
}

TEST(Stepping, OfALinkageAllocatesNothing) {
  MachineParts p;
  p.bodies = {{"shoulder", {.inertia = 0.02, .position = 1.0, .motion = Body::rotation}},
              {"elbow", {.inertia = 0.01, .position = -0.6, .motion = Body::rotation}}};
  p.couplings = {{"links", {"shoulder", "elbow"}, couple(TwoLinkArm{})}};
  p.contacts = {{"s", between("shoulder", "ground"), make_law("stribeck", {})},
                {"e", between("elbow", "shoulder"), make_law("coulomb", {{"coulomb_force", 4.0}})}};
  Signal push;
  push.amplitude = 8.0;
  push.frequency = 2.0;
  p.inputs = {{"push", "elbow", push}};
  bristle::Run run{Machine(p)};
  const long before = allocations;
  int stuck = 0;
  for (int k = 0; k < 500; ++k) {
    ASSERT_EQ(run.step(0.01), Status::done);
    stuck += run.mode(0) == 0.0 || run.mode(1) == 0.0;
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_GT(stuck, 3);
}

TEST(Stepping, OfLawsThatRememberAllocatesNothing) {
  for (const char* law : {"hysteretic_static", "seven_parameter"}) {
    BaseExcitedMass body;
    body.signal.amplitude = 0.003;
    body.signal.frequency = 60.0;
    bristle::Run run{Machine(parts_of(body, make_law(law)))};
    RunSnapshot kept;
    run.save(kept);
    const long before = allocations;
    for (int k = 0; k < 100; ++k) ASSERT_EQ(run.step(0.01), Status::done);
    run.save(kept);
    EXPECT_EQ(allocations - before, 0) << law;
  }
}

TEST(Stepping, OfTheContactsOfAHostAllocatesNothing) {
  HostFriction host(3);
  for (std::size_t i = 0; i < 3; ++i) host.contact(i).law = make_law(i == 1 ? "lugre" : "coulomb");
  const std::vector<double> free{0.01, -0.02, 0.005}, w{2, 0.3, 0, 0.3, 1.5, 0.2, 0, 0.2, 1};
  const long before = allocations;
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(host.step(free, w, 1e-3).converged);
    host.commit();
  }
  EXPECT_EQ(allocations - before, 0);
}

TEST(Stepping, OfARolloutAllocatesNothing) {
  MachineParts parts;
  parts.bodies = {{"armature", {.inertia = 0.002}}, {"arm", {.inertia = 0.005}}};
  parts.couplings = {{"gear", {"armature", "arm"}, couple(Gear{1.0})},
                     {"weight", {"arm", std::string(ground)}, couple(PendulumWeight{0.5})},
                     {"servo", {"armature", std::string(ground)}, couple(Servo{})}};
  parts.contacts = {
      {"teeth", between("armature", std::string(ground)), make_law("gear_friction", {})}};
  parts.contacts[0].load_from = "gear";
  Signal goal;
  goal.frequency = 3.0;
  parts.couplings[2].signals = {goal};
  Rollout rollout(Machine(parts), {{"arm"}}, {"contact.teeth.viscous"});
  std::vector<double> times(3, 0.0), values, slopes;
  const auto allocated = [&](double end) {
    times = {0.0, 0.5 * end, end};
    const long before = allocations;
    EXPECT_EQ(rollout.run(times, 1e-3, values, &slopes), Status::done);
    return allocations - before;
  };
  allocated(0.1);
  EXPECT_EQ(allocated(0.1), allocated(2.0));
}

template <class L, class M>
long count(const L& law, const M& mechanism, int method, double end) {
  Options o;
  o.end = end;
  o.samples = 100;
  o.method = method;
  const long before = allocations;
  const auto run = simulate(law, mechanism, o);
  EXPECT_TRUE(run.summary.ok());
  return allocations - before;
}

// Long enough to slip: a run in which the body hardly moves is repeated. The sentences of both runs have
// the same length, since long sentences need memory as well.
TEST(Stepping, OfARunAllocatesTheSameForAnyLength) {
  for (const int method : {Options::rosenbrock, Options::coupled, Options::bristle_only}) {
    EXPECT_EQ(count(LuGre<>{}, DraggedMass{}, method, 15.0),
              count(LuGre<>{}, DraggedMass{}, method, 30.0));
    EXPECT_EQ(count(Coulomb<>{}, WallSpringMass{}, method, 10.0),
              count(Coulomb<>{}, WallSpringMass{}, method, 30.0));
  }
}

// By the explicit method, with a thousand events.
TEST(Stepping, OverARowOfBristlesAllocatesTheSameForAnyLength) {
  const DraggedMass body{1.0, 1.0, 0.1};
  EXPECT_EQ(count(Drbm<>{}, body, Options::rosenbrock, 10.0),
            count(Drbm<>{}, body, Options::rosenbrock, 30.0));
}

TEST(Stepping, OfASumOfPlaysAllocatesNothing) {
  PrandtlIshlinskii model;
  std::vector<double> strange;
  for (int i = 1; i <= 400; ++i) {
    model.thresholds.push_back(0.01 * i);
    model.weights.push_back(0.01);
    strange.push_back(i % 2 ? 1.0 : -1.0);  // states that no history leaves
  }
  PlaySum plain(model), swept(model, 0.0, strange);
  EXPECT_FALSE(swept.by_stack());
  const long before = allocations;
  double sum = 0.0;
  for (int i = 0; i < 3000; ++i) {
    const double u = 5.0 * std::sin(0.7 * i) * (1.0 - 1e-4 * i);
    sum += plain.update(u) + swept.update(u);
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_TRUE(swept.by_stack());
  EXPECT_NE(sum, 0.0);
}

TEST(Stepping, OfARollingContactAllocatesNothing) {
  ContactPatch patch(erase(FrBD<>{}), {});
  const long before = allocations;
  double sum = 0.0;
  for (int i = 0; i < 3000; ++i) {
    const double v = std::sin(0.02 * i);
    if (i % 500 == 0) patch.mark_front();
    patch.advance(1e-4, v, 100.0 + 50.0 * v);
    sum += patch.force(v);
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_NE(sum, 0.0);
}

TEST(Stepping, OfAFrictionElementAllocatesNothing) {
  FrictionElement<LuGre<>> element(LuGre<>{}, 1e-3);
  const long before = allocations;
  double sum = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double v = 0.01 * ((i % 7) - 3);
    sum += element.force_at(v).tangent + element.advance(v);
  }
  EXPECT_EQ(allocations - before, 0);
  EXPECT_NE(sum, 0.0);
}

}  // namespace
}  // namespace bristle::allocation_test
