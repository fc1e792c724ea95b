// SPDX-License-Identifier: MIT
// Methods of fixed step: which hold stick, and of what order they are.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "bristle/model/bouc_wen.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/reset_integrator.hpp"
#include "bristle/model/stribeck.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle::fixed_step_test {
namespace {

// A body of 10 g under half its Coulomb force.
WallSpringMass half_load(double force) {
  WallSpringMass m;
  m.mass = 0.01;
  m.spring = 0.0;
  m.signal.shape = Signal::ramp;
  m.signal.offset = 0.5 * force;
  return m;
}

double largest_late_speed(const Simulation& run, double from) {
  double top = 0.0;
  for (std::size_t i = 0; i < run.trajectory.size(); ++i)
    if (run.trajectory.time[i] >= from) top = std::max(top, std::abs(run.trajectory.velocity[i]));
  return top;
}

Options fixed(int method, double step, double end) {
  Options o;
  o.method = method;
  o.step = step;
  o.end = end;
  o.samples = std::min(end / step + 1.0, 2001.0);
  return o;
}

TEST(CoupledStep, HoldsHalfTheCoulombForceAtEveryStep) {
  for (const double stiffness : {1e4, 1e5}) {
    for (const double step : {1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 2e-3}) {
      LuGre<> law;
      law.stiffness = stiffness;
      law.damping = std::sqrt(stiffness) * 0.645;
      law.viscous = 0.0;
      law.stribeck_velocity = 0.01;
      const auto run =
          simulate(law, half_load(law.coulomb_force), fixed(Options::coupled, step, 2.0));
      EXPECT_LT(largest_late_speed(run, 1.5), 1e-12)
          << "stiffness " << stiffness << ", step " << step;
      EXPECT_NEAR(run.trajectory.force.back(), 0.5, 1e-9);
    }
  }
}

TEST(CoupledStep, HoldsTheLoadForEveryLaw) {
  const auto held = [](const auto& law, double force) {
    const auto run = simulate(law, half_load(force), fixed(Options::coupled, 2e-3, 4.0));
    return largest_late_speed(run, 3.0);
  };
  EXPECT_LT(held(FrBD<>{}, 1.0), 1e-12);
  EXPECT_LT(held(ElastoPlastic<>{}, 1.0), 1e-12);
  EXPECT_LT(held(Dahl<>{}, 1.0), 1e-12);
  // Damped nearly critically: its default damping falls with speed and lets the bristle ring for
  // long.
  EXPECT_LT(held(ResetIntegrator<>{.damping = 2.0, .damping_velocity = 0.0}, 1.0), 1e-12);
  EXPECT_EQ(held(Stribeck<>{}, 1.0), 0.0);
}

// A state that is at its saturation at once, where its rate is a high power of it: friction is
// constant from the first step on.
TEST(CoupledStep, FindsTheStateOfASharpKneeAtAnySpeed) {
  BoucWen<> law;
  law.stiffness = 10.0;  // so soft that the way of a step is far more than the saturation
  law.beta = 73088.0;
  law.gamma = 29210.0;
  law.rise = 4.86;
  WallSpringMass body;
  body.spring = 0.0;
  body.signal.amplitude = 0.0;
  for (const double exponent : {1.0, 3.0, 20.0, 95.0})
    for (const double speed : {1e3, 1e5}) {
      law.exponent = exponent;
      const double force = law.stiffness * law.saturation();
      const double step = 0.05 * speed * body.mass / force;
      Options o = fixed(Options::coupled, step, 10.0 * step);
      o.initial.velocity = speed;
      o.samples = 11.0;
      const auto run = simulate(law, body, o);
      ASSERT_EQ(run.trajectory.size(), 11u);
      for (std::size_t i = 1; i <= 10; ++i) {
        EXPECT_NEAR(run.trajectory.velocity[i], speed * (1.0 - 0.05 * double(i)), 1e-3 * speed)
            << exponent << ", step " << i;
        EXPECT_NEAR(run.trajectory.state[i], law.saturation(), 1e-3 * law.saturation()) << exponent;
      }
    }
}

TEST(BristleOnly, ChattersWhereTheStepIsTooLongForStiffnessAndDamping) {
  LuGre<> law;
  law.stiffness = 1e4;
  law.damping = 64.5;
  law.viscous = 0.0;
  law.stribeck_velocity = 0.01;
  // step^2 stiffness / mass + 2 step damping / mass = 29.8, above 4.
  const auto chatters = simulate(law, half_load(1.0), fixed(Options::bristle_only, 2e-3, 2.0));
  EXPECT_GT(largest_late_speed(chatters, 1.5), 1e-2);
  // The same is 0.13 here.
  const auto rests = simulate(law, half_load(1.0), fixed(Options::bristle_only, 1e-5, 2.0));
  EXPECT_LT(largest_late_speed(rests, 1.5), 1e-9);
}

// Sliding away from kinks: the error of one run against a hundredth of the step.
template <class L>
double order_of(const L& law, int method) {
  DraggedMass mechanism;
  Options o = fixed(method, 1e-2, 0.64);
  o.initial = {0.0, 0.3, 1e-5};
  o.samples = 2;
  mechanism.drag_velocity = 0.4;
  const auto end = [&](double step) {
    o.step = step;
    const auto run = simulate(law, mechanism, o);
    return run.trajectory.position.back() + run.trajectory.velocity.back();
  };
  const double exact = [&] {
    Options fine = o;
    fine.method = Options::rosenbrock;
    fine.tolerance = 1e-13;
    const auto run = simulate(law, mechanism, fine);
    return run.trajectory.position.back() + run.trajectory.velocity.back();
  }();
  return std::log2(std::abs(end(4e-3) - exact) / std::abs(end(2e-3) - exact));
}

TEST(CoupledStep, HasOrderTwoInSmoothSliding) {
  FrBD<> law;
  law.stiffness = 300.0;
  law.damping = 3.0;
  law.stribeck_velocity = 1.0;
  EXPECT_NEAR(order_of(law, Options::coupled), 2.0, 0.15);
}

TEST(BristleOnly, HasOrderOneInSmoothSliding) {
  FrBD<> law;
  law.stiffness = 300.0;
  law.damping = 3.0;
  law.stribeck_velocity = 1.0;
  EXPECT_NEAR(order_of(law, Options::bristle_only), 1.0, 0.2);
}

TEST(MidpointUpdate, HasOrderTwoForGivenMotion) {
  LuGre<> law;
  law.stiffness = 1e3;
  law.damping = 10.0;
  law.stribeck_velocity = 0.5;
  PrescribedMotion mechanism;
  mechanism.signal.frequency = 3.0;
  mechanism.signal.rate = 4.0;  // one way: no kink
  Options o = fixed(Options::coupled, 1e-3, 1.0);
  o.samples = 2;
  const auto state = [&](int method, double step) {
    o.method = method;
    o.step = step;
    o.tolerance = 1e-13;
    return simulate(law, mechanism, o).trajectory.state.back();
  };
  const double exact = state(Options::rosenbrock, 1e-3);
  const double coarse = state(Options::bristle_only, 2e-3) - exact;
  const double fine = state(Options::bristle_only, 1e-3) - exact;
  EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 2.0, 0.1);
}

