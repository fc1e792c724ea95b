// SPDX-License-Identifier: MIT
// Fits of data with known parameters: intervals, minima, warnings.
#include "bristle/identify/fit.hpp"

#include <set>

#include "bristle/model/dahl.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/stribeck.hpp"
#include "close.hpp"
#include "identify/simulated.hpp"

namespace bristle::fit_test {
namespace {

using test::add_force;
using test::all_of;
using test::motion;
using test::noisy;
using test::truth;

const LuGre<> lugre{.stiffness = 1e4,
                    .damping = 30.0,
                    .viscous = 4.0,
                    .coulomb_force = 1.0,
                    .static_force = 1.5,
                    .stribeck_velocity = 0.002};
const FrBD<> frbd{.stiffness = 1e4,
                  .damping = 30.0,
                  .viscous = 4.0,
                  .dynamic_coefficient = 1.0,
                  .static_coefficient = 1.5,
                  .stribeck_velocity = 0.002};
const Stribeck<> stribeck{
    .coulomb_force = 1.0, .static_force = 1.5, .stribeck_velocity = 0.002, .viscous = 4.0};
const Dahl<> dahl{.stiffness = 1e4, .coulomb_force = 1.0};

template <class L>
Record data(const L& law, const test::Motions& m = {}) {
  Record r = motion(m);
  add_force(r, law);
  return r;
}

// Of 2000 repetitions an interval that covers in 95 % does so in 1900 +- 9.7: 93 to 97 % are four
// standard deviations to each side, enough for twenty parameters. The seeds are fixed.
template <class L>
void covers(const L& law) {
  const Record clean = data(law, {.duration = 2.0});
  const auto values = truth(law);
  std::map<std::string, int> inside;
  constexpr int repetitions = 2000;
  for (unsigned k = 0; k < repetitions; ++k) {
    FitOptions o{.starts = 0, .threads = 1};
    o.guess = values;
    const auto f = fit(L::name, {prepare(noisy(clean, 0.02, 1000 + k))}, o);
    ASSERT_TRUE(f.converged()) << k << ": " << f.message;
    for (const auto& p : f.parameters)
      if (p.free) inside[p.name] += values.at(p.name) >= p.lower && values.at(p.name) <= p.upper;
  }
  for (const auto& [name, count] : inside) {
    const double part = double(count) / repetitions;
    ::testing::Test::RecordProperty(name, std::to_string(part));
    EXPECT_GE(part, 0.93) << L::name << " " << name;
    EXPECT_LE(part, 0.97) << L::name << " " << name;
  }
}

TEST(Intervals, CoverTheTruthOfLuGreIn93To97Percent) { covers(lugre); }
TEST(Intervals, CoverTheTruthOfDahlIn93To97Percent) { covers(dahl); }
TEST(Intervals, CoverTheTruthOfStribeckIn93To97Percent) { covers(stribeck); }
TEST(Intervals, CoverTheTruthOfFrbdIn93To97Percent) { covers(frbd); }

// The sets of starts are shifted at random: at least 99 of 100 find the least minimum.
template <class L>
void finds_the_optimum(const L& law) {
  const Record clean = data(law, {.duration = 2.0});
  FitOptions from_truth{.starts = 0};
  from_truth.guess = truth(law);
  int found = 0;
  constexpr int trials = 100;
  for (unsigned k = 0; k < trials; ++k) {
    const std::vector<Track> runs{prepare(noisy(clean, 0.02, 5000 + k))};
    const double best = fit(L::name, runs, from_truth).fitted.rmse;
    const auto f = fit(L::name, runs, {.seed = k});
    found += f.fitted.rmse <= best * (1.0 + 1e-6);
    if (f.fitted.rmse > best * (1.0 + 1e-6))
      std::printf("  %s: seed %u ends at %.6g in place of %.6g N\n", std::string(L::name).c_str(),
                  k, f.fitted.rmse, best);
  }
  EXPECT_GE(found, 99) << L::name;
}

TEST(RandomStarts, FindTheOptimumOfLuGre) { finds_the_optimum(lugre); }
TEST(RandomStarts, FindTheOptimumOfFrbd) { finds_the_optimum(frbd); }
TEST(RandomStarts, FindTheOptimumOfDahl) { finds_the_optimum(dahl); }
TEST(RandomStarts, FindTheOptimumOfStribeck) { finds_the_optimum(stribeck); }

TEST(Derivatives, OfTheCostAreThoseOfDifferences) {
  Record r = noisy(data(lugre), 0.02, 3);
  for (const Loss loss : {Loss::squares, Loss::huber}) {
    FitOptions o{.offset = true, .asymmetric = true};
    o.values["viscous_form"] = std::string("in_curve");
    FitProblem problem = make_problem("lugre", {prepare(r), prepare(r)}, o);
    problem.loss = loss;
    problem.loss_scale = 0.1;
    auto x = problem.start();
    const std::vector<double> moved{std::log(8e3),  40.0, 3.0,  std::log(0.9), std::log(1.4),
                                    std::log(3e-3), 0.05, 0.03, 0.2,           -0.3};
    ASSERT_EQ(x.size(), moved.size());
    NormalEquations e;
    const double cost = fit_cost(problem, moved, &e);
    EXPECT_TRUE(test::close(cost, fit_cost(problem, moved, nullptr), 1e-13));
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const auto along = [&](double value) {
        auto there = moved;
        there[i] = value;
        return fit_cost(problem, there, nullptr);
      };
      const double h = 1e-5 * std::max(std::abs(moved[i]), 0.1);
      EXPECT_TRUE(test::close(e.gradient[i], test::central_difference(along, moved[i], h), 2e-6,
                              1e-3 * cost))
          << problem.unknowns() << " " << i;
    }
  }
}

TEST(Derivatives, AddUpToTheNormalEquations) {
  const FitProblem problem =
      make_problem("lugre", {prepare(noisy(data(lugre), 0.02, 3))}, {.offset = true});
  const std::vector<double> x{std::log(9e3),    33.0, 5.0, std::log(1.1), std::log(1.4),
                              std::log(2.2e-3), 0.05, 0.1};
  NormalEquations e;
  fit_cost(problem, x, &e);
  // The columns of J by differences of the predicted force.
  std::vector<std::vector<double>> columns;
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto below = x, above = x;
    const double h = 1e-6 * std::max(std::abs(x[i]), 0.1);
    below[i] -= h, above[i] += h;
    const auto low = fit_predict(problem, below)[0], high = fit_predict(problem, above)[0];
    columns.emplace_back();
    for (std::size_t k = 0; k < low.size(); ++k)
      columns.back().push_back((high[k] - low[k]) / (2.0 * h));
  }
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < columns[0].size(); ++k) sum += columns[i][k] * columns[j][k];
      const double scale = std::sqrt(e.at(int(i), int(i)) * e.at(int(j), int(j)));
      EXPECT_TRUE(test::close(e.at(int(i), int(j)), sum, 1e-6, scale)) << i << " " << j;
    }
}

