// SPDX-License-Identifier: MIT
// True stick and located events, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/analysis/loop.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/reset_integrator.hpp"
#include "bristle/model/sawtooth.hpp"
#include "bristle/model/stribeck.hpp"
#include "bristle/solve/simulate.hpp"
#include "random_machines.hpp"
#include "sundials.hpp"

namespace bristle::stick_test {
namespace {

using testing_machines::between;
using testing_machines::Random;

constexpr double pi = std::numbers::pi;

WallSpringMass pushed(double spring, double offset, double rate = 0.0) {
  WallSpringMass m;
  m.spring = spring;
  m.signal.shape = Signal::ramp;
  m.signal.offset = offset;
  m.signal.rate = rate;
  return m;
}

Options lasting(double end, int method = Options::rosenbrock) {
  Options o;
  o.end = end;
  o.tolerance = 1e-10;
  o.method = method;
  o.samples = 1001;
  return o;
}

class SetValued : public testing::TestWithParam<int> {
  void SetUp() override {
    if (GetParam() == Options::cvode) {
      BRISTLE_NEEDS_SUNDIALS();
    }
  }
};

TEST_P(SetValued, SlidingBodyStopsWhereMechanicsSaysAndStaysThere) {
  // v0 = 3, Fc = 2, m = 1: stops after 1.5 s and 2.25 m.
  Options o = lasting(3.0, GetParam());
  o.initial.velocity = 3.0;
  o.step = 1e-4;
  const auto run = simulate(Coulomb<>{.coulomb_force = 2.0}, pushed(0.0, 0.0), o);
  ASSERT_TRUE(run.summary.ok());
  ASSERT_EQ(run.trajectory.events.size(), 1u);
  const Event& stop = run.trajectory.events[0];
  const double accuracy = GetParam() == Options::coupled ? 1e-4 : 1e-9;
  EXPECT_EQ(stop.kind, EventKind::stick);
  EXPECT_NEAR(stop.time, 1.5, accuracy);
  EXPECT_NEAR(stop.position, 2.25, accuracy);
  for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
    if (run.trajectory.time[i] > 1.5 + accuracy) {
      EXPECT_EQ(run.trajectory.velocity[i], 0.0);
      EXPECT_EQ(run.trajectory.position[i], run.trajectory.position.back());
    }
  }
}

TEST_P(SetValued, BodyAtRestLeavesWhenTheForceLeavesTheInterval) {
  // The push grows by 0.5 N/s and the interval ends at 1.5 N: slip begins at 3 s.
  Options o = lasting(4.0, GetParam());
  o.step = 1e-4;
  const auto run = simulate(Stribeck<>{}, pushed(1.0, 0.0, 0.5), o);
  ASSERT_TRUE(run.summary.ok());
  ASSERT_GE(run.trajectory.events.size(), 1u);
  EXPECT_EQ(run.trajectory.events[0].kind, EventKind::slip);
  EXPECT_NEAR(run.trajectory.events[0].time, 3.0, GetParam() == Options::coupled ? 2e-4 : 1e-9);
  for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
    if (run.trajectory.time[i] > 2.999) break;
    EXPECT_EQ(run.trajectory.velocity[i], 0.0);
    EXPECT_NEAR(run.trajectory.force[i], 0.5 * run.trajectory.time[i], 1e-12);
  }
}

