// SPDX-License-Identifier: MIT
// LU factors of a small matrix of fixed size, without pivoting.
//
// The matrices are I / (gamma h) - J: the shift dominates as the step shrinks, so a vanishing pivot
// is cured by a smaller step and reported instead of pivoted away.
#pragma once

#include <array>
#include <cmath>

namespace bristle {

template <int N>
using SmallMatrix = std::array<std::array<double, N>, N>;

template <int N>
class SmallLu {
 public:
  // False if a pivot is zero or not finite.
  bool factor(const SmallMatrix<N>& matrix) {
    lu_ = matrix;
    for (int k = 0; k < N; ++k) {
      const double pivot = lu_[k][k];
      if (!(std::abs(pivot) > 1e-300) || !std::isfinite(pivot)) return false;
      inverse_[k] = 1.0 / pivot;
      for (int i = k + 1; i < N; ++i) {
        lu_[i][k] *= inverse_[k];
        for (int j = k + 1; j < N; ++j) lu_[i][j] -= lu_[i][k] * lu_[k][j];
      }
    }
    return true;
  }

  void solve(std::array<double, N>& b) const {
    for (int i = 1; i < N; ++i)
      for (int j = 0; j < i; ++j) b[i] -= lu_[i][j] * b[j];
    for (int i = N - 1; i >= 0; --i) {
      for (int j = i + 1; j < N; ++j) b[i] -= lu_[i][j] * b[j];
      b[i] *= inverse_[i];
    }
  }

 private:
  SmallMatrix<N> lu_{};
  std::array<double, N> inverse_{};
};

// The inverse of a small matrix: to solve is then one product, without a chain of divisions.
template <int N>
class SmallInverse {
 public:
  // Of the matrix, times a factor. False if it is singular or not finite.
  bool of(const SmallMatrix<N>& m, double factor) {
    if constexpr (N == 3) {
      // By cofactors: one division.
      const auto minor = [&](int a, int b, int c, int d) {
        return m[a][b] * m[c][d] - m[a][d] * m[c][b];
      };
      const double c0 = minor(1, 1, 2, 2), c1 = -minor(1, 0, 2, 2), c2 = minor(1, 0, 2, 1);
      const double determinant = m[0][0] * c0 + m[0][1] * c1 + m[0][2] * c2;
      if (!(std::abs(determinant) > 1e-300) || !std::isfinite(determinant)) return false;
      const double r = factor / determinant;
      inverse_ = {{{c0 * r, -minor(0, 1, 2, 2) * r, minor(0, 1, 1, 2) * r},
                   {c1 * r, minor(0, 0, 2, 2) * r, -minor(0, 0, 1, 2) * r},
                   {c2 * r, -minor(0, 0, 2, 1) * r, minor(0, 0, 1, 1) * r}}};
    } else {
      SmallLu<N> lu;
      if (!lu.factor(m)) return false;
      for (int j = 0; j < N; ++j) {
        std::array<double, N> column{};
        column[j] = factor;
        lu.solve(column);
        for (int i = 0; i < N; ++i) inverse_[i][j] = column[i];
      }
    }
    return true;
  }
  std::array<double, N> operator()(const std::array<double, N>& b) const {
    std::array<double, N> x{};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) x[i] += inverse_[i][j] * b[j];
    return x;
  }
  double at(int i, int j) const { return inverse_[i][j]; }

 private:
  SmallMatrix<N> inverse_{};
};

}  // namespace bristle
