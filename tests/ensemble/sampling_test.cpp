// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "bristle/ensemble/random.hpp"
#include "bristle/ensemble/sobol.hpp"

namespace bristle::sampling_test {
namespace {

using Block = std::array<std::uint32_t, 4>;

// The known answers that the authors publish with the generator (Random123, kat_vectors).
TEST(Philox, GivesThePublishedBlocks) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t all = 0xffffffff;
  EXPECT_EQ(philox({all, all, all, all}, {all, all}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomUniform, DiffersInSeedStreamDrawAndDimension) {
  std::set<double> seen;
  for (const std::uint64_t seed : {1ull, 2ull, 1ull << 40})
    for (const auto stream : {RandomStream::draws, RandomStream::trajectories})
      for (const std::uint64_t draw : {0ull, 1ull, 1ull << 40})
        for (const std::uint32_t dimension : {0u, 1u, 99u})
          seen.insert(random_uniform(seed, stream, draw, dimension));
  EXPECT_EQ(seen.size(), 3u * 2 * 3 * 3);
}

TEST(RandomUniform, HasTheMomentsOfTheUniformDistribution) {
  constexpr int n = 200000;
  double sum = 0.0, squares = 0.0, product = 0.0;
  for (int k = 0; k < n; ++k) {
    const double u = random_uniform(3, RandomStream::draws, std::uint64_t(k), 0);
    const double w = random_uniform(3, RandomStream::draws, std::uint64_t(k), 1);
    ASSERT_TRUE(u > 0.0 && u < 1.0);
    sum += u / n, squares += u * u / n, product += u * w / n;
  }
  // Four standard errors of each mean.
  const double error = 4.0 / std::sqrt(double(n));
  EXPECT_NEAR(sum, 0.5, error * std::sqrt(1.0 / 12.0));
  EXPECT_NEAR(squares, 1.0 / 3.0, error * std::sqrt(4.0 / 45.0));
  EXPECT_NEAR(product, 0.25, error * std::sqrt(7.0 / 144.0));
}

TEST(NormalQuantile, InvertsTheDistributionFunctionIntoTheTails) {
  for (double x = -37.0; x <= 6.0; x += 0.25) {
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    // Above the middle the fraction below has lost digits: half a unit of its last one.
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double lost = x > 0.0 ? 0x1p-54 / density : 0.0;
    EXPECT_NEAR(normal_quantile(below), x, 1e-14 * std::max(1.0, std::abs(x)) + lost);
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_EQ(normal_quantile(0.0), -INFINITY);
  EXPECT_EQ(normal_quantile(1.0), INFINITY);
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
}

// The first ten points in three dimensions as Joe and Kuo list them with their program.
TEST(Sobol, BeginsWithThePublishedPoints) {
  const double published[10][3] = {{0, 0, 0},
                                   {0.5, 0.5, 0.5},
                                   {0.75, 0.25, 0.25},
                                   {0.25, 0.75, 0.75},
                                   {0.375, 0.375, 0.625},
                                   {0.875, 0.875, 0.125},
                                   {0.625, 0.125, 0.875},
                                   {0.125, 0.625, 0.375},
                                   {0.1875, 0.3125, 0.9375},
                                   {0.6875, 0.8125, 0.4375}};
  for (std::uint64_t k = 0; k < 10; ++k)
    for (int d = 0; d < 3; ++d) EXPECT_EQ(sobol_bits(k, d) * 0x1p-32, published[k][d]) << k;
}

TEST(Sobol, FirstPointsFillEveryDyadicIntervalOnceInEachDimension) {
  for (int d = 0; d < sobol_dimensions; ++d)
    for (const int power : {1, 4, 10}) {
      std::set<std::uint32_t> intervals;
      for (std::uint64_t k = 0; k < std::uint64_t(1) << power; ++k)
        intervals.insert(sobol_bits(k, d) >> (32 - power));
      EXPECT_EQ(intervals.size(), std::size_t(1) << power) << "dimension " << d;
    }
}

// Two dimensions with the same polynomial and numbers would be one.
TEST(Sobol, PairsOfDimensionsAreUncorrelated) {
  constexpr int n = 4096;
  for (int a = 0; a < sobol_dimensions; ++a)
    for (int b = 0; b < a; ++b) {
      double sum = 0.0;
      for (std::uint64_t k = 0; k < n; ++k)
        sum += (sobol_bits(k, a) * 0x1p-32 - 0.5) * (sobol_bits(k, b) * 0x1p-32 - 0.5);
      EXPECT_NEAR(12.0 * sum / n, 0.0, 0.02) << a << " " << b;
    }
}

TEST(Sobol, IntegratesASmoothProductMuchCloserThanRandomPoints) {
  constexpr std::uint64_t n = 1 << 14;
  double sobol = 0.0, random = 0.0;
  for (std::uint64_t k = 0; k < n; ++k) {
    double s = 1.0, r = 1.0;
    for (int d = 0; d < 5; ++d) {
      s *= 1.0 + (shifted_sobol(1, k, d) - 0.5);
      r *= 1.0 + (random_uniform(1, RandomStream::draws, k, std::uint32_t(d)) - 0.5);
    }
    sobol += s / double(n), random += r / double(n);
  }
  EXPECT_NEAR(sobol, 1.0, 2e-4);
  EXPECT_GT(std::abs(random - 1.0), 5.0 * std::abs(sobol - 1.0));
}

TEST(Sobol, ShiftedPointsStayInsideTheOpenInterval) {
  for (const std::uint64_t seed : {0, 1, 2})
    for (std::uint64_t k = 0; k < 1000; ++k) {
      const double u = shifted_sobol(seed, k, 2);
      ASSERT_TRUE(u > 0.0 && u < 1.0);
    }
}

}  // namespace
}  // namespace bristle::sampling_test
