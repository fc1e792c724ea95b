// SPDX-License-Identifier: MIT
// One step of DOP853, of order 8, for systems that are smooth and not stiff within a mode: bodies
// on rows of bristles, whose force depends on the position alone. It has the interface of
// Rosenbrock for the integrator.
//
// Written by hand because at two to four states known at compile time it is many times faster than
// a general method, and because the coefficients that are zero drop out.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "bristle/solve/dop853_table.hpp"
#include "bristle/solve/system.hpp"

namespace bristle {

template <class Sys, bool WithPowers = true>
class Explicit {
 public:
  static constexpr int N = Sys::size;
  static constexpr int Q = WithPowers ? Sys::powers : 0;
  static constexpr int All = N + Q;
  using State = std::array<double, N>;
  using Extended = std::array<double, All>;

  explicit Explicit(const Sys& system) : system_(system) {}

  // The error goes with the eighth power of the step.
  static double root(double x) { return std::sqrt(std::sqrt(std::sqrt(x))); }
  static double power(double x) { return square(square(square(x))); }

  void prepare(double t, const Extended& y, const Mode& mode) {
    t0_ = t;
    y0_ = y;
    mode_ = mode;
    rates(t, y, k_[0]);
  }

  [[gnu::flatten]] bool step(double h) {
    h_ = h;
    stages(std::make_index_sequence<11>{});
    for (int i = 0; i < All; ++i) y1_[i] = y0_[i] + h * weighed<dop853::stages>(dop853::b, i);
    rates(t0_ + h, y1_, k_[12]);
    for (int i = 0; i < All; ++i) {
      const double five = weighed<13>(dop853::error5, i), three = weighed<13>(dop853::error3, i);
      const double size = five * five + 0.01 * three * three;
      error_[i] = size == 0.0 ? 0.0 : h * five * five / std::sqrt(size);  // NaN stays NaN
    }
    opened_ = false;
    return true;
  }

  // Puts another value in place of that of a quadrature at the end of the step.
  void replace(int k, double value) { y1_[k] = value; }

  const Extended& y0() const { return y0_; }
  const Extended& y1() const { return y1_; }
  const Extended& error() const { return error_; }
  const Extended& rate0() const { return k_[0]; }

  // Between the ends by the cubic through values and slopes: good enough to bracket a crossing.
  State rough(double s) const {
    State y;
    for (int i = 0; i < N; ++i) {
      const double rise = y1_[i] - y0_[i];
      y[i] = y0_[i] + s * (rise + (1.0 - s) * ((1.0 - s) * (h_ * k_[0][i] - rise) -
                                               s * (h_ * k_[12][i] - rise)));
    }
    return y;
  }
  Extended dense(double s) const {
    if (s == 0.0) return y0_;
    if (s == 1.0) return y1_;
    Extended y;
    read<All>(s, y);
    return y;
  }
  // The states alone, for guards.
  State dense_states(double s) const {
    State y;
    read<N>(s, y);
    return y;
  }

  // A bound from below on a component times a sign between the ends of the step: the least
  // Bernstein coefficient of the cubic through values and slopes at the ends, less a tenth of their
  // spread for what the cubic does not follow.
  double lower_bound(int k, double sign) const {
    const std::array value{sign * y0_[k], sign * (y0_[k] + h_ * k_[0][k] / 3.0),
                           sign * (y1_[k] - h_ * k_[12][k] / 3.0), sign * y1_[k]};
    const auto [low, high] = std::minmax_element(value.begin(), value.end());
    return *low - 0.1 * (*high - *low);
  }
  double dense(double s, int k) const {
    if (s == 0.0) return y0_[k];
    return s == 1.0 ? y1_[k] : dense_states(s)[k];
  }

  // Moves the end of the step by a little, along the rates there.
  void nudge(double by) {
    open();
    for (int i = 0; i < All; ++i) y1_[i] += by * k_[12][i];
    h_ += by;
    rates(t0_ + h_, y1_, k_[12]);
    for (int i = 0; i < All; ++i) bend_[0][i] = y1_[i] - y0_[i];
  }

  static State states(const Extended& y) {
    State s;
    for (int i = 0; i < N; ++i) s[i] = y[i];
    return s;
  }

 private:
  void rates(double t, const Extended& y, Extended& k) const {
    State rate;
    if constexpr (Q == 0) {
      system_.rates(t, states(y), mode_, rate);
    } else {
      std::array<double, Sys::powers> power;
      system_.evaluate(t, states(y), mode_, rate, power);
      for (int i = 0; i < Q; ++i) k[N + i] = power[i];
    }
    for (int i = 0; i < N; ++i) k[i] = rate[i];
  }

  template <int Count>
  double weighed(const double* weights, int i) const {
    double sum = 0.0;
    for (int j = 0; j < Count; ++j)
      if (weights[j] != 0.0) sum += weights[j] * k_[j][i];
    return sum;
  }
  template <int I, std::size_t... J>
  double combined(int i, std::index_sequence<J...>) const {
    double sum = 0.0;
    ((dop853::a[I][J] != 0.0 ? void(sum += dop853::a[I][J] * k_[J][i]) : void()), ...);
    return sum;
  }
  template <int I>
  void stage() const {
    Extended at;
    for (int i = 0; i < All; ++i)
      at[i] = y0_[i] + h_ * combined<I>(i, std::make_index_sequence<I>{});
    rates(t0_ + dop853::time[I] * h_, at, k_[I]);
  }
  template <std::size_t... I>
  void stages(std::index_sequence<I...>) {
    (stage<int(I) + 1>(), ...);
  }

  template <int Count, class Out>
  void read(double s, Out& y) const {
    open();
    for (int i = 0; i < Count; ++i) {
      double v = 0.0;
      for (int j = 6; j >= 0; --j) v = (v + bend_[j][i]) * (j % 2 ? 1.0 - s : s);
      y[i] = y0_[i] + v;
    }
  }

  // The three stages that are needed for dense output only.
  void open() const {
    if (opened_) return;
    stage<13>();
    stage<14>();
    stage<15>();
    for (int i = 0; i < All; ++i) {
      const double rise = y1_[i] - y0_[i];
      bend_[0][i] = rise;
      bend_[1][i] = h_ * k_[0][i] - rise;
      bend_[2][i] = 2.0 * rise - h_ * (k_[12][i] + k_[0][i]);
      for (int j = 0; j < 4; ++j) bend_[3 + j][i] = h_ * weighed<16>(dop853::dense[j], i);
    }
    opened_ = true;
  }

  const Sys& system_;
  double t0_ = 0.0, h_ = 0.0;
  Mode mode_{};
  Extended y0_{}, y1_{}, error_{};
  mutable std::array<Extended, 16> k_{};
  mutable std::array<Extended, 7> bend_{};
  mutable bool opened_ = false;
};

}  // namespace bristle
