// SPDX-License-Identifier: MIT
// A machine stepped by a host.
#include "bristle/solve/machine_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/registry.hpp"
#include "bristle/solve/cancel.hpp"
#include "bristle/solve/run.hpp"

namespace bristle::machine_run_test {
namespace {

Machine stacked() {
  MachineParts p;
  Signal push;
  push.amplitude = 6.0;
  push.frequency = 2.0;
  p.bodies = {{"low", {.inertia = 2.0}}, {"up", {.inertia = 1.0}}};
  p.couplings = {{"tie", {"up", "ground"}, couple(SpringDamper{1.0, 0.1})}};
  p.inputs = {{"push", "low", push}};
  p.contacts = {{"floor", between("low", "ground"), make_law("coulomb", {{"coulomb_force", 3.0}})},
                {"pad", between("up", "low"), make_law("stribeck", {})}};
  return Machine(p);
}

TEST(MachineRun, InStepsOfAHostMovesAsInOneGo) {
  const Machine machine = stacked();
  Options o;
  o.end = 5.0;
  o.samples = 501.0;
  const auto whole = simulate(machine, o);
  bristle::Run run(machine);
  for (int k = 1; k <= 500; ++k) {
    ASSERT_EQ(run.step(0.01), Status::done);
    EXPECT_NEAR(run.position(0), whole["low.position"][std::size_t(k)], 1e-6) << k;
    EXPECT_NEAR(run.position(1), whole["up.position"][std::size_t(k)], 1e-6) << k;
    if (run.mode(0) == 0.0) {
      EXPECT_EQ(run.velocity(0), 0.0);
    }
    if (run.mode(1) == 0.0) {
      EXPECT_EQ(run.velocity(0), run.velocity(1));
    }
  }
  EXPECT_NEAR(run.work_in(), run.dissipated() + run.stored(), 1e-6 * run.work_in());
}

TEST(MachineRun, GoesBackToASnapshotBitForBit) {
  bristle::Run run(stacked());
  for (int k = 0; k < 137; ++k) run.step(0.01);
  RunSnapshot here;
  run.save(here);
  bristle::Run copy = run;
  for (int k = 0; k < 100; ++k) run.step(0.01);
  const double x = run.position(1), v = run.velocity(0), f = run.force(1), w = run.work_in();
  run.restore(here);
  EXPECT_EQ(run.time(), here.time);
  for (bristle::Run* again : {&run, &copy}) {
    for (int k = 0; k < 100; ++k) again->step(0.01);
    EXPECT_EQ(again->position(1), x);
    EXPECT_EQ(again->velocity(0), v);
    EXPECT_EQ(again->force(1), f);
    EXPECT_EQ(again->work_in(), w);
  }
}

TEST(MachineRun, FeelsAForceOfTheHostFromTheInstantItIsSet) {
  // A block at rest under 2 N of friction: 1 N holds, 3 N move it with 1 N left over 1 kg.
  MachineParts p;
  Signal none;
  none.amplitude = 0.0;
  p.bodies = {{"b"}};
  p.contacts = {{"floor", between("b", "ground"), make_law("coulomb", {{"coulomb_force", 2.0}})}};
  p.inputs = {{"hand", "b", none}};
  bristle::Run run{Machine(p)};
  run.set_input(0, 1.0);
  for (int k = 0; k < 100; ++k) ASSERT_EQ(run.step(0.01), Status::done);
  EXPECT_EQ(run.velocity(0), 0.0);
  EXPECT_EQ(run.position(0), 0.0);
  EXPECT_NEAR(run.force(0), 1.0, 1e-14);
  run.set_input(0, 3.0);
  for (int k = 0; k < 100; ++k) ASSERT_EQ(run.step(0.01), Status::done);
  EXPECT_NEAR(run.velocity(0), 1.0, 1e-9);
  EXPECT_NEAR(run.position(0), 0.5, 1e-9);
  run.set_input(0, 0.0);
  for (int k = 0; k < 100; ++k) ASSERT_EQ(run.step(0.01), Status::done);
  EXPECT_EQ(run.velocity(0), 0.0);
  EXPECT_NEAR(run.position(0), 0.75, 1e-9);
  run.reset();
  EXPECT_EQ(run.time(), 0.0);
  EXPECT_EQ(run.position(0), 0.0);
}

TEST(MachineRun, RefusesAStepThatGoesNowhere) {
  bristle::Run run(stacked());
  EXPECT_EQ(run.step(0.0), Status::step_too_small);
  EXPECT_EQ(run.step(NAN), Status::step_too_small);
  EXPECT_EQ(run.time(), 0.0);
}

TEST(MachineRun, EndsALongStepWhereAStopIsAskedFor) {
  bristle::Run run(stacked());
  stop_when([] { return true; });
  EXPECT_EQ(run.step(1e3), Status::cancelled);
  stop_when(nullptr);
  EXPECT_LT(run.time(), 1e3);
  EXPECT_EQ(run.step(0.01), Status::done);
}

}  // namespace
}  // namespace bristle::machine_run_test
