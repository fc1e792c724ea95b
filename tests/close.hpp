// SPDX-License-Identifier: MIT
// How tests compare numbers, differentiate and draw random cases.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace bristle::test {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

// |actual - expected| <= relative * max(|expected|, scale). The scale is the size of the terms a
// result is the difference of; without one the comparison is purely relative.
inline ::testing::AssertionResult close(double actual, double expected, double relative,
                                        double scale = 0.0) {
  const double allowed = relative * std::max(std::abs(expected), scale);
  const double error = std::abs(actual - expected);
  if (error <= allowed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << ::testing::PrintToString(actual) << " is off " << ::testing::PrintToString(expected)
         << " by " << error << ", allowed " << allowed;
}

// df/dx by central differences of fourth order: with h about 1e-3 of the scale of f both the
// truncation (h^4) and the rounding (epsilon / h) are near 1e-12 of the scale.
template <class F>
double central_difference(const F& f, double x, double h) {
  return (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h);
}

// Numbers that are the same on every machine for the same seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) { return low + (high - low) * unit(); }
  double log_uniform(double low, double high) { return low * std::pow(high / low, unit()); }
  double sign() { return unit() < 0.5 ? -1.0 : 1.0; }
  int below(int count) { return std::min(int(unit() * count), count - 1); }

 private:
  double unit() { return double(engine_() >> 11) * 0x1p-53; }

  std::mt19937_64 engine_;
};

}  // namespace bristle::test
