// SPDX-License-Identifier: MIT
#include "bristle/scalar/dual.hpp"

#include <functional>
#include <vector>

#include "close.hpp"

namespace bristle::dual_test {
namespace {

using test::central_difference;
using test::close;
using D = Dual<double, 2>;

// A function of two variables, once for double and once for Dual, with a point to try it at.
struct Rule {
  const char* name;
  std::function<double(double, double)> plain;
  std::function<D(D, D)> dual;
  double x, y;
};

template <class F>
Rule rule(const char* name, F f, double x, double y) {
  return {name, f, f, x, y};
}

// clang-format off
const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      rule("a + b", [](auto a, auto b) { return a + b; }, 1.3, -0.4),
      rule("a - b", [](auto a, auto b) { return a - b; }, 1.3, -0.4),
      rule("a * b", [](auto a, auto b) { return a * b; }, 1.3, -0.4),
      rule("a / b", [](auto a, auto b) { return a / b; }, 1.3, -0.4),
      rule("-a", [](auto a, auto) { return -a; }, 1.3, -0.4),
      rule("2 + a", [](auto a, auto) { return 2.0 + a; }, 1.3, -0.4),
      rule("a + 2", [](auto a, auto) { return a + 2.0; }, 1.3, -0.4),
      rule("2 - a", [](auto a, auto) { return 2.0 - a; }, 1.3, -0.4),
      rule("a - 2", [](auto a, auto) { return a - 2.0; }, 1.3, -0.4),
      rule("2 * a", [](auto a, auto) { return 2.0 * a; }, 1.3, -0.4),
      rule("a * 2", [](auto a, auto) { return a * 2.0; }, 1.3, -0.4),
      rule("2 / a", [](auto a, auto) { return 2.0 / a; }, 1.3, -0.4),
      rule("a / 2", [](auto a, auto) { return a / 2.0; }, 1.3, -0.4),
      rule("exp", [](auto a, auto b) { return exp(a * b); }, 1.3, -0.4),
      rule("log", [](auto a, auto b) { return log(a + b); }, 1.3, -0.4),
      rule("sin", [](auto a, auto b) { return sin(a * b); }, 1.3, -0.4),
      rule("cos", [](auto a, auto b) { return cos(a * b); }, 1.3, -0.4),
      rule("cosh", [](auto a, auto b) { return cosh(a * b); }, 1.3, -0.4),
      rule("sinh", [](auto a, auto b) { return sinh(a * b); }, 1.3, -0.4),
      rule("tanh", [](auto a, auto b) { return tanh(a * b); }, 1.3, -0.4),
      rule("tan", [](auto a, auto b) { return tan(a * b); }, 1.3, -0.4),
      rule("asin", [](auto a, auto b) { return asin(a * b); }, 1.3, -0.4),
      rule("hypot", [](auto a, auto b) { return hypot(a, b); }, 1.3, -0.4),
      rule("min", [](auto a, auto b) { return min(a * a, b); }, 1.3, 0.4),
      rule("max", [](auto a, auto b) { return max(a * a, b); }, 1.3, 0.4),
      rule("sqrt", [](auto a, auto b) { return sqrt(a - b); }, 1.3, -0.4),
      rule("abs, positive", [](auto a, auto b) { return abs(a * b); }, 1.3, 0.4),
      rule("abs, negative", [](auto a, auto b) { return abs(a * b); }, 1.3, -0.4),
      rule("sign", [](auto a, auto b) { return a * sign(b); }, 1.3, -0.4),
      rule("floor", [](auto a, auto b) { return b * floor(a); }, 1.3, -0.4),
      rule("square", [](auto a, auto b) { return square(a * b); }, 1.3, -0.4),
      rule("pow, constant exponent", [](auto a, auto b) { return b * pow(a, 2.7); }, 1.3, -0.4),
      rule("pow, negative exponent", [](auto a, auto b) { return b * pow(a, -0.5); }, 1.3, -0.4),
      rule("pow, variable exponent", [](auto a, auto b) { return pow(a, b); }, 1.3, -0.4),
      rule("pow, both variable", [](auto a, auto b) { return pow(a * b, a - b); }, 1.3, 0.4),
      rule("select, first", [](auto a, auto b) { return select(a > b, a * a, b); }, 1.3, -0.4),
      rule("select, second", [](auto a, auto b) { return select(a < b, a, b * b); }, 1.3, -0.4),
      rule("decay_integral, near zero", [](auto a, auto b) { return decay_integral(a, b); }, 0.013, 0.4),
      rule("decay_integral, away", [](auto a, auto b) { return decay_integral(a, b); }, 1.3, 0.4),
      rule("chain", [](auto a, auto b) { return exp(-square(a / b)) * sqrt(a * a + b * b); }, 0.5,
           -0.4)};
  return all;
}
// clang-format on

