// SPDX-License-Identifier: MIT
#include "bristle/scalar/exp.hpp"

#include "close.hpp"

namespace bristle::exp_test {
namespace {

TEST(Exp, IsWithinOneUnitInTheLastPlace) {
  test::Random random(5);
  double worst = 0.0;
  for (int i = 0; i < 400000; ++i) {
    const double range = i % 4 == 0 ? 700.0 : i % 4 == 1 ? 10.0 : i % 4 == 2 ? 1.0 : 1e-3;
    const double x = random.uniform(-range, range);
    const long double exact = std::exp(static_cast<long double>(x));
    const double nearest = static_cast<double>(exact);
    const double unit = std::nextafter(nearest, INFINITY) - nearest;
    worst = std::max(worst, double(std::abs(bristle::exp(x) - exact) / unit));
  }
  EXPECT_LE(worst, 1.0);
}

TEST(Exp, IsExactlyOneAtZero) { EXPECT_EQ(bristle::exp(0.0), 1.0); }

TEST(Exp, IsZeroBelowAndInfiniteAboveItsRange) {
  EXPECT_DOUBLE_EQ(bristle::exp(-708.0), std::exp(-708.0));
  EXPECT_DOUBLE_EQ(bristle::exp(708.0), std::exp(708.0));
  for (const double x : {-708.1, -746.0, -1e300, -double(INFINITY)})
    EXPECT_EQ(bristle::exp(x), 0.0) << x;
  for (const double x : {708.1, 1e300, double(INFINITY)}) EXPECT_EQ(bristle::exp(x), INFINITY) << x;
  EXPECT_TRUE(std::isnan(bristle::exp(NAN)));
}

}  // namespace
}  // namespace bristle::exp_test
