// SPDX-License-Identifier: MIT
// A body that moves under its input: its steps, its derivatives, and one drawn to measured motion.
#include <algorithm>

#include "bristle/model/dahl.hpp"
#include "bristle/model/ffbm.hpp"
#include "bristle/model/mpabm.hpp"
#include "bristle/model/reset_integrator.hpp"
#include "bristle/model/sbm.hpp"
#include "bristle/model/stribeck.hpp"
#include "close.hpp"
#include "identify/rollout_data.hpp"

namespace bristle::rollout_test {
namespace {

using namespace test;

// The predictions of a fit that is given the truth, without noise.
template <class L>
double distance(const L& law, const Rolled& r, int steps) {
  FitOptions o = rolling(r, steps);
  o.guess = truth(law);
  const FitProblem problem = make_problem(L::name, {track(r.record)}, o);
  // The measured velocity is made from positions, the body began at rest.
  auto x = problem.start();
  x.back() = -problem.runs[0].samples[0].velocity / problem.velocity_unit;
  const auto found = fit_predict(problem, x).front();
  double worst = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i)
    worst = std::max(worst, std::abs(found[i] - r.record.position[i]));
  return worst;
}

// Second order in between kinks, first order across one: eight times as many steps are at least
// eight times as good.
TEST(Rollout, ApproachesTheAdaptiveSimulationOfEachMechanism) {
  const auto check = [](const auto& law, const Rolled& r, double size) {
    const double coarse = distance(law, r, 2), fine = distance(law, r, 16);
    EXPECT_LT(fine, coarse / 8.0) << r.mechanism;
    EXPECT_LT(fine, 1e-4 * size) << r.mechanism;
  };
  check(lugre, dragged(lugre), 0.05);
  check(frbd, dragged(frbd), 0.05);
  check(lugre, pushed(lugre), 0.05);
  check(frbd, pushed(frbd), 0.05);
  check(packing, commanded(packing), 0.008);
  check(graphite, commanded(graphite), 0.008);
  check(bearing, swung(bearing), 1.0);
}

// On a mass that moves back and forth.
TEST(Rollout, ApproachesTheAdaptiveSimulationOfEachLaw) {
  const auto check = [](const auto& law) {
    const Rolled r = pushed(law);
    const double coarse = distance(law, r, 2), fine = distance(law, r, 16);
    EXPECT_LT(fine, coarse / 6.0) << law.name;
    EXPECT_LT(fine, 5e-5) << law.name;
  };
  check(knee);
  check(Dahl<>{.stiffness = 1e4, .coulomb_force = 1.0});
  check(Ffbm<>{.stiffness = 1e4});
  check(Mpabm<>{});
  check(ResetIntegrator<>{});
  check(Sbm<>{});
}

TEST(Rollout, TakesTheSameStepsWhateverTheSpacingOfSamples) {
  const Rolled r = dragged(lugre, {.end = 1.0, .samples = 501});
  Record uneven = r.record;
  // Every fifth sample of the motion is missing, the input is not.
  for (auto* column : {&uneven.time, &uneven.position})
    for (std::size_t i = column->size() - 2; i > 0; --i)
      if (i % 5 == 1) column->erase(column->begin() + long(i));
  FitOptions o = rolling(r);
  o.guess = truth(lugre);
  const FitProblem whole = make_problem("lugre", {track(r.record)}, o);
  FitProblem part = make_problem("lugre", {track(uneven)}, o);
  part.velocity_unit = whole.velocity_unit, part.position_unit = whole.position_unit;
  auto x = whole.start();
  x.back() = -whole.runs[0].samples[0].velocity / whole.velocity_unit;
  auto y = part.start();
  y.back() = -part.runs[0].samples[0].velocity / part.velocity_unit;
  const auto all = fit_predict(whole, x).front(), some = fit_predict(part, y).front();
  ASSERT_EQ(some.size(), uneven.time.size());
  EXPECT_TRUE(close(some.back(), all.back(), 1e-9));
}

// Well inside its interval of forces nothing moves, at any step.
TEST(Rollout, HoldsABodyAtRestExactly) {
  const Stribeck<> law{.coulomb_force = 1.0, .static_force = 1.5};
  Record r{.name = "rest"};
  for (int i = 0; i < 50; ++i) {
    r.time.push_back(0.1 * i), r.position.push_back(0.0);
    r.velocity.push_back(i == 30 ? 1e-9 : 0.0);
    r.input.push_back(1.4 * std::sin(0.7 * i));
  }
  r.input_time = r.time;
  FitOptions o;
  o.rollout = {.mechanism = "wall_spring_mass", .steps = 1};
  o.guess = truth(law);
  const FitProblem problem = make_problem("stribeck", {track(r)}, o);
  const auto found = fit_predict(problem, problem.start()).front();
  for (const double x : found) EXPECT_EQ(x, 0.0);
}

// Against central differences of the cost; slopes far below the largest are lost in its rounding.
void expect_derivatives(const std::string& law, const Rolled& r, FitOptions o, double tolerance,
                        double follow = 0.0) {
  FitProblem problem = make_problem(law, {track(r.record), track(r.record)}, o);
  problem.follow = follow;
  auto x = problem.start();
  const std::size_t shared = problem.shared().size();
  for (std::size_t i = 0; i < shared; ++i) x[i] += 0.01 * (i % 2 ? 1.0 : -1.0) * std::abs(x[i]);
  for (std::size_t i = shared; i < x.size(); ++i) x[i] = 0.05 * double(i - shared) - 0.1;
  NormalEquations e;
  const double cost = fit_cost(problem, x, &e);
  EXPECT_TRUE(close(cost, fit_cost(problem, x, nullptr), 1e-11)) << law << " " << r.mechanism;
  double scale = 0.0;
  for (const double g : e.gradient) scale = std::max(scale, std::abs(g));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto along = [&](double value) {
      auto there = x;
      there[i] = value;
      return fit_cost(problem, there, nullptr);
    };
    // Of what it may range over; starts are in units of theirs.
    double h = 1e-5;
    if (i < shared) {
      const FitParameter& p = problem.parameters[std::size_t(problem.shared()[i])];
      h = 1e-6 * std::max(std::abs(x[i]), 0.1 * (p.search_to - p.search_from));
    }
    EXPECT_TRUE(close(e.gradient[i], central_difference(along, x[i], h), tolerance, 1e-3 * scale))
        << law << " on " << r.mechanism << ", unknown " << i;
  }
}