TEST_P(SetValued, OscillatorLosesTwiceTheCoulombDeflectionPerSwing) {
  // Each half swing ends 2 Fc / K = 0.2 nearer to zero: 1, -0.8, 0.6, -0.4, 0.2, then stuck at -0.0
  // no more.
  Options o = lasting(20.0, GetParam());
  o.initial.position = 1.05;
  o.samples = 40001;
  o.step = 1e-4;
  const auto run = simulate(Coulomb<>{.coulomb_force = 0.1}, pushed(1.0, 0.0), o);
  ASSERT_TRUE(run.summary.ok());
  const Range range = range_of(run.trajectory.position);
  EXPECT_NEAR(range.least, -0.85, 1e-6);
  EXPECT_NEAR(std::abs(run.trajectory.position.back()), 0.05, 1e-6);
  EXPECT_EQ(run.trajectory.velocity.back(), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Methods, SetValued,
                         testing::Values(Options::rosenbrock, Options::cvode, Options::coupled),
                         [](const auto& info) {
                           return std::string(Options::methods[info.param]);
                         });

TEST(Stick, CoulombHysteresisMatchesTheIndependentComputation) {
  // m = K = 1, Fc = 2, u = 3 sin(w t), from rest; error of the values 2e-9.
  const auto period = [](double w, int which, double* top) {
    WallSpringMass m;
    m.signal.amplitude = 3.0;
    m.signal.frequency = w;
    Options o = lasting(which * 2 * pi / w);
    // Slow slips are chains of short sticks, of which those near u = 0 hang on rounding: go to the
    // bottom.
    o.tolerance = 1e-13;
    o.samples = which * 2000 + 1;
    const auto run = simulate(Coulomb<>{.coulomb_force = 2.0}, m, o);
    EXPECT_TRUE(run.summary.ok());
    if (top) {
      *top = 0.0;
      for (const auto& e : run.trajectory.events)
        if (e.time > (which - 1) * 2 * pi / w) *top = std::max(*top, e.position);
    }
    return work_between(run.trajectory, (which - 1) * 2 * pi / w, o.end);
  };
  double top = 0.0;
  period(0.1, 6, &top);
  EXPECT_NEAR(top, 1.1731592894973335, 2e-9);  // oracle: piecewise.coulomb.top_0_1
  // oracle: piecewise.coulomb.area_0_01
  EXPECT_NEAR(period(0.01, 3, nullptr), 8.004010525753506, 2e-9);
  // oracle: piecewise.coulomb.area_0_001
  EXPECT_NEAR(period(0.001, 2, &top), 8.000090741755931, 4e-9);
  EXPECT_NEAR(top, 1.0000113437927816, 2e-9);  // oracle: piecewise.coulomb.top_0_001
}

TEST(Stick, ResetIntegratorBreaksAwayAtItsRange) {
  // Pulled slowly, the bristle slips when its deflection reaches the range.
  ResetIntegrator<> law;
  law.damping_velocity = 0.0;
  const auto run = simulate(law, pushed(0.0, 0.0, 0.01), lasting(120.0));
  ASSERT_TRUE(run.summary.ok());
  ASSERT_FALSE(run.trajectory.events.empty());
  const Event* slip = nullptr;
  for (const auto& e : run.trajectory.events)
    if (e.kind == EventKind::switched && slip == nullptr) slip = &e;
  ASSERT_NE(slip, nullptr);
  EXPECT_NEAR(slip->position, law.range, 1e-12);
  // Break-away at stiffness (1 + gradient) range = 1.1 N, plus the damping of the creep.
  EXPECT_NEAR(slip->time, 110.0, 1.0);
}

TEST(Stick, MicroSlipsWithoutEndAreReportedNotHung) {
  // A step limit that is far too small ends the run with a status, not with an exception.
  Options o = lasting(40.0);
  o.step_limit = 50;
  const auto run = simulate(LuGre<>{}, DraggedMass{}, o);
  EXPECT_EQ(run.summary.status, Status::step_limit);
  EXPECT_NE(run.summary.message.find("step limit"), std::string::npos);
  EXPECT_FALSE(run.trajectory.time.empty());
}

// The range of the stem is that of the Switch Model and of bristles with 1e7 N/m.
TEST(Stick, OfTheStemOfAValveLetsItsPressureGoOn) {
  DiaphragmValve valve;
  valve.signal.offset = 50.0;
  valve.signal.amplitude = 20.0;
  valve.signal.frequency = 0.5;
  Options o;
  o.end = 40.0;
  for (const int method : {int(Options::rosenbrock), int(Options::cvode)}) {
    if (method == Options::cvode && !with_sundials) continue;
    o.method = method;
    const auto run = simulate(Coulomb<>{50.0}, valve, o);
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    double low = 1.0, high = 0.0;
    for (std::size_t i = 0; i < run.trajectory.size(); ++i)
      if (run.trajectory.time[i] > 12.0) {
        low = std::min(low, run.trajectory.position[i]);
        high = std::max(high, run.trajectory.position[i]);
      }
    EXPECT_NEAR(low, 8.218e-3, 1e-6);
    EXPECT_NEAR(high, 20.937e-3, 1e-6);
  }
}

TEST(Stick, EndsInTimeForBristlesOfAnyStiffness) {
  const DraggedMass body{.mass = 0.5, .spring = 5.0, .drag_velocity = 0.45};
  const Stribeck<> rigid{.coulomb_force = 0.9, .static_force = 1.2, .stribeck_velocity = 0.2};
  Options o;
  o.end = 3.0;
  const auto reference = simulate(rigid, body, o);
  for (const double stiffness : {1e8, 1e9, 1e10, 1e11}) {
    LuGre<> law;
    law.coulomb_force = 0.9;
    law.static_force = 1.2;
    law.stribeck_velocity = 0.2;
    law.viscous = 0.0;
    law.stiffness = stiffness;
    law.damping = 0.3 * std::sqrt(stiffness);
    const auto run = simulate(law, body, o);
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    for (std::size_t i = 0; i < run.trajectory.size(); ++i)
      EXPECT_NEAR(run.trajectory.position[i], reference.trajectory.position[i], 1e-4)
          << stiffness << " N/m at " << run.trajectory.time[i] << " s";
  }
}

TEST(Stick, IsLeftWhereTheCurveFallsInfinitelySteeply) {
  for (const double exponent : {0.1, 0.4, 0.7}) {
    Stribeck<> law;
    law.curve = Stribeck<>::generalised;
    law.exponent = exponent;
    const auto run = simulate(law, DraggedMass{}, {.end = 40.0});
    EXPECT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_GT(run.trajectory.position.back(), 2.0);
  }
}

TEST(LastSample, IsTakenAtTheEndByEveryMethod) {
  Random random(21);
  for (int i = 0; i < 200; ++i) {
    Options o;
    o.end = between(random, 0.1, 3.0);
    o.samples = 101;
    const auto run = i % 2 ? simulate(Sawtooth<>{}, DraggedMass{}, o)
                           : simulate(Coulomb<>{}, DraggedMass{.drag_velocity = 1.0}, o);
    ASSERT_EQ(run.trajectory.size(), 101u) << o.end;
    EXPECT_EQ(run.trajectory.time.back(), o.end);
    EXPECT_TRUE(run.summary.ledger.closes) << run.summary.message;
  }
}

TEST(BaseExcitedMass, RefusesABaseThatJumps) {
  BaseExcitedMass m;
  m.signal.change_time = 0.5;
  m.signal.amplitude_after = 2.0;
  EXPECT_THROW(simulate(Coulomb<>{}, m, {.end = 1.0}), InvalidInput);
  m.signal.amplitude_after = m.signal.amplitude;
  EXPECT_NO_THROW(simulate(Coulomb<>{}, m, {.end = 1.0}));
}

TEST(Initial, ValuesThatNothingWouldReadAreRefused) {
  const auto refusal = [](const auto& law, const auto& mechanism, auto change, int method) {
    Options o{.end = 0.1};
    o.method = method;
    o.step = 1e-3;
    change(o.initial);
    try {
      simulate(law, mechanism, o);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto state = [](Initial& initial) { initial.state = 0.001; };
  const auto height = [](Initial& initial) { initial.height = 0.01; };
  const auto velocity = [](Initial& initial) { initial.velocity = 0.1; };
  for (const int method : {int(Options::rosenbrock), int(Options::coupled)}) {
    EXPECT_EQ(refusal(Coulomb<>{}, DraggedMass{}, state, method),
              "initial: state = 0.001 m is not allowed: coulomb has no state");
    EXPECT_EQ(refusal(LuGre<>{}, DraggedMass{}, height, method),
              "initial: height = 0.01 m is not allowed: dragged_mass with lugre has no height");
    EXPECT_EQ(refusal(LuGre<>{}, PrescribedMotion{}, velocity, method),
              "initial: velocity = 0.1 m/s is not allowed: prescribed_motion gives the motion");
    EXPECT_EQ(refusal(LuGre<>{}, DraggedMass{}, state, method), "");
    EXPECT_EQ(refusal(Coulomb<>{}, DraggedMass{}, velocity, method), "");
  }
}

}  // namespace
}  // namespace bristle::stick_test
