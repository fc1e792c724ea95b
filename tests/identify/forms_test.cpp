// SPDX-License-Identifier: MIT
// What a fit says of options it was not given, and how laws are ranked.
#include <gtest/gtest.h>

#include "bristle/identify/compare.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/lugre.hpp"
#include "identify/simulated.hpp"

namespace bristle::forms_test {
namespace {

using test::all_of;

Record dahl_record(double offset, double asymmetry, unsigned seed, double duration = 3.0) {
  Record r = test::motion({.duration = duration});
  test::add_force(r, Dahl<>{.stiffness = 1e4, .coulomb_force = 1.0});
  for (double& f : r.force) f = offset + f * (1.0 + (f > 0.0 ? asymmetry : -asymmetry));
  return test::noisy(r, 0.02, seed);
}

TEST(FormsTried, AreNamedWhereOneHalvesTheError) {
  const FitOptions o{.starts = 32};
  const auto offset = fit("dahl", {prepare(dahl_record(0.4, 0.0, 1))}, o);
  EXPECT_NE(all_of(offset.warnings).find("a constant beside the force would reduce the error from"),
            std::string::npos)
      << all_of(offset.warnings);
  EXPECT_NE(all_of(offset.warnings).find("try --offset\n"), std::string::npos);
  const auto both = fit("dahl", {prepare(dahl_record(0.4, 0.3, 1))}, o);
  EXPECT_NE(all_of(both.warnings).find("try --offset"), std::string::npos);
  const auto none = fit("dahl", {prepare(dahl_record(0.0, 0.0, 1))}, o);
  EXPECT_EQ(all_of(none.warnings).find("try --"), std::string::npos) << all_of(none.warnings);
  // The error that is promised is the one that comes out.
  FitOptions with = o;
  with.offset = true;
  EXPECT_NEAR(fit("dahl", {prepare(dahl_record(0.4, 0.0, 1))}, with).fitted.rmse,
              offset.tried[0].error, 1e-4);
}

// What is said to help of forces along a motion that both slides and bends.
std::string advice(const Record& record, const char* law = "dahl", FitOptions o = {.starts = 32}) {
  const std::string all = all_of(fit(law, {prepare(record)}, o).warnings);
  const auto at = all.find(": try ");
  return at == all.npos ? "" : all.substr(at + 6, all.find('\n', at) - at - 6);
}

TEST(FormsTried, OfSeveralThatHelpTheSimplestNearTheBestIsNamed) {
  // A constant makes up for a part of an asymmetry, and for more than half of the error.
  EXPECT_EQ(advice(dahl_record(0.0, 0.6, 1)), "--asymmetric");
  EXPECT_EQ(advice(dahl_record(0.4, 0.0, 1)), "--offset");
  EXPECT_EQ(advice(dahl_record(0.4, 0.3, 1)), "--offset --asymmetric");
}

TEST(FormsTried, NameMechanicsBesideTheFriction) {
  Record r = dahl_record(0.0, 0.0, 2);
  for (std::size_t i = 1; i + 1 < r.force.size(); ++i)
    r.force[i] += 3.0 * (r.velocity[i + 1] - r.velocity[i - 1]) / (r.time[i + 1] - r.time[i - 1]);
  EXPECT_EQ(advice(r), "--terms inertia,offset,viscous,friction");
  // A negative inertia would be a spring.
  for (std::size_t i = 1; i + 1 < r.force.size(); ++i)
    r.force[i] -= 6.0 * (r.velocity[i + 1] - r.velocity[i - 1]) / (r.time[i + 1] - r.time[i - 1]);
  EXPECT_EQ(advice(r).find("inertia"), std::string::npos);
  Record damped = dahl_record(0.0, 0.0, 2);
  for (std::size_t i = 0; i < damped.force.size(); ++i)
    damped.force[i] += 80.0 * damped.velocity[i];
  EXPECT_EQ(advice(damped), "--terms viscous,friction");
}

TEST(FormsTried, NameADelayOfTheForce) {
  for (const int late : {12, -12}) {
    Record r = test::motion({.duration = 3.0, .fast_rate = 20.0});
    test::add_force(r, Dahl<>{.stiffness = 1e4, .coulomb_force = 1.0});
    r = test::noisy(r, 0.02, 3);
    const auto force = r.force;
    for (int i = 0; i < int(force.size()); ++i)
      r.force[std::size_t(i)] = force[std::size_t(std::clamp(i - late, 0, int(force.size()) - 1))];
    EXPECT_EQ(advice(r), "--delay auto") << late;
  }
}

TEST(Fit, GivesTheErrorOfEveryRun) {
  Record one = dahl_record(0.0, 0.0, 1), two = dahl_record(0.0, 0.0, 2);
  one.name = "one", two.name = "two";
  const auto f =
      fit("dahl", {prepare(one), prepare(two)}, {.starts = 32, .hold_out_runs = {"two"}});
  ASSERT_EQ(f.runs.size(), 2u);
  EXPECT_EQ(f.runs[0].run, "one");
  EXPECT_EQ(f.runs[0].held_out.samples, 0);
  EXPECT_EQ(f.runs[0].fitted.rmse, f.fitted.rmse);
  EXPECT_EQ(f.runs[1].held_out.rmse, f.held_out.rmse);
}

CompareOptions three_laws() {
  CompareOptions o;
  o.laws = {"coulomb", "dahl", "lugre"};
  o.fit.starts = 32, o.fit.refined = 4;
  return o;
}

TEST(Comparison, RanksFormsBesideTheLaws) {
  CompareOptions o = three_laws();
  o.forms = true;
  const Comparison c = compare({prepare(dahl_record(0.4, 0.0, 3))}, o);
  // Three forms of each law, and backlash of the two with a state.
  ASSERT_EQ(c.ranking.size(), 14u);
  EXPECT_NE(c.ranking.front().form.find("offset"), std::string::npos) << c.ranking.front().name();
  // LuGre holds Dahl: it can only be as good, with more parameters.
  EXPECT_EQ(c.ranking[c.simplest].name(), "dahl + offset");
  EXPECT_LE(c.ranking[c.simplest].fit.held_out.rmse,
            c.ranking.front().fit.held_out.rmse + c.ranking.front().error_deviation);
}

TEST(Comparison, NestedJudgesTheWinnerOnWhatItWasNotChosenBy) {
  CompareOptions o = three_laws();
  o.folds = 3;
  const Comparison c = compare({prepare(dahl_record(0.0, 0.0, 4))}, o);
  ASSERT_EQ(c.folds.size(), 3u);
  EXPECT_EQ(c.folds[1].held_out, "simulated, part 2 of 3");
  for (const Fold& f : c.folds) EXPECT_NE(f.winner, "coulomb");
  // The noise of the force, 0.02, to within four standard errors of 1500 samples.
  EXPECT_NEAR(c.nested_error, 0.02, 0.0015);
}

TEST(Comparison, NestedTakesWholeRunsIfThereAreEnough) {
  CompareOptions o = three_laws();
  o.folds = 2;
  Record one = dahl_record(0.0, 0.0, 1), two = dahl_record(0.0, 0.0, 2);
  one.name = "one", two.name = "two";
  const Comparison c = compare({prepare(one), prepare(two)}, o);
  ASSERT_EQ(c.folds.size(), 2u);
  EXPECT_EQ(c.folds[0].held_out, "one");
}

}  // namespace
}  // namespace bristle::forms_test