TEST(Rollout, HasTheDerivativesOfDifferences) {
  const auto check = [](const auto& law, const Rolled& r, std::set<std::string> free) {
    FitOptions o = rolling(r);
    o.offset = o.asymmetric = true;
    o.guess = truth(law);
    o.free = std::move(free);
    expect_derivatives(std::string(law.name), r, o, 1e-5);
  };
  const Times brief{.end = 0.8, .samples = 201};
  check(lugre, dragged(lugre, brief), {"mechanism.mass", "mechanism.spring"});
  check(frbd, dragged(frbd, brief), {"mechanism.mass", "mechanism.spring"});
  check(lugre, pushed(lugre, brief), {"mechanism.mass", "mechanism.spring"});
  const Dahl<> dahl{.stiffness = 1e4, .coulomb_force = 1.0};
  check(dahl, pushed(dahl, brief), {"mechanism.mass", "mechanism.spring"});
  check(knee, pushed(knee, brief), {"mechanism.mass"});
  const Times finer{.end = 0.8, .samples = 801};
  check(bearing, swung(bearing, brief), {"mechanism.inertia", "mechanism.weight"});
  check(packing, commanded(packing, finer), {"mechanism.time_constant", "mechanism.gain"});
  check(packing, commanded(packing, finer), {"mechanism.area", "mechanism.preload"});
}

TEST(Rollout, HasTheDerivativesOfDifferencesThroughStick) {
  const Stribeck<> law{
      .coulomb_force = 1.0, .static_force = 1.5, .stribeck_velocity = 0.05, .viscous = 0.4};
  const Rolled r = pushed(law, {.end = 0.8, .samples = 201});
  FitOptions o = rolling(r);
  o.guess = truth(law);
  o.values = {{"curve", std::string("gaussian")}};
  o.free = {"mechanism.mass"};
  for (const char* name : {"decay", "exponent", "falling", "rising"}) o.values[name] = 1.0;
  expect_derivatives("stribeck", r, o, 1e-5);
}

TEST(Rollout, HasTheDerivativesOfDifferencesWhereItIsDrawnToTheMeasuredMotion) {
  const Rolled r = dragged(lugre, {.end = 0.8, .samples = 201});
  FitOptions o = rolling(r);
  o.guess = truth(lugre);
  expect_derivatives("lugre", r, o, 1e-5, 8.0);
  o.rollout.output = FitOutput::velocity;
  expect_derivatives("lugre", r, o, 1e-5, 8.0);
}

// Its errors are forgotten: a wrong law keeps to the measured motion.
TEST(Rollout, StaysNearTheMotionItIsDrawnTo) {
  const Rolled r = dragged(lugre);
  FitOptions o = rolling(r);
  o.guess = truth(lugre);
  o.guess["static_force"] = 2.5;
  FitProblem problem = make_problem("lugre", {track(r.record)}, o);
  const double free = fit_cost(problem, problem.start(), nullptr);
  problem.follow = 4.0;
  const double led = fit_cost(problem, problem.start(), nullptr);
  problem.follow = 64.0;
  const double loosely = fit_cost(problem, problem.start(), nullptr);
  EXPECT_LT(led, 1e-3 * loosely);
  EXPECT_LT(loosely, 0.5 * free);
}

}  // namespace
}  // namespace bristle::rollout_test
