// SPDX-License-Identifier: MIT
// Statistics of the random part of friction.
#include "bristle/model/roughness.hpp"

#include <gtest/gtest.h>

namespace bristle::roughness_test {
namespace {

// Independent computation: ten thousand terms 0.1 apart, lambda 10.
TEST(Roughness, DeviationMatchesTheReferenceAsCorrectedAndAsPrinted) {
  Roughness r{.terms = 10000.0};
  EXPECT_NEAR(r.deviation(), 0.04992036, 5e-9);  // oracle: curves.roughness.corrected
  r.spectrum = 1;
  EXPECT_NEAR(r.deviation(), 0.01578620, 5e-9);  // oracle: curves.roughness.printed
}

// Over many draws at one place, where the phases make it Gaussian.
TEST(Roughness, HasZeroMeanItsDeviationAndItsAutocorrelation) {
  Roughness r{.terms = 400.0, .spacing = 0.5};
  double mean = 0.0, square = 0.0;
  const double lag = 0.07;
  double product = 0.0;
  const int draws = 4000;
  for (int i = 0; i < draws; ++i) {
    r.seed = i + 1;
    const RoughSurface surface(r);
    const double a = surface(0.3), b = surface(0.3 + lag);
    mean += a / draws;
    square += a * a / draws;
    product += a * b / draws;
  }
  const double sigma = r.deviation();
  EXPECT_NEAR(mean, 0.0, 4.0 * sigma / std::sqrt(draws));
  EXPECT_NEAR(std::sqrt(square), sigma, 0.04 * sigma);
  EXPECT_NEAR(product / square, std::exp(-r.decay * lag), 0.05);
}

TEST(Roughness, IsTheSumOfItsCosines) {
  const Roughness r{.terms = 50.0};
  const RoughSurface one(r), same(r);
  std::mt19937_64 random(1);
  double sum = 0.0;
  for (int k = 0; k < 50; ++k) {
    const double phase = 2.0 * std::numbers::pi * double(random() >> 11) * 0x1p-53;
    sum += 0.1 * std::sqrt(r.density(0.1 * k) * 0.1) * std::cos(0.1 * k * 7.3 + phase);
  }
  EXPECT_NEAR(one(7.3), sum, 1e-14);
  EXPECT_EQ(one(0.123), same(0.123));
  // It repeats after 2 pi / dw.
  EXPECT_NEAR(one(0.4), one(0.4 + 2.0 * std::numbers::pi / r.spacing), 1e-12);
  Roughness other = r;
  other.seed = 2.0;
  EXPECT_NE(RoughSurface(other)(0.123), one(0.123));
}

TEST(Roughness, RefusesWhatIsNoSpectrum) {
  EXPECT_THROW(RoughSurface(Roughness{.decay = 0.0}), InvalidInput);
  EXPECT_THROW(RoughSurface(Roughness{.terms = 0.0}), InvalidInput);
}

}  // namespace
}  // namespace bristle::roughness_test
