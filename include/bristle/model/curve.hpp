// SPDX-License-Identifier: MIT
// Pieces of velocity curves that several laws share.
#pragma once

#include "bristle/scalar/scalar.hpp"

namespace bristle {

// |x|^p. The square is by far the commonest exponent and needs no pow.
template <class S, class T>
S magnitude_power(const S& x, const T& exponent) {
  if constexpr (is_single<T>) {
    if (is_constant(exponent, 2.0)) return S(x * x);
    if (is_constant(exponent, 1.0)) return S(abs(x));
  }
  return S(pow(S(abs(x)), exponent));
}

// low + (high - low) exp(-|v / scale|^exponent): from high at rest to low at speed.
template <class S, class T>
S stribeck_curve(const T& low, const T& high, const S& v, const T& scale, const T& exponent) {
  const S fall = magnitude_power(S(v * (T(1.0) / scale)), exponent);
  return low + (high - low) * exp(-fall);
}

}  // namespace bristle