// With steps of 1e-3 the differences are good to a few 1e-12 of the terms, which are of order one.
TEST(Dual, SlopeOfEveryFunctionEqualsTheCentralDifference) {
  for (const Rule& r : rules()) {
    const D at = r.dual(variable<2>(r.x, 0), variable<2>(r.y, 1));
    const double hx = 1e-3 * std::abs(r.x), hy = 1e-3 * std::abs(r.y);
    const double by_x = central_difference([&](double x) { return r.plain(x, r.y); }, r.x, hx);
    const double by_y = central_difference([&](double y) { return r.plain(r.x, y); }, r.y, hy);
    EXPECT_TRUE(close(at.value, r.plain(r.x, r.y), 2.0 * test::epsilon)) << r.name;
    EXPECT_TRUE(close(at.slope[0], by_x, 2e-11, 1.0)) << r.name << " by a";
    EXPECT_TRUE(close(at.slope[1], by_y, 2e-11, 1.0)) << r.name << " by b";
  }
}

TEST(Dual, CompoundAssignmentEqualsTheOperators) {
  const D a = variable<2>(1.3, 0), b = variable<2>(-0.4, 1);
  const auto same = [](const D& x, const D& y) { return x.value == y.value && x.slope == y.slope; };
  D sum = a, difference = a, product = a, quotient = a;
  EXPECT_TRUE(same(sum += b, a + b));
  EXPECT_TRUE(same(difference -= b, a - b));
  EXPECT_TRUE(same(product *= b, a * b));
  EXPECT_TRUE(same(quotient /= b, a / b));
}

TEST(Dual, ComparesByValueAlone) {
  const D a = variable<2>(1.0, 0), b = variable<2>(2.0, 1), c(1.0);
  EXPECT_TRUE(a < b && b > a && a <= c && a >= c);
  EXPECT_FALSE(a < c || a > c || b <= a || a >= b);
}

TEST(Dual, SlopeAtAKinkIsThatOfTheBranchChosen) {
  const D zero = variable<2>(0.0, 0);
  EXPECT_EQ(abs(zero).slope[0], 0.0);
  EXPECT_EQ(sign(zero).slope[0], 0.0);
  EXPECT_EQ(select(zero > D(0.0), 2.0 * zero, 3.0 * zero).slope[0], 3.0);
  EXPECT_EQ(select(zero >= D(0.0), 2.0 * zero, 3.0 * zero).slope[0], 2.0);
  EXPECT_EQ(floor(variable<2>(2.0, 0)).slope[0], 0.0);
}

TEST(Dual, PowerOfZeroHasSlopeZeroAlsoWhereItIsInfinite) {
  const D zero = variable<2>(0.0, 0), exponent = variable<2>(0.5, 1);
  EXPECT_EQ(pow(zero, 0.5).value, 0.0);
  EXPECT_EQ(pow(zero, 0.5).slope[0], 0.0);
  EXPECT_EQ(pow(zero, exponent).slope[1], 0.0);
  EXPECT_EQ(pow(zero, 2.0).slope[0], 0.0);
}

// d2/da2 and d2/dadb of a^2 b^3, exactly.
TEST(Dual, NestedGivesSecondDerivatives) {
  using DD = Dual<D, 2>;
  const DD a = variable<2>(variable<2>(2.0, 0), 0), b = variable<2>(variable<2>(3.0, 1), 1);
  const DD y = a * a * b * b * b;
  EXPECT_EQ(y.value.value, 108.0);
  EXPECT_EQ(y.slope[0].slope[0], 54.0);
  EXPECT_EQ(y.slope[0].slope[1], 108.0);
  EXPECT_EQ(y.slope[1].slope[0], 108.0);
  EXPECT_EQ(y.slope[1].slope[1], 72.0);
}

// The second derivatives of the functions, as central differences of the first ones.
TEST(Dual, NestedFunctionsDifferentiateTheirOwnSlopes) {
  const auto compare = [](const char* name, auto f) {
    const double x = 0.7;
    const auto second = f(variable<1>(variable<1>(x, 0), 0)).slope[0].slope[0];
    const auto first = [&](double at) { return f(variable<1>(at, 0)).slope[0]; };
    EXPECT_TRUE(close(second, central_difference(first, x, 1e-3), 1e-10, 1.0)) << name;
  };
  compare("exp", [](auto x) { return exp(x); });
  compare("log", [](auto x) { return log(x); });
  compare("sin", [](auto x) { return sin(x); });
  compare("cos", [](auto x) { return cos(x); });
  compare("cosh", [](auto x) { return cosh(x); });
  compare("sinh", [](auto x) { return sinh(x); });
  compare("tanh", [](auto x) { return tanh(x); });
  compare("tan", [](auto x) { return tan(x); });
  compare("hypot", [](auto x) { return hypot(x, x); });
  compare("min", [](auto x) { return min(x, x * x); });
  compare("max", [](auto x) { return max(x, x * x); });
  compare("sqrt", [](auto x) { return sqrt(x); });
  compare("abs and square", [](auto x) { return abs(x) * square(x); });
  compare("constant power", [](auto x) { return pow(x, 1.7); });
  compare("variable power", [](auto x) { return pow(x, x); });
  compare("select", [](auto x) { return select(x > decltype(x)(0.5), x * x * x, x); });
  // A plain number stands beside a nested Dual as beside any other scalar.
  compare("plain number first", [](auto x) { return (2.0 + x) * (2.0 - x) / (1.0 / x + 3.0 * x); });
  compare("plain number last",
          [](auto x) { return (x + 2.0) * (x - 3.0) * 0.5 / (x / 4.0 + 1.0); });
  compare("decay_integral", [](auto x) { return decay_integral(x, decltype(x)(0.9)); });
}

}  // namespace
}  // namespace bristle::dual_test
