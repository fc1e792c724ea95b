// SPDX-License-Identifier: MIT
// LU factors of a small matrix of fixed size, without pivoting.
//
// The matrices are I / (gamma h) - J: the shift dominates as the step shrinks, so a vanishing pivot is
// cured by a smaller step and reported instead of pivoted away.
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

}  // namespace bristle
