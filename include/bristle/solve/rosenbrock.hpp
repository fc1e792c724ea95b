// SPDX-License-Identifier: MIT
// One step of RODAS, a stiffly accurate linearly implicit Runge-Kutta method of order 4 with an embedded
// error estimate of order 3 and dense output of order 3, written for the small fixed size of a System.
//
//   W u_i = f(t + alpha_i h, y + sum_j a_ij u_j) + sum_j (c_ij / h) u_j + gamma_i h f_t
//   W = I / (gamma h) - J,     y1 = y + sum_j a_6j u_j + u_6 (a_6j = a_5j, a_65 = 1),     error u_6
//
// J and f_t come from automatic derivatives in one evaluation, W is factored once for six stages, and
// the quadratures, which nothing depends on, are solved stage by stage without entering W.
// Source: E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, section IV.7 and IV.10.
//
// Written by hand because at three states it is several times faster than a general method (bench/).
#pragma once

#include <array>
#include <cmath>

#include "bristle/scalar/dual.hpp"
#include "bristle/solve/small_lu.hpp"
#include "bristle/solve/system.hpp"

namespace bristle {

namespace rodas {
inline constexpr double gamma = 0.25;
inline constexpr double alpha[6] = {0.0, 0.386, 0.21, 0.63, 1.0, 1.0};
inline constexpr double time_slope[6] = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0.0, 0.0};
inline constexpr double a[5][4] = {
    {0, 0, 0, 0},
    {1.544000000000000, 0, 0, 0},
    {0.9466785280815826, 0.2557011698983284, 0, 0},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817, 0},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950}};
inline constexpr double c[6][5] = {
    {0, 0, 0, 0, 0},
    {-5.668800000000000, 0, 0, 0, 0},
    {-2.430093356833875, -0.2063599157091915, 0, 0, 0},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616, 0, 0},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160, 0},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054}};
inline constexpr double dense[2][5] = {
    {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
     1.025137723295662},
    {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
     -6.594389125716872}};
}  // namespace rodas

template <class Sys, bool WithPowers = true>
class Rosenbrock {
 public:
  static constexpr int N = Sys::size;
  static constexpr int Q = WithPowers ? Sys::powers : 0;
  static constexpr int All = N + Q;  // the states followed by the quadratures
  using State = std::array<double, N>;
  using Extended = std::array<double, All>;

  explicit Rosenbrock(const Sys& system) : system_(system) {}

  // Evaluates the system and its derivatives at the start of the step.
  void prepare(double t, const Extended& y, const Mode& mode) {
    t0_ = t;
    y0_ = y;
    mode_ = mode;
    using D = Dual<double, N + 1>;
    std::array<D, N> at, rate;
    std::array<D, Sys::powers> power;
    for (int i = 0; i < N; ++i) at[i] = variable<N + 1>(y[i], i);
    system_.evaluate(variable<N + 1>(t, N), at, mode, rate, power);
    const auto keep = [&](int i, const D& d) {
      f0_[i] = d.value;
      for (int j = 0; j < N; ++j) jacobian_[i][j] = d.slope[j];
      time_slope_[i] = d.slope[N];
    };
    for (int i = 0; i < N; ++i) keep(i, rate[i]);
    for (int i = 0; i < Q; ++i) keep(N + i, power[i]);
  }

  // Attempts the step; false if the matrix is singular. Reads out through y1() and error().
  bool step(double h) {
    h_ = h;
    const double shift = 1.0 / (rodas::gamma * h);
    SmallMatrix<N> w;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) w[i][j] = (i == j ? shift : 0.0) - jacobian_[i][j];
    if (!lu_.factor(w)) return false;