TEST(Lanes, CostWhatASinglePassCosts) {
  for (const auto& law : fitted_laws()) {
    FitOptions o{.offset = true};
    FitProblem problem = make_problem(law, {prepare(noisy(data(lugre), 0.02, 4))}, o);
    test::Random random(9);
    const std::size_t n = std::size_t(problem.unknowns());
    std::vector<double> many, costs(7);
    for (int k = 0; k < 7; ++k) {
      for (const int i : problem.shared()) {
        const auto& p = problem.parameters[std::size_t(i)];
        many.push_back(random.uniform(p.search_from, p.search_to));
      }
      many.resize(std::size_t(k + 1) * n, 0.1);
    }
    fit_costs(problem, many, costs);
    for (std::size_t k = 0; k < 7; ++k) {
      const double one = fit_cost(problem, std::span(many).subspan(k * n, n), nullptr);
      EXPECT_TRUE(test::close(costs[k], one, 1e-9)) << law << " " << k;
    }
  }
}

// Two runs with samples held out inside and at the end, and some steps in several parts.
std::vector<Track> runs_with_gaps() {
  std::vector<Track> runs{prepare(noisy(data(lugre), 0.02, 5)),
                          prepare(noisy(data(frbd), 0.02, 6))};
  for (Track& run : runs)
    for (std::size_t i = 0; i < run.samples.size(); ++i) {
      Sample& s = run.samples[i];
      if (i % 7 == 3 || i > run.samples.size() - 50) s.weight = 0.0;
      if (i % 11 == 5) s.weight = 0.5;
      if (i % 5 == 2) s.steps = 3;
    }
  return runs;
}

