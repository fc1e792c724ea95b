// SPDX-License-Identifier: MIT
// Fits of motion under an input: known parameters found again, intervals, refusals.
#include <algorithm>

#include "bristle/model/registry.hpp"
#include "bristle/model/stribeck.hpp"
#include "close.hpp"
#include "identify/rollout_data.hpp"

namespace bristle::fit_of_motion_test {
namespace {

using namespace test;

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
  EXPECT_EQ(fitted, int(values.size()));
  EXPECT_LT(f.fitted.rmse, 0.02 * f.coulomb.rmse);
}

TEST(FitOfMotion, RecoversLuGreFromStickSlip) { recovers(lugre, dragged(lugre), 1e-5, 4); }
TEST(FitOfMotion, RecoversFrbdFromStickSlip) { recovers(frbd, dragged(frbd), 1e-5, 4); }
TEST(FitOfMotion, RecoversLuGreFromAMassOnAWallSpring) { recovers(lugre, pushed(lugre), 1e-5, 8); }
TEST(FitOfMotion, RecoversFrbdFromAMassOnAWallSpring) { recovers(frbd, pushed(frbd), 1e-5, 8); }
TEST(FitOfMotion, RecoversElastoPlasticFromAMassOnAWallSpring) {
  recovers(knee, pushed(knee), 1e-5, 8);
}
TEST(FitOfMotion, RecoversLuGreFromAValve) { recovers(packing, commanded(packing), 1e-6, 4); }
TEST(FitOfMotion, RecoversFrbdFromAValve) { recovers(graphite, commanded(graphite), 1e-6, 4); }

TEST(FitOfMotion, RecoversLuGreFromAPendulum) { recovers(bearing, swung(bearing), 1e-4, 4); }

TEST(FitOfMotion, GivesTheUnitsOfABearing) {
  const Rolled r = swung(bearing, {.end = 1.0, .samples = 201});
  FitOptions o = rolling(r);
  o.starts = 0;
  o.guess = truth(bearing);
  const auto f = fit("lugre", {track(r.record)}, o);
  EXPECT_EQ(f.problem.measured_unit(), "rad");
  std::map<std::string, std::string> units;
  for (const auto& p : f.parameters) units[p.name] = p.unit;
  EXPECT_EQ(units.at("stiffness"), "N m/rad");
  EXPECT_EQ(units.at("damping"), "N m s/rad");
  EXPECT_EQ(units.at("coulomb_force"), "N m");
  EXPECT_EQ(units.at("stribeck_velocity"), "rad/s");
  EXPECT_EQ(units.at("mechanism.inertia"), "kg m2");
  const DataUnits bearings{"N m", "rad"};
  EXPECT_EQ(bearings.of("1/m"), "1/rad");
  EXPECT_EQ(bearings.of("(s/m)^exponent"), "(s/rad)^exponent");
  EXPECT_EQ(bearings.of("N m s/rad"), "N m s/rad");
}

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

TEST(FitOfMotion, TakesEveryLawThatCanBeFittedAndHasNoSignedLoad) {
  const auto rolled = rolled_laws();
  EXPECT_GT(rolled.size(), 8u);
  for (const LawEntry& entry : laws()) {
    const auto law = entry.make({});
    const auto fitted = fitted_laws();
    const bool can = std::find(fitted.begin(), fitted.end(), law->name()) != fitted.end() &&
                     law->single() && !law->signed_load();
    EXPECT_EQ(std::find(rolled.begin(), rolled.end(), law->name()) != rolled.end(), can)
        << law->name();
  }
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
  says(refusal("gear_friction", r.record, rolling(r)),
       "gear_friction cannot be fitted to motion");
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
}  // namespace bristle::fit_of_motion_test
