// SPDX-License-Identifier: MIT
#include "bristle/scalar/pack.hpp"

#include "bristle/scalar/dual.hpp"
#include "close.hpp"

namespace bristle::pack_test {
namespace {

using test::close;
using test::epsilon;

constexpr int lanes = int(Pack::size);

Pack packed(const std::array<double, Pack::size>& x) { return Pack::load_unaligned(x.data()); }

// Every lane at its own value; after `each` has been called on all lanes all values were used.
template <class F>
void compare(const char* name, F f, double low, double high, double tolerance) {
  test::Random random(11);
  for (int trial = 0; trial < 2000; ++trial) {
    std::array<double, Pack::size> x{};
    for (auto& lane : x) lane = random.uniform(low, high);
    const Pack y = f(packed(x));
    for (int i = 0; i < lanes; ++i)
      ASSERT_TRUE(close(y.get(i), f(x[i]), tolerance)) << name << "(" << x[i] << "), lane " << i;
  }
}

TEST(Pack, HasAtLeastTwoLanes) { EXPECT_GE(lanes, 2); }

// The vector library rounds its functions to within a unit or two in the last place.
TEST(Pack, ElementaryFunctionsEqualThoseOfDoubleLaneByLane) {
  compare(
      "exp", [](auto x) { return exp(x); }, -50.0, 50.0, 2.0 * epsilon);
  compare(
      "log", [](auto x) { return log(x); }, 2.0, 50.0, 2.0 * epsilon);
  compare(
      "sin", [](auto x) { return sin(x); }, 0.1, 3.0, 2.0 * epsilon);
  compare(
      "sqrt", [](auto x) { return sqrt(x); }, 0.0, 50.0, 0.0);
  compare(
      "abs", [](auto x) { return abs(x); }, -50.0, 50.0, 0.0);
  compare(
      "floor", [](auto x) { return floor(x); }, -50.0, 50.0, 0.0);
  compare(
      "sign", [](auto x) { return sign(x); }, -1.0, 1.0, 0.0);
  compare(
      "square", [](auto x) { return square(x); }, -50.0, 50.0, 0.0);
}

TEST(Pack, SelectPicksLaneByLane) {
  compare(
      "select",
      [](auto x) {
        using S = decltype(x);
        return select(x > S(0.5), S(x * x), S(-x));
      },
      -2.0, 2.0, 0.0);
  std::array<double, Pack::size> x{};
  for (int i = 0; i < lanes; ++i) x[i] = i % 2 ? 1.0 : -1.0;
  const Pack y = select(packed(x) > Pack(0.0), 7.0, packed(x));
  for (int i = 0; i < lanes; ++i) EXPECT_EQ(y.get(i), i % 2 ? 7.0 : -1.0);
}

TEST(Pack, ExpIsZeroBelowAndInfiniteAboveItsRange) {
  for (const double x : {-708.1, -1e300, -double(INFINITY)})
    EXPECT_EQ(exp(Pack(x)).get(0), 0.0) << x;
  for (const double x : {708.1, 1e300, double(INFINITY)})
    EXPECT_EQ(exp(Pack(x)).get(0), INFINITY) << x;
  EXPECT_TRUE(std::isnan(exp(Pack(NAN)).get(0)));
}

// Cancellation amplifies the rounding of exp by up to 1 / 0.1 at the switch of the formula.
TEST(Pack, DecayIntegralEqualsThatOfDouble) {
  compare(
      "decay_integral", [](auto x) { return decay_integral(x, decltype(x)(1.0)); }, -0.099, 0.099,
      epsilon);
  compare(
      "decay_integral", [](auto x) { return decay_integral(x, decltype(x)(1.0)); }, 0.101, 1.0,
      20.0 * epsilon);
  compare(
      "decay_integral", [](auto x) { return decay_integral(x, decltype(x)(1.0)); }, 1.0, 100.0,
      4.0 * epsilon);
}

TEST(Pack, DecayIntegralChoosesItsFormulaLaneByLane) {
  std::array<double, Pack::size> x{};
  for (int i = 0; i < lanes; ++i) x[i] = i % 2 ? 0.0 : 3.0;
  const Pack y = decay_integral(packed(x), Pack(1.0));
  for (int i = 0; i < lanes; ++i)
    EXPECT_TRUE(close(y.get(i), decay_integral(x[i], 1.0), 2.0 * epsilon));
}

// The slope of a Dual over packs is, lane by lane, the slope of a Dual over doubles.
TEST(Pack, CarriesDerivativesLaneByLane) {
  const auto f = [](auto x, auto y) {
    return select(x > y, exp(-(x * x)) / y, sqrt(x * x + y * y)) + abs(x) * decay_integral(x, y);
  };
  test::Random random(12);
  for (int trial = 0; trial < 500; ++trial) {
    std::array<double, Pack::size> x{}, y{};
    for (int i = 0; i < lanes; ++i)
      x[i] = random.uniform(-2.0, 2.0), y[i] = random.uniform(0.5, 2.0);
    const auto wide = f(variable<2>(packed(x), 0), variable<2>(packed(y), 1));
    for (int i = 0; i < lanes; ++i) {
      const auto narrow = f(variable<2>(x[i], 0), variable<2>(y[i], 1));
      // The slope of decay_integral loses up to 1 / x^2 of the rounding of exp.
      const double loss = 1.0 + 1.0 / square(std::max(0.01, std::abs(x[i] * y[i])));
      ASSERT_TRUE(close(wide.value.get(i), narrow.value, 4.0 * epsilon * loss, 1.0)) << x[i];
      ASSERT_TRUE(close(wide.slope[0].get(i), narrow.slope[0], 4.0 * epsilon * loss, 1.0)) << x[i];
      ASSERT_TRUE(close(wide.slope[1].get(i), narrow.slope[1], 4.0 * epsilon * loss, 1.0)) << x[i];
    }
  }
}

}  // namespace
}  // namespace bristle::pack_test
