// SPDX-License-Identifier: MIT
// One value per SIMD lane (xsimd): the scalar of ensembles. Include this before the law headers are
// instantiated with a Pack. The number of lanes follows the compiler's target (2 with SSE2, 4 with AVX2).
#pragma once

#include <xsimd/xsimd.hpp>

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

template <class T, class A>
batch<T, A> value_of(const batch<T, A>& x) {
  return x;
}

}  // namespace xsimd