TEST(Lanes, OfSamplesCostWhatThePredictionsMiss) {
  for (const auto& law : fitted_laws()) {
    const FitProblem problem =
        make_problem(law, runs_with_gaps(), {.offset = true, .asymmetric = true});
    test::Random random(11);
    std::vector<double> x;
    for (const int i : problem.shared()) {
      const auto& p = problem.parameters[std::size_t(i)];
      x.push_back(p.search_from + random.uniform(0.3, 0.7) * (p.search_to - p.search_from));
    }
    x.resize(std::size_t(problem.unknowns()), 0.2);
    const auto predicted = fit_predict(problem, x);
    double sum = 0.0;
    for (std::size_t k = 0; k < predicted.size(); ++k)
      for (std::size_t i = 0; i < predicted[k].size(); ++i) {
        const Sample& s = problem.runs[k].samples[i];
        sum += 0.5 * s.weight * std::pow(predicted[k][i] - s.force, 2);
      }
    NormalEquations e;
    EXPECT_TRUE(test::close(fit_cost(problem, x, nullptr), sum, 1e-9)) << law;
    EXPECT_TRUE(test::close(fit_cost(problem, x, &e), sum, 1e-9)) << law;
  }
}

// With so many unknowns that derivatives are no more carried in lanes, and with fewer.
TEST(Lanes, OfSamplesHaveTheDerivativesOfOneSampleAfterTheOther) {
  const auto runs = runs_with_gaps();
  for (const char* law : {"lugre", "frbd"}) {
    const FitOptions few{.offset = true};
    FitOptions many{.free = {"stribeck_exponent"}, .offset = true, .asymmetric = true};
    const FitProblem small = make_problem(law, runs, few), large = make_problem(law, runs, many);
    std::vector<double> x, y;
    std::vector<int> place;
    for (const int i : large.shared()) {
      const FitParameter& p = large.parameters[std::size_t(i)];
      const bool extra = p.name == "stribeck_exponent" || p.name == "asymmetry";
      const double part = 0.4 + 0.02 * double(y.size());
      y.push_back(!extra          ? p.search_from + part * (p.search_to - p.search_from)
                  : p.logarithmic ? std::log(p.value)
                                  : p.value);
      if (!extra) place.push_back(int(y.size()) - 1), x.push_back(y.back());
    }
    for (int k = 0; k < 2; ++k)
      place.push_back(int(y.size())), x.push_back(0.3 - k), y.push_back(0.3 - k);
    ASSERT_EQ(int(x.size()), small.unknowns());
    ASSERT_EQ(int(y.size()), large.unknowns());
    NormalEquations a, b;
    const double cost = fit_cost(small, x, &a);
    EXPECT_TRUE(test::close(cost, fit_cost(large, y, &b), 1e-12)) << law;
    for (int i = 0; i < a.n; ++i) {
      const int at = place[std::size_t(i)];
      EXPECT_TRUE(test::close(a.gradient[std::size_t(i)], b.gradient[std::size_t(at)], 1e-10,
                              std::sqrt(a.at(i, i) * cost)))
          << law << " " << i;
      for (int j = 0; j < a.n; ++j)
        EXPECT_TRUE(test::close(a.at(i, j), b.at(at, place[std::size_t(j)]), 1e-10,
                                std::sqrt(a.at(i, i) * a.at(j, j))))
            << law << " " << i << " " << j;
    }
  }
}

TEST(Fit, RecoversOffsetAndAsymmetry) {
  Record r = data(lugre);
  for (double& f : r.force) f = 0.3 + f * (f > 0.0 ? 1.1 : 0.9);
  const auto f = fit("lugre", {prepare(noisy(r, 0.01, 1))}, {.offset = true, .asymmetric = true});
  EXPECT_NEAR(f.of("offset"), 0.3, 0.01);
  EXPECT_NEAR(f.of("asymmetry"), 0.1, 0.01);
  EXPECT_NEAR(f.of("coulomb_force"), 1.0, 0.02);
}

TEST(Fit, GivesTheSameResultForSeveralRunsWithTheirOwnStarts) {
  Record first = noisy(data(lugre), 0.01, 1), second = noisy(data(lugre), 0.01, 2);
  first.name = "first", second.name = "second";
  // The second run begins in the middle, with bristles bent.
  for (auto* column : {&second.time, &second.velocity, &second.force})
    column->erase(column->begin(), column->begin() + 300);
  const auto f = fit("lugre", {prepare(first), prepare(second)});
  EXPECT_TRUE(f.converged());
  EXPECT_NEAR(f.fitted.rmse, 0.01, 0.0005);
  EXPECT_NEAR(f.of("stiffness"), 1e4, 150.0);
}

