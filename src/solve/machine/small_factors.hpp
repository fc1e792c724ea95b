// SPDX-License-Identifier: MIT
// Small dense factors and solves, all row by row.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

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

// L and U in place with partial pivots, order receives the rows in their new order. False if a
// pivot is not above the floor.
inline bool factor_pivoted(double* a, int n, int* order, double floor) {
  for (int i = 0; i < n; ++i) order[i] = i;
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[best * n + k])) best = i;
    if (best != k) {
      for (int j = 0; j < n; ++j) std::swap(a[k * n + j], a[best * n + j]);
      std::swap(order[k], order[best]);
    }
    if (!(std::abs(a[k * n + k]) > floor)) return false;
    for (int i = k + 1; i < n; ++i) {
      const double part = a[i * n + k] /= a[k * n + k];
      if (part == 0.0) continue;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= part * a[k * n + j];
    }
  }
  return true;
}

// x becomes the solution; `sorted` is room for n numbers.
inline void solve_pivoted(const double* a, int n, const int* order, double* x, double* sorted) {
  for (int i = 0; i < n; ++i) {
    double sum = x[order[i]];
    for (int j = 0; j < i; ++j) sum -= a[i * n + j] * sorted[j];
    sorted[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = sorted[i];
    for (int j = i + 1; j < n; ++j) sum -= a[i * n + j] * x[j];
    x[i] = sum / a[i * n + i];
  }
}

}  // namespace bristle::detail
