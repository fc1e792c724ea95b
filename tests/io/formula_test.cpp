// SPDX-License-Identifier: MIT
#include "bristle/io/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/model/error.hpp"
#include "io/support.hpp"

namespace bristle::io::formula_test {
namespace {

using test::contains;

double at(const std::string& text, double x = 0.0) { return Formula(text)(x); }

TEST(Formula, FollowsTheOrderOfOperations) {
  EXPECT_DOUBLE_EQ(at("1 + 2 * 3"), 7.0);
  EXPECT_DOUBLE_EQ(at("(1 + 2) * 3"), 9.0);
  EXPECT_DOUBLE_EQ(at("8 - 4 - 2"), 2.0);
  EXPECT_DOUBLE_EQ(at("8 / 4 / 2"), 1.0);
  EXPECT_DOUBLE_EQ(at("2^3^2"), 512.0);
  EXPECT_DOUBLE_EQ(at("-3^2"), -9.0);
  EXPECT_DOUBLE_EQ(at("2^-1"), 0.5);
  EXPECT_DOUBLE_EQ(at("--x", 4.0), 4.0);
  EXPECT_DOUBLE_EQ(at(" 1.5e-4 "), 1.5e-4);
}

TEST(Formula, EvaluatesThePrintedCurveOfTheSimplifiedBristleModel) {
  const Formula f("sign(x) * 0.75 * (1.64 - 0.4 + 0.3 * sech(x / (0.6 / (2 * pi))))");
  const double scale = 0.6 / (2.0 * std::numbers::pi);
  for (const double v : {-0.29, -0.05, 0.01, 0.2})
    EXPECT_NEAR(f(v), std::copysign(0.75 * (1.24 + 0.3 / std::cosh(v / scale)), v), 1e-15) << v;
  EXPECT_EQ(f(0.0), 0.0);
}

TEST(Formula, KnowsTheFunctionsItLists) {
  for (const auto& name : formula_functions())
    EXPECT_TRUE(std::isfinite(at(name + "(0.5)"))) << name;
  EXPECT_DOUBLE_EQ(at("exp(log(x))", 3.0), 3.0);
  EXPECT_DOUBLE_EQ(at("abs(x)", -3.0), 3.0);
}

TEST(Formula, SaysWhatIsWrongAndWhere) {
  const auto refusal = [](const std::string& text) {
    return test::refusal<InvalidInput>([&] { Formula f(text); });
  };
  EXPECT_PRED2(contains, refusal("2 +"), "is expected where it ends");
  EXPECT_PRED2(contains, refusal("2 3"), "an operator is expected where '3' stands at character 3");
  EXPECT_PRED2(contains, refusal("(1 + x"), "')' is expected");
  EXPECT_PRED2(contains, refusal("sech x"), "'(' after sech is expected");
  EXPECT_PRED2(contains, refusal("sehc(x)"), "did you mean 'sech'?");
  EXPECT_PRED2(contains, refusal("y"), "there is no name 'y'");
  EXPECT_PRED2(contains, refusal(""), "is expected where it ends");
  EXPECT_PRED2(contains, refusal(std::string(1000, '(')), "less nesting");
}

TEST(Formula, ARefusalShowsEveryByteOfTheText) {
  const std::string text("x\0 + 1", 6);
  try {
    const Formula f{text};
    FAIL() << "not refused";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "formula \"x\\u0000 + 1\": an operator is expected where '\\u0000 + 1' stands "
                 "at character 2");
  }
}

}  // namespace
}  // namespace bristle::io::formula_test
