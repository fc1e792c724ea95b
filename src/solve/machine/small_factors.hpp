// SPDX-License-Identifier: MIT
// Small dense factors and solves, all row by row.
#pragma once

#include <cstddef>

namespace bristle::detail {

// x becomes (L L')^-1 x for a lower triangular L.
inline void solve_cholesky(const double* l, std::size_t n, double* x) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= l[i * n + k] * x[k];
    x[i] /= l[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= l[k * n + i] * x[k];
    x[i] /= l[i * n + i];
  }
}

// L and U in place, without pivoting.
inline void factor_lu(double* a, std::size_t m) {
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t i = k + 1; i < m; ++i) {
      const double part = a[i * m + k] /= a[k * m + k];
      for (std::size_t j = k + 1; j < m; ++j) a[i * m + j] -= part * a[k * m + j];
    }
}

inline void solve_lu(const double* a, std::size_t m, double* x) {
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < i; ++j) x[i] -= a[i * m + j] * x[j];
  for (std::size_t i = m; i-- > 0;) {
    for (std::size_t j = i + 1; j < m; ++j) x[i] -= a[i * m + j] * x[j];
    x[i] /= a[i * m + i];
  }
}

}  // namespace bristle::detail
