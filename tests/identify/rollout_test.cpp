// SPDX-License-Identifier: MIT
// Fits of motion under an input: steps, derivatives, known parameters found again, refusals.
#include <algorithm>

#include "bristle/model/dahl.hpp"
#include "bristle/model/stribeck.hpp"
#include "close.hpp"
#include "identify/rollout_data.hpp"

namespace bristle {
namespace {

using namespace test;

const LuGre<> lugre{.stiffness = 1e4,
                    .damping = 60.0,
                    .viscous = 0.4,
                    .coulomb_force = 1.0,
                    .static_force = 1.5,
                    .stribeck_velocity = 0.01};
const FrBD<> frbd{.stiffness = 1e4,
                  .damping = 60.0,
                  .viscous = 0.04,
                  .dynamic_coefficient = 1.0,
                  .static_coefficient = 1.5,
                  .stribeck_velocity = 0.01};
// A valve with forces of its size.
const LuGre<> packing{.stiffness = 4e6,
                      .damping = 3e3,
                      .viscous = 4e3,
                      .coulomb_force = 150.0,
                      .static_force = 180.0,
                      .stribeck_velocity = 0.004};
const FrBD<> graphite{.stiffness = 4e6,
                      .damping = 3e3,
                      .viscous = 4e3,
                      .dynamic_coefficient = 150.0,
                      .static_coefficient = 180.0,
                      .stribeck_velocity = 0.004};

// The bearing of an arm, in N m and rad.
const LuGre<> bearing{.stiffness = 40.0,
                      .damping = 0.3,
                      .viscous = 0.02,
                      .coulomb_force = 0.1,
                      .static_force = 0.2,
                      .stribeck_velocity = 0.3};

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
void expect_derivatives(const std::string& law, const Rolled& r, FitOptions o, double tolerance) {
  const FitProblem problem = make_problem(law, {track(r.record), track(r.record)}, o);
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

TEST(FitOfMotion, IsSolvedWithTheWholeNormalMatrix) {
  const Rolled r = pushed(lugre, {.end = 0.8, .samples = 201});
  const FitProblem problem = make_problem("lugre", {track(r.record)}, rolling(r));
  NormalEquations e;
  fit_cost(problem, problem.start(), &e);
  for (int i = 0; i < e.n; ++i)
    for (int j = 0; j < e.n; ++j) EXPECT_EQ(e.at(i, j), e.at(j, i)) << i << " " << j;
}

// A guess that is wrong by half: forces too small, the others too large and too small in turn.
FitOptions guessing(const std::map<std::string, double>& values, FitOptions o) {
  int k = 0;
  for (const auto& [name, value] : values) {
    const bool force = name.ends_with("force") || name.ends_with("coefficient");
    o.guess[name] = value * (!force && k++ % 2 == 0 ? 1.5 : 1.0 / 1.5);
  }
  return o;
}

// Within four standard deviations each, and the noise is what is left. The steps are fine enough
// that they do not count.
template <class L>
void recovers(const L& law, const Rolled& r, double noise, int steps) {
  std::map<std::string, double> values;
  for (const auto& [name, value] : truth(law))
    if (!name.starts_with("stribeck_exponent") && value != 0.0 && name.find("ratio") == name.npos &&
        name != "coefficient_velocity")
      values[name] = value;
  const auto f = fit(L::name, {track(blurred(r, noise, 7))}, guessing(values, rolling(r, steps)));
  EXPECT_TRUE(f.converged()) << f.message;
  EXPECT_NEAR(f.fitted.rmse, noise, 0.06 * noise) << r.mechanism << " " << L::name;
  EXPECT_LT(f.step_error, 0.1 * noise);
  EXPECT_TRUE(f.white);
  int fitted = 0;
  for (const auto& p : f.parameters) {
    if (!p.free) continue;
    ++fitted;
    EXPECT_NEAR(p.value, values.at(p.name), 4.0 * p.deviation)
        << L::name << " " << p.name << " on " << r.mechanism;
    EXPECT_TRUE(p.determined) << L::name << " " << p.name << " on " << r.mechanism;
  }
  EXPECT_EQ(fitted, 6);
  EXPECT_LT(f.fitted.rmse, 0.02 * f.coulomb.rmse);
}

TEST(FitOfMotion, RecoversLuGreFromStickSlip) { recovers(lugre, dragged(lugre), 1e-5, 4); }
TEST(FitOfMotion, RecoversFrbdFromStickSlip) { recovers(frbd, dragged(frbd), 1e-5, 4); }
TEST(FitOfMotion, RecoversLuGreFromAMassOnAWallSpring) { recovers(lugre, pushed(lugre), 1e-5, 8); }
TEST(FitOfMotion, RecoversFrbdFromAMassOnAWallSpring) { recovers(frbd, pushed(frbd), 1e-5, 8); }
TEST(FitOfMotion, RecoversLuGreFromAValve) { recovers(packing, commanded(packing), 1e-6, 4); }
TEST(FitOfMotion, RecoversFrbdFromAValve) { recovers(graphite, commanded(graphite), 1e-6, 4); }

TEST(FitOfMotion, RecoversLuGreFromAPendulum) { recovers(bearing, swung(bearing), 1e-4, 4); }

// Without a guess: four draws of noise and of starts each.
TEST(FitOfMotion, FindsStickSlipWithoutAGuess) {
  const Rolled r = dragged(lugre);
  for (unsigned seed = 1; seed <= 4; ++seed) {
    FitOptions o = rolling(r);
    o.seed = seed;
    const auto f = fit("lugre", {track(blurred(r, 1e-5, 100 + seed))}, o);
    EXPECT_TRUE(f.converged()) << f.message;
    EXPECT_NEAR(f.fitted.rmse, 1e-5, 6e-7) << seed;
    for (const auto& p : f.parameters)
      if (p.free) {
        EXPECT_NEAR(p.value, truth(lugre).at(p.name), 4.0 * p.deviation) << p.name;
      }
  }
}

// Of 300 draws 95 % are 285 +- 3.8: four standard deviations to each side. The seeds are fixed.
TEST(FitOfMotion, HasIntervalsThatCoverTheTruth) {
  const Rolled r = pushed(lugre, {.end = 1.5, .samples = 376});
  const auto values = truth(lugre);
  std::map<std::string, int> inside;
  constexpr int repetitions = 300;
  for (unsigned k = 0; k < repetitions; ++k) {
    FitOptions o = rolling(r, 16);
    o.starts = 0, o.threads = 1;
    o.guess = values;
    const auto f = fit("lugre", {track(blurred(r, 2e-5, 100 + k))}, o);
    ASSERT_TRUE(f.converged()) << k << ": " << f.message;
    for (const auto& p : f.parameters)
      if (p.free) inside[p.name] += values.at(p.name) >= p.lower && values.at(p.name) <= p.upper;
  }
  for (const auto& [name, count] : inside) {
    EXPECT_GE(count, 270) << name;
    EXPECT_LE(count, 300) << name;
  }
}

TEST(FitOfMotion, FindsMassAndSpringBesideTheLaw) {
  const Rolled r = pushed(lugre);
  FitOptions o = guessing(truth(lugre), rolling(r, 8));
  o.values = {{"stribeck_exponent", 2.0}};
  o.rollout.values.clear();
  o.free = {"mechanism.mass", "mechanism.spring"};
  o.guess["mechanism.mass"] = 1.15, o.guess["mechanism.spring"] = 90.0;
  const auto f = fit("lugre", {track(blurred(r, 1e-5, 3))}, o);
  EXPECT_TRUE(f.converged()) << f.message;
  EXPECT_NEAR(f.fitted.rmse, 1e-5, 6e-7);
  const auto deviation = [&](std::string_view name) {
    return std::ranges::find(f.parameters, name, &FittedParameter::name)->deviation;
  };
  EXPECT_NEAR(f.of("mechanism.mass"), 1.0, 4.0 * deviation("mechanism.mass"));
  EXPECT_NEAR(f.of("mechanism.spring"), 100.0, 4.0 * deviation("mechanism.spring"));
  EXPECT_NEAR(std::get<double>(f.mechanism.at("mass")), 1.0, 0.01);
}

// What a constant beside the friction is in place of: an input that is shifted.
TEST(FitOfMotion, FindsAConstantBesideTheFriction) {
  Rolled r = pushed(lugre);
  for (double& u : r.record.input) u += 0.3;
  FitOptions o = rolling(r, 8);
  o.offset = true;
  o.starts = 0;
  o.guess = truth(lugre);
  const auto f = fit("lugre", {track(blurred(r, 1e-5, 3))}, o);
  EXPECT_NEAR(f.of("offset"), 0.3, 0.002);
}

TEST(FitOfMotion, WarnsOfStepsThatAreTooLong) {
  const Rolled r = pushed(lugre, {.end = 3.0, .samples = 301});
  FitOptions o = rolling(r, 1);
  o.starts = 0;
  o.guess = truth(lugre);
  const Track run = track(blurred(r, 1e-6, 3));
  const auto coarse = fit("lugre", {run}, o);
  EXPECT_GT(coarse.step_error, 0.1 * coarse.fitted.rmse);
  EXPECT_NE(all_of(coarse.warnings).find("the steps of the rollout are too long"),
            std::string::npos);
  o.rollout.steps = 128;
  const auto fine = fit("lugre", {run}, o);
  EXPECT_LT(fine.step_error, 0.1 * fine.fitted.rmse);
  EXPECT_EQ(all_of(fine.warnings).find("the steps of the rollout are too long"), std::string::npos);
  EXPECT_EQ(fine.step_error, rollout_step_error(fine.problem, fine.x));
}

// A held-out run starts from its first position as measured, noise and all, and is never looked at.
TEST(FitOfMotion, PredictsARunThatWasHeldOut) {
  Record first = blurred(pushed(lugre), 1e-5, 1);
  WallSpringMass m{.mass = 1.0, .spring = 100.0};
  const Times times{.end = 2.0, .samples = 1001};
  m.signal = sampled([](double t) { return 5.0 * std::sin(3.0 * t); }, times);
  const Rolled other = rolled(lugre, m, times);
  Record second = blurred(other, 1e-5, 2);
  first.name = "first", second.name = "second";
  second.velocity = other.velocity;
  FitOptions o = rolling(other, 8);
  o.starts = 0;
  o.guess = truth(lugre);
  o.hold_out_runs = {"second"};
  const auto f = fit("lugre", {track(first), track(second)}, o);
  EXPECT_EQ(f.fitted.samples, 1501);
  EXPECT_EQ(f.held_out.samples, 1001);
  EXPECT_NEAR(f.fitted.rmse, 1e-5, 6e-7);
  EXPECT_LT(f.held_out.rmse, 3e-5);
  EXPECT_LT(f.held_out.rmse, 0.01 * f.coulomb.rmse);
}

TEST(FitOfMotion, SaysInASentenceWhatIsWrong) {
  const Rolled r = dragged(lugre, {.end = 0.2, .samples = 101});
  const auto refusal = [&](std::string_view law, const Record& record,
                           const FitOptions& o) -> std::string {
    try {
      fit(law, {track(record)}, o);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  FitOptions o = rolling(r);
  o.rollout.mechanism = "draged_mass";
  says(refusal("lugre", r.record, o), "did you mean 'dragged_mass'?");
  says(refusal("elasto_plastic", r.record, rolling(r)),
       "elasto_plastic cannot be fitted to motion, only to force");
  o = rolling(r);
  o.free = {"mechanism.load"};
  says(refusal("lugre", r.record, o), "mechanism.load cannot be fitted");
  o.free = {"mechanism.spting"};
  says(refusal("lugre", r.record, o), "did you mean 'mechanism.spring'?");
  o = rolling(r);
  o.rollout.values["drag_velocity"] = 1.0;
  says(refusal("lugre", r.record, o), "drag_velocity has no part in a fit");
  o = rolling(r);
  o.rollout.values["mass"] = -1.0;
  says(refusal("lugre", r.record, o), "mass = -1 kg is not allowed");
  Record late = r.record;
  late.input.erase(late.input.begin(), late.input.begin() + 10);
  late.input_time.erase(late.input_time.begin(), late.input_time.begin() + 10);
  says(refusal("lugre", late, rolling(r)),
       "the input is given from 0.27 to 0.45 s, which does not cover the motion from 0.25 to 0.45 "
       "s");
  late.input.clear();
  says(refusal("lugre", late, rolling(r)), "the input has 0 values");
}

}  // namespace
}  // namespace bristle
