// SPDX-License-Identifier: MIT
#include "bristle/ensemble/sobol.hpp"

#include <array>
#include <bit>

#include "bristle/ensemble/random.hpp"

namespace bristle {
namespace {

// Degree of the primitive polynomial, its inner coefficients as bits, the initial numbers m_i.
struct SobolStart {
  int degree;
  std::uint32_t polynomial;
  std::array<std::uint32_t, 7> initial;
};

// Joe and Kuo 2008, dimensions 2 to 21; dimension 1 is the van der Corput sequence.
constexpr std::array<SobolStart, sobol_dimensions - 1> sobol_starts{{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
}};

using Directions = std::array<std::array<std::uint32_t, 32>, sobol_dimensions>;

constexpr Directions make_directions() {
  Directions v{};
  for (int i = 0; i < 32; ++i) v[0][std::size_t(i)] = std::uint32_t(1) << (31 - i);
  for (std::size_t d = 1; d < v.size(); ++d) {
    const auto& start = sobol_starts[d - 1];
    const auto s = std::size_t(start.degree);
    for (std::size_t i = 0; i < 32; ++i) {
      if (i < s) {
        v[d][i] = start.initial[i] << (31 - i);
        continue;
      }
      // v_i = a_1 v_{i-1} ^ ... ^ a_{s-1} v_{i-s+1} ^ v_{i-s} ^ (v_{i-s} >> s)
      v[d][i] = v[d][i - s] ^ (v[d][i - s] >> s);
      for (std::size_t k = 1; k < s; ++k)
        if ((start.polynomial >> (s - 1 - k) & 1) != 0) v[d][i] ^= v[d][i - k];
    }
  }
  return v;
}

constexpr Directions directions = make_directions();

}  // namespace

std::uint32_t sobol_bits(std::uint64_t point, int dimension) {
  const auto& v = directions[std::size_t(dimension)];
  std::uint32_t x = 0;
  for (std::uint64_t gray = point ^ (point >> 1); gray != 0; gray &= gray - 1)
    x ^= v[std::size_t(std::countr_zero(gray)) % 32];
  return x;
}

double shifted_sobol(std::uint64_t seed, std::uint64_t point, int dimension) {
  const std::uint64_t shift =
      random_bits(seed, RandomStream::digital_shift, 0, std::uint32_t(dimension));
  // The shift has more digits than the sequence: what is below them is the same for all points.
  const std::uint64_t bits = (std::uint64_t(sobol_bits(point, dimension)) << 32) ^ shift;
  return (double(bits >> 12) + 0.5) * 0x1p-52;
}

}  // namespace bristle