    Extended at = y0_;
    stage<0>(at);
    stage<1>(at);
    stage<2>(at);
    stage<3>(at);
    stage<4>(at);
    for (int k = 0; k < All; ++k) at[k] += u_[4][k];
    stage<5>(at);
    for (int k = 0; k < All; ++k) y1_[k] = at[k] + u_[5][k];
    return true;
  }

  const Extended& y0() const { return y0_; }
  const Extended& y1() const { return y1_; }
  const Extended& error() const { return u_[5]; }
  const std::array<double, All>& rate0() const { return f0_; }

  // Makes ready for reading between the ends of the step.
  void open_dense() {
    for (int k = 0; k < All; ++k) {
      bend_[k] = twist_[k] = 0.0;
      for (int j = 0; j < 5; ++j) {
        bend_[k] += rodas::dense[0][j] * u_[j][k];
        twist_[k] += rodas::dense[1][j] * u_[j][k];
      }
    }
  }
  // The state a fraction s of the step after its start. What did not change is returned exactly.
  Extended dense(double s) const {
    Extended y;
    for (int k = 0; k < All; ++k) y[k] = dense(s, k);
    return y;
  }
  double dense(double s, int k) const {
    const double r = 1.0 - s;
    return y0_[k] + s * ((y1_[k] - y0_[k]) + r * (bend_[k] + s * twist_[k]));
  }

  // The fraction of the step at which a component, times a sign, is lowest between the ends; 0.5 if it has
  // no minimum there.
  double lowest(int k, double sign) const {
    const double rise = y1_[k] - y0_[k], a = -3.0 * twist_[k], b = 2.0 * (twist_[k] - bend_[k]), c = rise + bend_[k];
    // The slope a s^2 + b s + c must go from negative to positive.
    if (!(sign * c < 0.0 && sign * (a + b + c) > 0.0)) return 0.5;
    const double root = std::sqrt(std::max(0.0, b * b - 4.0 * a * c));
    const double s = -2.0 * c / (b + (sign > 0.0 ? root : -root));
    return s > 0.0 && s < 1.0 ? s : 0.5;
  }

  static State states(const Extended& y) {
    State s;
    for (int i = 0; i < N; ++i) s[i] = y[i];
    return s;
  }

 private:
  template <int I>
  void stage(Extended& at) {
    // The rates at the stage; the first is known.
    Extended right;
    if constexpr (I == 0) {
      right = f0_;
    } else {
      if constexpr (I < 5) {
        for (int k = 0; k < All; ++k) {
          at[k] = y0_[k];
          for (int j = 0; j < I; ++j) at[k] += rodas::a[I][j] * u_[j][k];
        }
      }
      std::array<double, N> rate;
      std::array<double, Sys::powers> power;
      system_.evaluate(t0_ + rodas::alpha[I] * h_, states(at), mode_, rate, power);
      for (int i = 0; i < N; ++i) right[i] = rate[i];
      for (int i = 0; i < Q; ++i) right[N + i] = power[i];
    }
    const double inverse = 1.0 / h_;
    for (int k = 0; k < All; ++k) {
      double sum = 0.0;
      for (int j = 0; j < I; ++j) sum += rodas::c[I][j] * u_[j][k];
      right[k] += sum * inverse;
      if constexpr (rodas::time_slope[I] != 0.0)
        right[k] += rodas::time_slope[I] * h_ * time_slope_[k];
    }
    std::array<double, N> solution = states(right);
    lu_.solve(solution);
    for (int i = 0; i < N; ++i) u_[I][i] = solution[i];
    // Quadratures: the last rows of the extended system, whose diagonal is 1 / (gamma h).
    for (int i = N; i < All; ++i) {
      double sum = right[i];
      for (int j = 0; j < N; ++j) sum += jacobian_[i][j] * solution[j];
      u_[I][i] = rodas::gamma * h_ * sum;
    }
  }

  const Sys& system_;
  double t0_ = 0.0, h_ = 0.0;
  Mode mode_{};
  Extended y0_{}, y1_{}, f0_{}, time_slope_{}, bend_{}, twist_{};
  std::array<std::array<double, N>, All> jacobian_{};
  std::array<Extended, 6> u_{};
  SmallLu<N> lu_;
};

}  // namespace bristle
