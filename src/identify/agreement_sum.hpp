// SPDX-License-Identifier: MIT
// Adds up how well predictions meet what was measured.
#pragma once

#include <algorithm>
#include <cmath>

#include "bristle/identify/fit.hpp"

namespace bristle {

class AgreementSum {
 public:
  void add(double measured, double predicted) {
    const double e = predicted - measured;
    ++a_.samples;
    sum_ += measured;
    squares_ += measured * measured;
    errors_ += e * e;
    a_.worst = std::max(a_.worst, std::abs(e));
    least_ = std::min(least_, measured), most_ = std::max(most_, measured);
  }
  Agreement result() const {
    Agreement a = a_;
    if (a.samples == 0) return a;
    const double n = double(a.samples);
    a.rmse = std::sqrt(errors_ / n);
    a.nrmse = most_ > least_ ? a.rmse / (most_ - least_) : 0.0;
    const double spread = squares_ - sum_ * sum_ / n;
    a.r2 = spread > 0.0 ? 1.0 - errors_ / spread : 0.0;
    return a;
  }

 private:
  Agreement a_;
  double sum_ = 0.0, squares_ = 0.0, errors_ = 0.0, least_ = INFINITY, most_ = -INFINITY;
};

}  // namespace bristle
