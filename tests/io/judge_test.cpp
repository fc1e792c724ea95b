// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bristle/io/runner.hpp"
#include "bristle/io/verdict_json.hpp"
#include "io/support.hpp"

namespace bristle::io::judge_test {
namespace {

using test::contains;
using test::TemporaryDirectory;

// The verdict on what a source says of the work done in case "ours", beside a case "other".
Verdict verdict_on(Expectation e, double ours, double other = 0.0) {
  Experiment experiment;
  experiment.key = "key";
  std::vector<CaseResult> results(2);
  for (const char* label : {"ours", "other"}) {
    Case c;
    c.label = label;
    c.mechanism = DraggedMass{};
    c.law = make_law("lugre");
    experiment.cases.push_back(c);
  }
  if (e.quantity.empty()) e.quantity = "work_in";
  if (e.key.empty()) e.key = e.quantity;
  experiment.cases[0].expectations.push_back(e);
  results[0].run.summary.ledger.work_in = ours;
  results[1].run.summary.ledger.work_in = other;
  const auto verdicts = judge(experiment, results);
  EXPECT_EQ(verdicts.size(), 1u);
  return verdicts.at(0);
}

Expectation value(double v, double tolerance, double within = 0.0) {
  Expectation e;
  e.kind = FactKind::document;
  e.value = v;
  e.tolerance = tolerance;
  e.within = within;
  return e;
}

Expectation bounded(const std::string& relation, double bound) {
  Expectation e;
  e.kind = FactKind::document;
  e.relation = relation;
  e.bound = bound;
  return e;
}

Expectation compared(const std::string& relation, double tolerance = 0.0) {
  Expectation e;
  e.kind = FactKind::document;
  e.relation = relation;
  e.other = "other";
  e.tolerance = tolerance;
  return e;
}

TEST(Judge, SaysWhyWhereThatIsKnown) {
  Expectation e = value(2.0, 1e-3);
  e.differs = "the printed spacing is twice what was used";
  const Verdict off = verdict_on(e, 1.0);
  EXPECT_EQ(off.verdict(), "not reproduced");
  EXPECT_EQ(off.differs, e.differs);
  EXPECT_FALSE(off.missed());
  const Verdict met = verdict_on(e, 2.0);
  EXPECT_EQ(met.verdict(), "reproduced");
  EXPECT_EQ(met.differs, "");
  EXPECT_TRUE(verdict_on(value(2.0, 1e-3), 1.0).missed());
}

TEST(Judge, MeetsAValueWithinARelativeTolerance) {
  EXPECT_EQ(verdict_on(value(200.0, 1e-2), 201.9).verdict(), "reproduced");
  EXPECT_EQ(verdict_on(value(200.0, 1e-2), 198.1).verdict(), "reproduced");
  EXPECT_EQ(verdict_on(value(200.0, 1e-2), 202.1).verdict(), "not reproduced");
  EXPECT_EQ(verdict_on(value(-200.0, 1e-2), -201.9).verdict(), "reproduced");
  EXPECT_EQ(verdict_on(value(200.0, 1e-2), -200.0).verdict(), "not reproduced");
}

TEST(Judge, MeetsAValueWithinAnAbsoluteDistance) {
  EXPECT_TRUE(verdict_on(value(0.0, 0.0, 1e-3), 0.9e-3).met());
  EXPECT_FALSE(verdict_on(value(0.0, 0.0, 1e-3), 1.1e-3).met());
}

TEST(Judge, MeetsABoundUpToTheBoundItself) {
  EXPECT_TRUE(verdict_on(bounded("at_most", 1.5), 1.5).met());
  EXPECT_FALSE(verdict_on(bounded("at_most", 1.5), 1.5000001).met());
  EXPECT_TRUE(verdict_on(bounded("at_least", 1.5), 1.5).met());
  EXPECT_FALSE(verdict_on(bounded("at_least", 1.5), 1.4999999).met());
}

TEST(Judge, ComparesWithAnotherCase) {
  EXPECT_TRUE(verdict_on(compared("like", 1e-2), 1.005, 1.0).met());
  EXPECT_FALSE(verdict_on(compared("like", 1e-2), 1.02, 1.0).met());
  EXPECT_TRUE(verdict_on(compared("unlike", 1e-2), 1.02, 1.0).met());
  EXPECT_FALSE(verdict_on(compared("unlike", 1e-2), 1.005, 1.0).met());
  EXPECT_TRUE(verdict_on(compared("less_than"), 1.0, 2.0).met());
  EXPECT_FALSE(verdict_on(compared("less_than"), 2.0, 2.0).met());
  EXPECT_TRUE(verdict_on(compared("more_than"), 2.0, 1.0).met());
  EXPECT_FALSE(verdict_on(compared("more_than"), 1.0, 1.0).met());
}

TEST(Judge, ComparesWords) {
  Expectation e;
  e.kind = FactKind::document;
  e.quantity = "stick_slip";
  e.is = "none";
  EXPECT_TRUE(verdict_on(e, 0.0).met());
  e.is = "exact";
  const Verdict v = verdict_on(e, 0.0);
  EXPECT_EQ(v.verdict(), "not reproduced");
  EXPECT_EQ(v.reference, "exact");
  EXPECT_EQ(v.ours, "none");
}

TEST(Judge, DoesNotTakeANumberForAWord) {
  Expectation e;
  e.is = "1";
  EXPECT_FALSE(verdict_on(e, 1.0).met());
}

TEST(Judge, SaysNotDefinedWhereAQuantityHasNoMeaning) {
  Expectation e = value(1.0, 1.0);
  e.quantity = "period";
  const Verdict v = verdict_on(e, 1.0);
  EXPECT_EQ(v.verdict(), "not defined");
  EXPECT_EQ(v.ours, "not defined");
  EXPECT_FALSE(v.met());
}

TEST(Judge, NanNeverCountsAsMet) {
  const double nan = std::nan("");
  for (const auto& e :
       {value(1.0, 1e-2), bounded("at_most", 1.0), bounded("at_least", 1.0), compared("like"),
        compared("unlike"), compared("less_than"), compared("more_than")}) {
    EXPECT_FALSE(verdict_on(e, nan, 1.0).met()) << e.relation;
    if (!e.other.empty()) {
      EXPECT_FALSE(verdict_on(e, 1.0, nan).met()) << e.relation;
    }
  }
}

TEST(Judge, NamesAChoiceInItsVerdict) {
  Expectation e = value(1.0, 1e-2);
  e.choice = "load 1 N";
  EXPECT_EQ(verdict_on(e, 1.0).verdict(), "reproduced with stated choice");
  EXPECT_TRUE(verdict_on(e, 1.0).met());
  EXPECT_EQ(verdict_on(e, 2.0).verdict(), "not reproduced");
}

TEST(Judge, SaysInWordsWhatTheSourceSays) {
  EXPECT_EQ(verdict_on(value(7.5, 1e-2), 1.0).reference, "7.5");
  EXPECT_EQ(verdict_on(bounded("at_most", 2.0), 1.0).reference, "at most 2");
  EXPECT_EQ(verdict_on(bounded("at_least", 2.0), 1.0).reference, "at least 2");
  EXPECT_EQ(verdict_on(compared("like"), 1.0).reference, "the same as other");
  EXPECT_EQ(verdict_on(compared("unlike"), 1.0).reference, "different from other");
  EXPECT_EQ(verdict_on(compared("less_than"), 1.0).reference, "less than other");
  EXPECT_EQ(verdict_on(compared("more_than"), 1.0).reference, "more than other");
  EXPECT_PRED2(contains, verdict_on(compared("like"), 1.0, 2.5).ours, "other: 2.5");
}

TEST(Judge, JudgesNoRunThatDidNotReachItsEnd) {
  Experiment experiment;
  std::vector<CaseResult> results(2);
  for (const char* label : {"ours", "other"}) {
    Case c;
    c.label = label;
    c.mechanism = DraggedMass{};
    c.law = make_law("lugre");
    Expectation e = std::string(label) == "ours" ? compared("like") : value(0.0, 1.0);
    e.key = e.quantity = "work_in";
    c.expectations.push_back(e);
    experiment.cases.push_back(c);
  }
  results[1].run.summary.status = Status::step_limit;
  for (const auto& v : judge(experiment, results)) EXPECT_FALSE(v.met()) << v.label;
}

TEST(Judge, KeepsAToleranceGivenBesideADistance) {
  const TemporaryDirectory dir;
  const std::string path =
      dir.write("a.toml",
                "[model]\nname = \"coulomb\"\n[steady]\nfrom = 0\n[expect]\n"
                "f = { quantity = \"steady_force\", velocity = 1, value = 1.001, "
                "tolerance = 1e-2, within = 1e-9 }\n");
  const Experiment e = read_experiment(path);
  EXPECT_TRUE(run_experiment(e).verdicts.at(0).met());
}

TEST(Judge, MeetsWhatARunOfAFileShows) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a.toml", R"(
[model]
name = "coulomb"
[mechanism]
name = "dragged_mass"
drag_velocity = 1
[solve]
end = 5
[expect]
ledger_error = { at_most = 1e-6 }
max_force = { value = 1.0, tolerance = 1e-9 }
rests_exactly = { is = "yes" }
[[case]]
label = "slow"
mechanism.drag_velocity = 0.5
[[case]]
label = "fast"
expect.max_velocity = { more_than = "slow" }
)");
  const Experiment e = read_experiment(path);
  const auto result = run_experiment(e);
  EXPECT_TRUE(result.ok(e));
  ASSERT_EQ(result.verdicts.size(), 7u);
  for (const auto& v : result.verdicts) EXPECT_TRUE(v.met()) << v.key << ": " << v.ours;
}

TEST(Judge, HasWordsForEachKindOfFact) {
  Expectation e = value(1.0, 1e-2);
  e.choice = "load 1 N";
  for (const auto& kind : fact_kinds) {
    e.kind = kind.kind;
    EXPECT_EQ(verdict_on(e, 1.0).verdict(),
              kind.kind == FactKind::document ? kind.met_with_choice : kind.met);
    EXPECT_EQ(verdict_on(e, 2.0).verdict(), kind.missed);
    EXPECT_TRUE(verdict_on(e, 2.0).missed());
  }
}

TEST(Judge, GivesEveryToleranceInWordsAndAsNumbers) {
  const Verdict relative = verdict_on(value(200.0, 5e-3), 200.5);
  EXPECT_EQ(relative.tolerance, "± 0.5 %");
  EXPECT_EQ(relative.relative, 5e-3);
  EXPECT_EQ(relative.absolute, 1.0);
  EXPECT_EQ(relative.difference, 0.5);
  EXPECT_EQ(verdict_on(value(2.0, 1e-8), 2.0).tolerance, "± 1e-08 (relative)");
  const Verdict absolute = verdict_on(value(0.0, 0.0, 1e-3), 2e-3);
  EXPECT_EQ(absolute.tolerance, "± 0.001 J");
  EXPECT_TRUE(std::isnan(absolute.relative));
  EXPECT_EQ(absolute.absolute, 1e-3);
  EXPECT_EQ(verdict_on(bounded("at_most", 1.0), 1.0).tolerance, "bound");
  EXPECT_EQ(verdict_on(compared("like", 1e-2), 1.0, 1.0).tolerance, "± 1 %");
  EXPECT_EQ(verdict_on(compared("unlike", 1e-2), 1.0, 2.0).tolerance, "by more than 1 %");
  EXPECT_EQ(verdict_on(compared("less_than", 0.0), 1.0, 2.0).tolerance, "order");
}

TEST(Judge, TakesAToleranceBesideLessAndMoreForTheMargin) {
  EXPECT_TRUE(verdict_on(compared("less_than", 0.1), 0.89, 1.0).met());
  EXPECT_FALSE(verdict_on(compared("less_than", 0.1), 0.91, 1.0).met());
  EXPECT_TRUE(verdict_on(compared("more_than", 0.1), 1.11, 1.0).met());
  EXPECT_FALSE(verdict_on(compared("more_than", 0.1), 1.09, 1.0).met());
}

TEST(Judge, AVerdictComesBackFromJson) {
  Expectation e = value(2.0, 0.0, 1e-3);
  e.differs = "known";
  e.why = "read off a figure";
  for (const double ours : {1.0, 2.0}) {
    const Verdict v = verdict_on(e, ours);
    EXPECT_EQ(as_json(verdict_from(as_json(v))), as_json(v));
    EXPECT_EQ(verdict_from(as_json(v)).outcome, v.outcome);
  }
}

}  // namespace
}  // namespace bristle::io::judge_test
