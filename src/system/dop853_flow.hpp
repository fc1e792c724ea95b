// SPDX-License-Identifier: MIT
// DOP853 for a number of states known at run time. explicit_rk.hpp is the same method for two to
// four states known at compile time, where it is ten times faster; systems of the documents have up
// to forty.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "bristle/solve/dop853_table.hpp"

namespace bristle::detail {

class Dop853Flow {
 public:
  using Rates = std::function<void(double t, const double* y, double* dydt)>;

  Dop853Flow(int size, Rates rates) : n_(std::size_t(size)), rates_(std::move(rates)) {
    y0.resize(n_);
    y1.resize(n_);
    error.resize(n_);
    at_.resize(n_);
    for (auto& k : k_) k.resize(n_);
    for (auto& b : bend_) b.resize(n_);
  }

  std::vector<double> y0, y1, error;
  long evaluations = 0;

  void begin(double t) {
    t0_ = t;
    call(t, y0, k_[0]);
  }
  // Whether all numbers stayed finite.
  bool step(double h) {
    h_ = h;
    opened_ = false;
    for (int i = 1; i < dop853::stages; ++i) stage(i);
    for (std::size_t i = 0; i < n_; ++i) y1[i] = y0[i] + h * weighed(dop853::b, 12, i);
    call(t0_ + h, y1, k_[12]);
    bool finite = true;
    for (std::size_t i = 0; i < n_; ++i) {
      const double five = weighed(dop853::error5, 13, i), three = weighed(dop853::error3, 13, i);
      const double size = five * five + 0.01 * three * three;
      error[i] = size == 0.0 ? 0.0 : h * five * five / std::sqrt(size);  // NaN stays NaN
      finite = finite && std::isfinite(y1[i]);
    }
    return finite;
  }
  // The state at a fraction of the step.
  void dense(double s, double* y) {
    open();
    for (std::size_t i = 0; i < n_; ++i) {
      double v = 0.0;
      for (int j = 6; j >= 0; --j) v = (v + bend_[j][i]) * (j % 2 ? 1.0 - s : s);
      y[i] = y0[i] + v;
    }
  }
  // The same as a function that outlives the step.
  std::function<void(double s, double* y)> dense_step() {
    open();
    std::vector<double> all = y0;
    for (const auto& b : bend_) all.insert(all.end(), b.begin(), b.end());
    return [n = n_, all = std::move(all)](double s, double* y) {
      for (std::size_t i = 0; i < n; ++i) {
        double v = 0.0;
        for (std::size_t j = 7; j-- > 0;) v = (v + all[(j + 1) * n + i]) * (j % 2 ? 1.0 - s : s);
        y[i] = all[i] + v;
      }
    };
  }
  void advance() {
    t0_ += h_;
    y0 = y1;
    k_[0] = k_[12];
  }

 private:
  void call(double t, const std::vector<double>& y, std::vector<double>& k) {
    rates_(t, y.data(), k.data());
    ++evaluations;
  }
  double weighed(const double* weights, int count, std::size_t i) const {
    double sum = 0.0;
    for (int j = 0; j < count; ++j)
      if (weights[j] != 0.0) sum += weights[j] * k_[j][i];
    return sum;
  }
  void stage(int s) {
    for (std::size_t i = 0; i < n_; ++i) at_[i] = y0[i] + h_ * weighed(dop853::a[s], s, i);
    call(t0_ + dop853::time[s] * h_, at_, k_[s]);
  }
  void open() {
    if (opened_) return;
    for (int s = 13; s < 16; ++s) stage(s);
    for (std::size_t i = 0; i < n_; ++i) {
      const double rise = y1[i] - y0[i];
      bend_[0][i] = rise;
      bend_[1][i] = h_ * k_[0][i] - rise;
      bend_[2][i] = 2.0 * rise - h_ * (k_[12][i] + k_[0][i]);
      for (int j = 0; j < 4; ++j) bend_[3 + j][i] = h_ * weighed(dop853::dense[j], 16, i);
    }
    opened_ = true;
  }

  std::size_t n_;
  Rates rates_;
  double t0_ = 0.0, h_ = 0.0;
  bool opened_ = false;
  std::vector<double> at_;
  std::vector<double> k_[16], bend_[7];
};

}  // namespace bristle::detail
