// SPDX-License-Identifier: MIT
// Parameters that are functions of a measured column.
#include "bristle/identify/dependence.hpp"

#include <gtest/gtest.h>

#include "bristle/identify/fit.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/load_dependence.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/model/stribeck.hpp"
#include "identify/simulated.hpp"

namespace bristle::dependence_test {
namespace {

const FittedParameter& parameter(const FitSummary& f, const std::string& name) {
  for (const auto& p : f.parameters)
    if (p.name == name) return p;
  throw InvalidInput(name, "no such parameter");
}

void expect_found(const FitSummary& f, const std::string& name, double truth) {
  const FittedParameter& p = parameter(f, name);
  EXPECT_LT(std::abs(p.value - truth), 3.5 * p.deviation + 1e-9) << name << " " << p.value;
  EXPECT_GT(p.deviation, 0.0) << name;
}

// A Dahl law whose Coulomb force falls as it grows warm: 1 N at 40 degrees, 5 mN less per degree.
Record warm_record(unsigned seed) {
  Record r = test::motion({.duration = 6.0});
  std::vector<double> temperature;
  double z = 0.0;
  for (std::size_t i = 0; i < r.time.size(); ++i) {
    temperature.push_back(20.0 + 40.0 * double(i) / double(r.time.size()));
    const Dahl<> law{.stiffness = 1e4, .coulomb_force = 1.0 - 5e-3 * (temperature.back() - 40.0)};
    const Motion<double> now{0.0, r.velocity[i], 1.0, r.time[i]};
    Motion<double> middle = now;
    if (i > 0) {
      middle.velocity = 0.5 * (r.velocity[i] + r.velocity[i - 1]);
      z = advance(law, z, middle, r.time[i] - r.time[i - 1]);
    }
    r.force.push_back(force(law, z, now));
  }
  r.others = {temperature};
  return test::noisy(r, 0.01, seed);
}

FitOptions by_temperature(const std::string& parameter, DependenceForm form) {
  FitOptions o{.starts = 32};
  o.conditions = {{"temperature", "degC"}};
  o.depends = {{parameter, "temperature", form}};
  return o;
}

TEST(Dependence, OfAForceOnTheTemperatureIsFoundAgain) {
  const auto f = fit("dahl", {prepare(warm_record(1))},
                     by_temperature("coulomb_force", DependenceForm::linear));
  ASSERT_TRUE(f.converged()) << f.message;
  ASSERT_EQ(f.problem.depends.size(), 1u);
  EXPECT_EQ(f.problem.depends[0].reference, 40.0);
  expect_found(f, "coulomb_force", 1.0);
  expect_found(f, "coulomb_force.temperature", -5e-3);
  expect_found(f, "stiffness", 1e4);
  EXPECT_EQ(parameter(f, "coulomb_force.temperature").unit, "N/degC");
  EXPECT_NEAR(f.fitted.rmse, 0.01, 5e-4);
  EXPECT_GT(fit("dahl", {prepare(warm_record(1))}, {.starts = 32}).fitted.rmse, 0.03);
}

// Points of a map at three temperatures.
Record warm_map(const std::function<Stribeck<>(double)>& law_at, unsigned seed) {
  Record r{.name = "map"};
  std::vector<double> temperature;
  for (const double t : {20.0, 40.0, 50.0, 70.0})
    for (int i = 1; i <= 40; ++i)
      for (const double sign : {-1.0, 1.0}) {
        const double v = sign * 2e-3 * i;
        r.velocity.push_back(v), temperature.push_back(t);
        r.force.push_back(steady_force(law_at(t), Motion<double>{0.0, v, 1.0, 0.0}));
      }
  r.others = {temperature};
  return test::noisy(r, 2e-3, seed);
}

TEST(Dependence, MayBeExponentialOrQuadratic) {
  const auto thin = [](double t) {
    return Stribeck<>{.coulomb_force = 0.5,
                      .static_force = 0.9,
                      .stribeck_velocity = 0.01,
                      .viscous = 8.0 * std::exp(-0.03 * (t - 40.0))};
  };
  FitOptions o = by_temperature("viscous", DependenceForm::exponential);
  o.steady = true;
  const auto exponential = fit("stribeck", {prepare(warm_map(thin, 2), {.steady = true})}, o);
  ASSERT_TRUE(exponential.converged()) << exponential.message;
  EXPECT_NEAR(exponential.problem.depends[0].reference, 40.0, 10.0);
  expect_found(exponential, "viscous.temperature", -0.03);
  EXPECT_EQ(parameter(exponential, "viscous.temperature").unit, "1/degC");

  const auto bowl = [](double t) {
    const double u = t - 40.0;
    return Stribeck<>{.coulomb_force = 0.5 + 2e-3 * u + 2e-4 * u * u,
                      .static_force = 0.9 + 2e-3 * u + 2e-4 * u * u,
                      .stribeck_velocity = 0.01,
                      .viscous = 2.0};
  };
  o.depends = {{"coulomb_force", "temperature", DependenceForm::quadratic}};
  const auto quadratic = fit("stribeck", {prepare(warm_map(bowl, 3), {.steady = true})}, o);
  ASSERT_TRUE(quadratic.converged()) << quadratic.message;
  expect_found(quadratic, "coulomb_force.temperature^2", 2e-4);
  // The static force follows: it is counted from the Coulomb force.
  EXPECT_NEAR(quadratic.fitted.rmse, 2e-3, 2e-4);
}

TEST(Dependence, ThatIsAbsentIsReportedAsAbsent) {
  Record r = test::motion();
  test::add_force(r, Dahl<>{.stiffness = 1e4, .coulomb_force = 1.0});
  r.others = {std::vector<double>(r.time.size())};
  for (std::size_t i = 0; i < r.time.size(); ++i) r.others[0][i] = 20.0 + 0.01 * double(i);
  const auto f = fit("dahl", {prepare(test::noisy(r, 0.02, 4))},
                     by_temperature("coulomb_force", DependenceForm::linear));
  EXPECT_NE(test::all_of(f.warnings)
                .find("the data show no dependence of coulomb_force on "
                      "temperature: the 95 % interval"),
            std::string::npos)
      << test::all_of(f.warnings);
}

std::string refusal(const std::string& law, const Record& r, const FitOptions& o) {
  try {
    fit(law, {prepare(r)}, o);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Dependence, OfSomethingElseIsRefused) {
  const Record r = warm_record(1);
  const auto linear = DependenceForm::linear;
  EXPECT_NE(refusal("dahl", r, by_temperature("coulomb_farce", linear)).find("coulomb_force"),
            std::string::npos);
  EXPECT_NE(refusal("dahl", r, by_temperature("offset", linear)).find("add --offset"),
            std::string::npos);
  EXPECT_NE(refusal("degrading_bouc_wen", r, by_temperature("stiffness", linear))
                .find("depend on no column"),
            std::string::npos);
  FitOptions o = by_temperature("coulomb_force", linear);
  o.depends[0].column = "temperatur";
  EXPECT_NE(refusal("dahl", r, o).find("did you mean 'temperature'"), std::string::npos)
      << refusal("dahl", r, o);
  o = by_temperature("coulomb_force", linear);
  o.depends.push_back(o.depends[0]);
  EXPECT_NE(refusal("dahl", r, o).find("twice"), std::string::npos);
  Record cold = r;
  cold.others[0].assign(r.time.size(), 20.0);
  EXPECT_NE(refusal("dahl", cold, by_temperature("coulomb_force", linear))
                .find("temperature is 20 degC in all fitted samples"),
            std::string::npos);
  EXPECT_THROW(dependence_form("linaer"), InvalidInput);
}

// Two runs, the column at 1 and at 3, with the law as it stands by default.
FitProblem two_levels(const std::string& law, const Values& values, bool depends) {
  Record one = test::motion({.duration = 1.0});
  one.force.assign(one.time.size(), 0.0), one.force[0] = 1.0;
  one.others = {std::vector<double>(one.time.size(), 1.0)};
  Record two = one;
  two.name = "two", two.others[0].assign(one.time.size(), 3.0);
  FitOptions o{.values = values};
  o.conditions = {{"c", ""}};
  if (depends) o.depends = {{"force", "c", DependenceForm::linear}};
  FitProblem problem = make_problem(law, {prepare(one), prepare(two)}, o);
  for (FitParameter& p : problem.parameters) p.free = false;
  if (depends) problem.parameters[std::size_t(problem.depends[0].first)].value = 0.3;
  return problem;
}

TEST(Dependence, OfTheWholeForceIsThatOfAllParametersInProportionToIt) {
  for (const std::string& law : fitted_laws()) {
    if (depends_on_load(law) || law == "degrading_bouc_wen") continue;
    Values values;
    for (const FieldInfo& field : find_law(law).description.fields)
      if (field.choices.empty()) values[field.name] = field.default_value;
    const FitProblem problem = two_levels(law, values, true);
    const std::vector<double> x(problem.start());
    const auto both = fit_predict(problem, x);
    for (const int k : {0, 1}) {
      const std::vector<LawDependence> depends{
          {"force", "c", "", DependenceForm::linear, 2.0, {0.3}}};
      const Values scaled = values_at(law, values, depends, {}, {{"c", k == 0 ? 1.0 : 3.0}});
      const auto alone = fit_predict(two_levels(law, scaled, false), x);
      double size = 0.0;
      for (const double f : alone[std::size_t(k)]) size = std::max(size, std::abs(f));
      EXPECT_GT(size, 0.0) << law;
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], 0.0);
      for (std::size_t i = 0; i < alone[0].size(); ++i)
        ASSERT_NEAR(both[std::size_t(k)][i], alone[std::size_t(k)][i], 1e-9 * size)
            << law << " sample " << i;
    }
  }
}

}  // namespace
}  // namespace bristle::dependence_test
