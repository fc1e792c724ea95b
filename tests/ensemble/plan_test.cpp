// SPDX-License-Identifier: MIT
#include "bristle/ensemble/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/error.hpp"

namespace bristle::plan_test {
namespace {

Axis range(const char* field, double from, double to, std::uint64_t count, bool log = false) {
  return {field, from, to, count, log, {}};
}

std::string refusal(const Plan& plan) {
  try {
    plan.check();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Axis, EndsExactlyAtItsEnds) {
  const Axis even = range("a.b", 0.1, 0.7, 7), log = range("a.b", 1e-3, 10.0, 5, true);
  EXPECT_EQ(even.value(0), 0.1);
  EXPECT_EQ(even.value(6), 0.7);
  EXPECT_NEAR(even.value(2), 0.3, 1e-16);
  EXPECT_EQ(log.value(0), 1e-3);
  EXPECT_EQ(log.value(4), 10.0);
  EXPECT_NEAR(log.value(2), 0.1, 1e-16);
}

TEST(Axis, HasTheSameValuesReversed) {
  for (const bool log : {false, true}) {
    const Axis up = range("a.b", 0.3, 17.0, 11, log), down = range("a.b", 17.0, 0.3, 11, log);
    for (std::uint64_t i = 0; i < 11; ++i)
      if (i != 5) {
        EXPECT_EQ(up.value(i), down.value(10 - i));
      }
  }
}

TEST(Plan, NumbersTheProductWithTheLastAxisFastestAndDrawsSlowest) {
  Plan plan;
  plan.axes = {range("a.b", 0.0, 1.0, 2), {"c.d", 0, 0, 0, false, {5.0, 6.0, 8.0}}};
  plan.random_fields = {{"e.f", RandomField::uniform, 10.0, 20.0}};
  plan.draws = 4;
  EXPECT_EQ(plan.size(), 24u);
  EXPECT_EQ(plan.values(0)[1], 5.0);
  EXPECT_EQ(plan.values(1)[1], 6.0);
  EXPECT_EQ(plan.values(3)[0], 1.0);
  // The same draw at all points of the grid, another in the next round.
  EXPECT_EQ(plan.values(0)[2], plan.values(5)[2]);
  EXPECT_NE(plan.values(5)[2], plan.values(6)[2]);
  EXPECT_EQ(plan.fields(), (std::vector<std::string>{"a.b", "c.d", "e.f"}));
}

TEST(Plan, DrawsDoNotDependOnHowManyThereAre) {
  for (const auto sampling : {Plan::random, Plan::sobol}) {
    Plan few, many;
    few.random_fields = many.random_fields = {{"a.b", RandomField::normal, 1.0, 0.1}};
    few.sampling = many.sampling = sampling;
    few.draws = 8, many.draws = 8000;
    for (std::uint64_t k = 0; k < 8; ++k) EXPECT_EQ(few.values(k), many.values(k));
    many.seed = 2;
    EXPECT_NE(few.values(3), many.values(3));
  }
}

TEST(Plan, DrawsHaveTheMeanAndDeviationThatIsAskedFor) {
  for (const auto sampling : {Plan::random, Plan::sobol}) {
    Plan plan;
    plan.random_fields = {{"a.b", RandomField::normal, 3.0, 0.5}};
    plan.draws = 1 << 14, plan.sampling = sampling;
    double sum = 0.0, squares = 0.0;
    for (std::uint64_t k = 0; k < plan.draws; ++k) {
      const double x = plan.values(k)[0];
      sum += x, squares += (x - 3.0) * (x - 3.0);
    }
    // Four standard errors.
    EXPECT_NEAR(sum / double(plan.draws), 3.0, 4.0 * 0.5 / 128.0);
    EXPECT_NEAR(std::sqrt(squares / double(plan.draws)), 0.5, 4.0 * 0.5 / 181.0);
  }
}

TEST(Plan, RefusesRangesThatAreEmpty) {
  Plan plan;
  plan.axes = {range("a.b", 1.0, 1.0, 5)};
  EXPECT_NE(refusal(plan).find("a.b: the range is empty"), std::string::npos) << refusal(plan);
  plan.axes = {range("a.b", 1.0, 2.0, 0)};
  EXPECT_NE(refusal(plan).find("count must be at least 1"), std::string::npos);
  plan.axes = {range("a.b", -1.0, 2.0, 5, true)};
  EXPECT_NE(refusal(plan).find("must not hold 0"), std::string::npos);
  plan.axes = {};
  plan.draws = 5;
  plan.random_fields = {{"a.b", RandomField::uniform, 2.0, 1.0}};
  EXPECT_NE(refusal(plan).find("the range is empty"), std::string::npos);
  plan.random_fields = {{"a.b", RandomField::normal, 2.0, 0.0}};
  EXPECT_NE(refusal(plan).find("standard deviation"), std::string::npos);
}

TEST(Plan, RefusesMoreRunsThanCanBeNumbered) {
  Plan plan;
  plan.axes.assign(3, range("a.b", 0.0, 1.0, 1000000));
  EXPECT_NE(refusal(plan).find("more than can be numbered"), std::string::npos);
  plan.axes.pop_back();
  EXPECT_EQ(refusal(plan), "");
  EXPECT_EQ(plan.size(), 1000000000000u);
}

}  // namespace
}  // namespace bristle::plan_test