TEST(Fit, HoldsOutRunsAndTheEndOfRuns) {
  Record first = noisy(data(lugre), 0.01, 1), second = noisy(data(lugre), 0.01, 2);
  first.name = "first", second.name = "second";
  const std::vector<Track> runs{prepare(first), prepare(second)};
  const auto by_run = fit("lugre", runs, {.starts = 64, .hold_out_runs = {"second"}});
  EXPECT_EQ(by_run.held_out.samples, 2000);
  EXPECT_EQ(by_run.fitted.samples, 2000);
  EXPECT_NEAR(by_run.held_out.rmse, 0.01, 0.001);
  EXPECT_LT(by_run.held_out.rmse, 0.05 * by_run.coulomb.rmse);
  const auto by_time = fit("lugre", runs, {.starts = 64, .hold_out = 0.25});
  EXPECT_EQ(by_time.held_out.samples, 1000);
  EXPECT_THROW(fit("lugre", runs, {.hold_out_runs = {"third"}}), InvalidInput);
}

TEST(Fit, OfASteadyMapFindsTheCurve) {
  Record r{.name = "map"};
  for (int i = -40; i <= 40; ++i)
    if (i != 0) r.velocity.push_back(std::copysign(1e-4 * std::pow(1.15, std::abs(i)), i));
  add_force(r, stribeck, true);
  const auto f = fit("stribeck", {prepare(noisy(r, 0.005, 1), {.steady = true})},
                     {.offset = true, .steady = true});
  EXPECT_TRUE(f.converged());
  EXPECT_NEAR(f.of("stribeck_velocity"), 0.002, 1e-4);
  EXPECT_NEAR(f.of("static_force"), 1.5, 0.01);
  // Fields of other curves stay as they are.
  for (const auto& p : f.parameters) {
    if (p.name == "decay" || p.name == "falling") {
      EXPECT_FALSE(p.free) << p.name;
    }
  }
}

TEST(Fit, IgnoresOutliersIfRobust) {
  Record r = noisy(data(lugre), 0.01, 1);
  for (std::size_t i = 7; i < r.force.size(); i += 41) r.force[i] += 3.0;
  const double plain = fit("lugre", {prepare(r)}).of("coulomb_force");
  const double robust = fit("lugre", {prepare(r)}, {.robust = true}).of("coulomb_force");
  EXPECT_GT(std::abs(plain - 1.0), 0.02);
  EXPECT_NEAR(robust, 1.0, 0.01);
}