TEST(CoupledStep, TakesOneSamplePerStepWhereMoreAreAskedFor) {
  Options o = fixed(Options::coupled, 0.1, 2.0);
  o.samples = 101;
  const auto run = simulate(FrBD<>{}, DraggedMass{}, o);
  const auto& time = run.trajectory.time;
  ASSERT_EQ(time.size(), 21u);
  for (std::size_t i = 0; i < time.size(); ++i) EXPECT_NEAR(time[i], 0.1 * double(i), 1e-12);
  EXPECT_EQ(time.back(), 2.0);
}

TEST(CoupledStep, ConvergesToThePeriodOfTheAdaptiveMethod) {
  // FrBD, Table II of R: 7.639267026 s (independent computation). Stick and slip hold kinks, so the
  // order falls between one and two.
  const auto period = [](double step) {
    Options o = fixed(Options::coupled, step, 40.0);
    const auto run = simulate(FrBD<>{}, DraggedMass{}, o);
    const auto& c = run.trajectory.crossings;
    return (c.back().time - c.front().time) / double(c.size() - 1);
  };
  // oracle: bristle.frbd.period
  const double coarse = std::abs(period(2e-3) - 7.639267026),
               fine = std::abs(period(5e-4) - 7.639267026);
  EXPECT_LT(fine, 5e-6);
  EXPECT_GT(std::log(coarse / fine) / std::log(4.0), 0.9);
}

}  // namespace
}  // namespace bristle::fixed_step_test
