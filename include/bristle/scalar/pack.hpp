// SPDX-License-Identifier: MIT
// One value per SIMD lane (xsimd): the scalar of ensembles. Include this before the law headers are
// instantiated with a Pack. The number of lanes follows the compiler's target (2 with SSE2, 4 with
// AVX2).
#pragma once

#include <xsimd/xsimd.hpp>

#include "bristle/scalar/dual.hpp"
#include "bristle/scalar/scalar.hpp"

namespace bristle {

using Pack = xsimd::batch<double>;

}  // namespace bristle

namespace xsimd {

// Found by argument-dependent lookup from the equations: a pack beside a plain number.
template <class T, class A>
batch<T, A> pow(const batch<T, A>& x, double exponent) {
  return pow(x, batch<T, A>(T(exponent)));
}
template <class T, class A>
batch<T, A> select(const batch_bool<T, A>& condition, double a, const batch<T, A>& b) {
  return select(condition, batch<T, A>(T(a)), b);
}

// exp within two units in the last place; with it a sample of bench/fixed_step, offline, takes 6 ns
// in place of 9 with the template of xsimd. 2^n exp(r) with |r| <= ln 2 / 2 and exp(r) = 1 + r +
// r^2 q(r), q an interpolation at the Chebyshev points. Below exp(-708) the result is zero, above
// exp(708) infinite.
inline bristle::Pack exp(const bristle::Pack& x) {
  using P = bristle::Pack;
  using Whole = batch<std::int64_t, P::arch_type>;
  const P shift(0x1.8p52);  // adding it rounds to a whole number, left in the low bits
  const P shifted = fma(x, P(0x1.71547652b82fep0), shift);
  const P n = shifted - shift;
  const P r = fnma(n, P(0x1.cf79abc9e3b39p-40), fnma(n, P(0x1.62e42fefa0000p-1), x));
  const P r2 = r * r, r4 = r2 * r2;
  const P low = fma(r2, fma(r, P(0x1.11111111109adp-7), P(0x1.5555555553d4fp-5)),
                    fma(r, P(0x1.5555555555556p-3), P(0.5)));
  const P middle = fma(r2, fma(r, P(0x1.71de0d9c145d0p-19), P(0x1.a019b8ef67c6cp-16)),
                       fma(r, P(0x1.a01a01a7c8d47p-13), P(0x1.6c16c17893833p-10)));
  const P high = fma(r, P(0x1.af38d53857513p-26), P(0x1.2891a8c1d838dp-22));
  const P fraction = 1.0 + fma(r2, fma(r4, fma(r4, high, middle), low), r);
  const auto power = bitwise_cast<Whole>(shifted) << 52;
  const P y = bitwise_cast<P>(bitwise_cast<Whole>(fraction) + power);
  return select(x > P(708.0), P(std::numeric_limits<double>::infinity()),
                select(x < P(-708.0), P(0.0), y));
}

// Whether every lane has this value.
template <class T, class A>
bool is_constant(const batch<T, A>& x, double value) {
  return all(x == batch<T, A>(T(value)));
}

// |x|^p as in model/curve.hpp: the common exponents need no pow where all lanes have them.
template <class S, class T, class A>
S magnitude_power(const S& x, const batch<T, A>& exponent) {
  if (is_constant(exponent, 2.0)) return S(x * x);
  if (is_constant(exponent, 1.0)) return S(abs(x));
  return S(pow(S(abs(x)), exponent));
}

template <class T, class A>
batch<T, A> value_of(const batch<T, A>& x) {
  return x;
}

}  // namespace xsimd

namespace bristle {

// The same with derivatives, which must be zero in every lane.
template <int N>
bool is_constant(const Dual<Pack, N>& x, double value) {
  bool constant = is_constant(x.value, value);
  for (int i = 0; i < N; ++i) constant = constant && is_constant(x.slope[i], 0.0);
  return constant;
}
template <class S, int N>
S magnitude_power(const S& x, const Dual<Pack, N>& exponent) {
  if (is_constant(exponent, 2.0)) return S(x * x);
  if (is_constant(exponent, 1.0)) return S(abs(x));
  return S(pow(S(abs(x)), exponent));
}

}  // namespace bristle
