// SPDX-License-Identifier: MIT
// exp(x) inline, within one unit in the last place.
//
// Most laws spend most of their time in exp, and the library's is a call that cannot be inlined;
// this one takes half its time or less (bench/fixed_step).
//
//   exp(x) = 2^(n / 128) exp(r),  n = round(128 x / ln 2),  |r| <= ln 2 / 256
//
// 2^(n / 128) comes from a table and the exponent bits, exp(r) from its series, cut off at 1e-18.
// Below exp(-708) = 3e-308 the result is zero, above exp(708) = 3e307 infinite.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

namespace bristle {

namespace detail {

// 2^(i / 128)
inline constexpr auto fractional_powers = [] {
  std::array<double, 128> table{};
  for (int i = 0; i < 128; ++i) {
    const long double x = i * (0.693147180559945309417232121458176568L / 128);
    long double sum = 1.0L, term = 1.0L;
    for (int k = 1; k < 30; ++k) sum += term *= x / k;
    table[i] = static_cast<double>(sum);
  }
  return table;
}();

}  // namespace detail

// A template, so that it is not ambiguous with ::exp where the whole namespace is used.
template <std::floating_point T>
[[gnu::always_inline]] inline T exp(T x) {
  if constexpr (!std::same_as<T, double>) return std::exp(x);
  if (!(std::abs(x) <= 708.0)) [[unlikely]]
    return x < 0.0 ? 0.0 : x * std::numeric_limits<double>::infinity();  // or not a number
  constexpr double shift = 0x1.8p52;  // adding it rounds to a whole number, left in the low bits
  constexpr double per_piece = 128.0 * 0x1.71547652b82fep0;
  constexpr double piece_high = 0x1.62e42fefa0000p-8, piece_low = 0x1.cf79abc9e3b39p-47;
  const double shifted = x * per_piece + shift;
  const double n = shifted - shift;
  const double r = (x - n * piece_high) - n * piece_low;
  const auto bits = std::bit_cast<std::uint64_t>(shifted);
  const auto base = std::bit_cast<std::uint64_t>(detail::fractional_powers[bits & 127]);
  const double power = std::bit_cast<double>(base + ((bits >> 7) << 52));
  const double r2 = r * r;
  return power + power * (r + r2 * ((0.5 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120))));
}

}  // namespace bristle