TEST(Fit, RefusesWhatExcludesTheLaw) {
  Record r = data(lugre);
  for (double& v : r.velocity) v = std::abs(v) + 1e-4;
  const auto refusal = [&](const FitOptions& o) -> std::string {
    try {
      fit("lugre", {prepare(r)}, o);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal({}).find("the velocity never changes its sign"), std::string::npos);
  FitOptions crossed;
  crossed.bounds["stiffness"] = {2e4, 1e4};
  EXPECT_EQ(refusal(crossed),
            "the bounds of stiffness contradict each other: 20000 is more than 10000 N/m");
  // Bounds that the law does not allow, of parameters searched by their logarithm and by value.
  for (const auto& [name, limits, words] :
       {std::tuple{"stiffness", std::pair{-5.0, -1.0}, "it must be greater than 0 N/m"},
        {"stiffness", std::pair{-5.0, 0.0}, "it must be greater than 0 N/m"},
        {"damping", std::pair{-5.0, -1.0}, "it must be at least 0 N s/m"},
        {"damping", std::pair{NAN, 1.0}, "must be numbers"}}) {
    FitOptions wrong;
    wrong.bounds[name] = limits;
    EXPECT_NE(refusal(wrong).find(words), std::string::npos) << refusal(wrong);
  }
  FitOptions unknown;
  unknown.free = {"stifness"};
  EXPECT_NE(refusal(unknown).find("did you mean 'stiffness'"), std::string::npos);
}

TEST(Fit, DoesNotFitTheForceAfterAGapUntilItIsMetAgain) {
  Record r = noisy(data(lugre), 0.01, 1);
  const auto whole = fit("lugre", {prepare(r)}, {.starts = 64});
  // Without some stretches of 40 samples, in each of which the motion turns back.
  for (const long from : {1700L, 1100L, 430L})
    for (auto* column : {&r.time, &r.velocity, &r.force})
      column->erase(column->begin() + from, column->begin() + from + 40);
  const auto f = fit("lugre", {prepare(r)}, {.starts = 64});
  for (const char* name : {"stiffness", "coulomb_force", "static_force", "stribeck_velocity"})
    EXPECT_NEAR(f.of(name), whole.of(name), 0.02 * whole.of(name)) << name;
}

TEST(Fit, KeepsItsBestResultIfItDoesNotConverge) {
  FitOptions o{.starts = 0};
  o.solver.iterations = 2;
  const auto f = fit("lugre", {prepare(noisy(data(lugre), 0.02, 3))}, o);
  EXPECT_FALSE(f.converged());
  EXPECT_EQ(f.status, FitStatus::iterations_used_up);
  EXPECT_FALSE(f.values.empty());
  EXPECT_NE(all_of(f.warnings).find("did not converge"), std::string::npos);
}

// Samples too far apart to see any bristle bend.
TEST(FitWarnings, NameAStiffnessWithoutPresliding) {
  LuGre<> stiff = lugre;
  stiff.stiffness = 1e9;
  stiff.damping = 0.0;
  const auto f = fit("lugre", {prepare(noisy(data(stiff), 0.02, 3))});
  EXPECT_NE(all_of(f.warnings).find("stiffness is not determined by these data"), std::string::npos)
      << all_of(f.warnings);
  EXPECT_NE(all_of(f.warnings).find("of a reversal"), std::string::npos) << all_of(f.warnings);
}

TEST(FitWarnings, NameDataOfOneSpeed) {
  Record r = motion();
  for (double& v : r.velocity) v = v > 0.0 ? 0.01 : -0.01;
  add_force(r, lugre);
  const auto f = fit("lugre", {prepare(noisy(r, 0.02, 3))});
  const std::string said = all_of(f.warnings);
  EXPECT_NE(said.find("stribeck_velocity is not determined"), std::string::npos) << said;
  EXPECT_NE(said.find("one speed, 0.01 m/s"), std::string::npos) << said;
}

TEST(FitWarnings, NameALoadThatNeverChanges) {
  Record r = motion();
  r.load.assign(r.velocity.size(), 5.0);
  add_force(r, frbd);
  const auto f = fit("frbd", {prepare(noisy(r, 0.02, 3))});
  EXPECT_NE(all_of(f.warnings).find("the load is 5 N throughout"), std::string::npos);
  for (std::size_t i = 0; i < r.load.size(); ++i)
    r.load[i] = 5.0 + 2.0 * std::sin(0.01 * double(i));
  add_force(r, frbd);
  const auto g = fit("frbd", {prepare(noisy(r, 0.02, 3))});
  EXPECT_EQ(all_of(g.warnings).find("the load is"), std::string::npos);
}

TEST(FitWarnings, NameResidualsThatAreNotWhite) {
  Record r = data(lugre);
  for (std::size_t i = 0; i < r.force.size(); ++i) r.force[i] += 0.05 * std::sin(r.time[i] * 31.0);
  const auto f = fit("lugre", {prepare(noisy(r, 0.01, 3))});
  EXPECT_FALSE(f.white);
  EXPECT_GT(f.correlation_time, 3.0);
  EXPECT_TRUE(fit("lugre", {prepare(noisy(data(lugre), 0.01, 3))}).white);
}

TEST(Profile, MeetsTheIntervalOfAParameterThatIsNearlyLinear) {
  const auto f = fit("lugre", {prepare(noisy(data(lugre), 0.02, 3))});
  const Profile p = profile(f, "coulomb_force");
  for (const auto& q : f.parameters) {
    if (q.name != "coulomb_force") continue;
    EXPECT_NEAR(p.lower, q.lower, 0.1 * (q.upper - q.lower));
    EXPECT_NEAR(p.upper, q.upper, 0.1 * (q.upper - q.lower));
  }
  EXPECT_FALSE(p.open_below || p.open_above);
  EXPECT_THROW(profile(f, "nothing"), InvalidInput);
}

// Far above the Stribeck velocity any smaller one does as well.
TEST(Profile, IsOpenWhereTheDataSetNoLimit) {
  Record r{.name = "fast"};
  for (int i = 0; i < 100; ++i) r.velocity.push_back((i % 2 ? 1.0 : -1.0) * (0.05 + 5e-4 * i));
  add_force(r, stribeck, true);
  FitOptions o{.steady = true, .starts = 0};
  o.guess = {{"stribeck_velocity", 0.02}};
  o.values = {{"static_force", 1.5}, {"viscous", 4.0}};
  const auto f = fit("stribeck", {prepare(noisy(r, 0.02, 3), {.steady = true})}, o);
  const Profile p = profile(f, "stribeck_velocity");
  EXPECT_TRUE(p.open_below);
  EXPECT_FALSE(p.open_above);
}

}  // namespace
}  // namespace bristle::fit_test
