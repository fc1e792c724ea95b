// SPDX-License-Identifier: MIT
#include "bristle/ensemble/random.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace bristle {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  // Multipliers and Weyl steps of the paper, table 2.
  constexpr std::uint64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = multiplier_0 * counter[0], b = multiplier_1 * counter[2];
    counter = {std::uint32_t(b >> 32) ^ counter[1] ^ key[0], std::uint32_t(b),
               std::uint32_t(a >> 32) ^ counter[3] ^ key[1], std::uint32_t(a)};
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return counter;
}

std::uint64_t random_bits(std::uint64_t seed, RandomStream stream, std::uint64_t draw,
                          std::uint32_t dimension) {
  const auto block =
      philox({std::uint32_t(draw), std::uint32_t(draw >> 32), dimension, std::uint32_t(stream)},
             {std::uint32_t(seed), std::uint32_t(seed >> 32)});
  return std::uint64_t(block[0]) << 32 | block[1];
}

double random_uniform(std::uint64_t seed, RandomStream stream, std::uint64_t draw,
                      std::uint32_t dimension) {
  // Odd multiples of 2^-53: never 0, never 1.
  return (double(random_bits(seed, stream, draw, dimension) >> 12) + 0.5) * 0x1p-52;
}

double normal_quantile(double probability) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(probability >= 0.0 && probability <= 1.0)) return std::nan("");
  if (probability == 0.0) return -infinity;
  if (probability == 0.5) return 0.0;
  if (probability == 1.0) return infinity;
  // The lower half; 1 - p is exact from one half on.
  const bool upper = probability > 0.5;
  const double p = upper ? 1.0 - probability : probability;
  // Abramowitz and Stegun 26.2.23, off by less than 4.5e-4.
  const double t = std::sqrt(-2.0 * std::log(p));
  double x = -t + (2.515517 + t * (0.802853 + t * 0.010328)) /
                      (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  // Halley's method on the distribution function triples the digits each time.
  for (int i = 0; i < 2; ++i) {
    const double below = 0.5 * std::erfc(-x * std::numbers::sqrt2 / 2.0);
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double newton = (below - p) / density;
    x -= newton / (1.0 + 0.5 * x * newton);
  }
  return upper ? -x : x;
}

}  // namespace bristle
