// SPDX-License-Identifier: MIT
#include "bristle/scalar/scalar.hpp"

#include "bristle/scalar/dual.hpp"
#include "bristle/scalar/pack.hpp"
#include "close.hpp"

namespace bristle::scalar_test {
namespace {

using test::close;
using test::epsilon;

static_assert(Scalar<double> && Scalar<float> && Scalar<Pack>);
static_assert(Scalar<Dual<double, 1>> && Scalar<Dual<double, 6>> && Scalar<Dual<float, 2>>);
static_assert(Scalar<Dual<Pack, 2>> && Scalar<Dual<Dual<double, 2>, 2>>);
static_assert(!Scalar<int*>);

// (1 - exp(-x)) / x without cancellation.
double exact_mean(double x) { return x == 0.0 ? 1.0 : -std::expm1(-x) / x; }

// Its derivative: near zero the series sum (-1)^(k+1) (k+1) x^k / (k+2)!, elsewhere in closed form.
double exact_slope(double x) {
  if (std::abs(x) > 1.0) return ((1.0 + x) * std::exp(-x) - 1.0) / (x * x);
  double sum = 0.0, power = 1.0, factorial = 2.0;
  for (int k = 0; k < 24; ++k) {
    sum += (k % 2 ? 1.0 : -1.0) * (k + 1) * power / factorial;
    power *= x;
    factorial *= k + 3;
  }
  return sum;
}

TEST(Select, PicksOneOfTwoPlainNumbers) {
  EXPECT_EQ(select(true, 1.0, 2.0), 1.0);
  EXPECT_EQ(select(false, 1.0f, 2.0f), 2.0f);
}

TEST(Sign, IsMinusOneZeroOrOne) {
  EXPECT_EQ(sign(-1e-300), -1.0);
  EXPECT_EQ(sign(0.0), 0.0);
  EXPECT_EQ(sign(-0.0), 0.0);
  EXPECT_EQ(sign(2.5f), 1.0f);
}

TEST(ValueOf, IsThePlainNumberUnderAScalar) {
  EXPECT_EQ(value_of(2.5), 2.5);
  EXPECT_EQ(value_of(variable<2>(2.5, 1)), 2.5);
  EXPECT_EQ(value_of(variable<2>(variable<2>(2.5, 0), 1)), 2.5);
}

TEST(DecayIntegral, IsOneAtZeroWithSlopeMinusOneHalf) {
  EXPECT_EQ(decay_integral(0.0, 1.0), 1.0);
  const auto at_zero = decay_integral(variable<1>(0.0, 0), Dual<double, 1>(1.0));
  EXPECT_EQ(at_zero.value, 1.0);
  EXPECT_EQ(at_zero.slope[0], -0.5);
}

// Two roundings in the series; the neglected term is below 3e-18 (3e-16 in the slope).
TEST(DecayIntegral, IsExactToRoundingNearZero) {
  for (double size = 1e-12; size < 0.1; size *= 1.37) {
    for (const double x : {size, -size}) {
      const auto mean = decay_integral(variable<1>(x, 0), Dual<double, 1>(1.0));
      EXPECT_TRUE(close(decay_integral(x, 1.0), exact_mean(x), 3.0 * epsilon)) << "x = " << x;
      EXPECT_TRUE(close(mean.slope[0], exact_slope(x), 3.0 * epsilon)) << "x = " << x;
    }
  }
}

// 1 - exp(-x) loses what x is below one, the quotient rule for the slope loses it twice.
TEST(DecayIntegral, LosesNoMoreThanTheSubtractionAwayFromZero) {
  for (double size = 0.10001; size < 600.0; size *= 1.37) {
    for (const double x : {size, -size}) {
      const auto mean = decay_integral(variable<1>(x, 0), Dual<double, 1>(1.0));
      const double loss = 1.0 + 1.0 / size;
      EXPECT_TRUE(close(decay_integral(x, 1.0), exact_mean(x), 2.0 * epsilon * loss))
          << "x = " << x;
      EXPECT_TRUE(close(mean.slope[0], exact_slope(x), 2.0 * epsilon * loss * loss)) << "x = " << x;
    }
  }
}

TEST(DecayIntegral, GrowsWithTheTimeWhileThereIsNoDecay) {
  EXPECT_EQ(decay_integral(0.0, 0.25), 0.25);
  EXPECT_TRUE(close(decay_integral(3.0, 0.7), -std::expm1(-2.1) / 3.0, 2.0 * epsilon));
  EXPECT_TRUE(close(decay_integral(-0.02, 0.7), std::expm1(0.014) / 0.02, 2.0 * epsilon));
}

TEST(DecayIntegral, VanishesForLargeDecayAndNeverOverflows) {
  EXPECT_EQ(decay_integral(1e300, 1.0), 1e-300);
  EXPECT_EQ(decay_integral(std::numeric_limits<double>::infinity(), 1.0), 0.0);
}

TEST(DecayIntegral, InFloatAgreesWithDouble) {
  for (float x = -8.0f; x <= 8.0f; x += 0.37f) {
    // Subtracting from one costs up to 1 / 0.1 units in float at the switch of the formula.
    const double loss = 1.0 + 1.0 / std::max(0.1, double(std::abs(x)));
    EXPECT_TRUE(close(decay_integral(x, 1.0f), exact_mean(double(x)), 1.2e-7 * loss))
        << "x = " << x;
  }
}

}  // namespace
}  // namespace bristle::scalar_test
