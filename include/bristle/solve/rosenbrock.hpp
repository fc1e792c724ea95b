// SPDX-License-Identifier: MIT
// One step of Rodas5P, a stiffly accurate linearly implicit Runge-Kutta method of order 5 with an
// embedded error estimate of order 4 and dense output of order 4, written for the small fixed size
// of a System.
//
//   W u_i = f(t + alpha_i h, y + sum_j a_ij u_j) + sum_j (c_ij / h) u_j + gamma_i h f_t
//   W = I / (gamma h) - J,     y1 = y + sum_j a_8j u_j + u_8 (a_8j = a_7j = a_6j, a_76 = a_86 =
//   a_87 = 1),     error u_8
//
// J and f_t come from automatic derivatives in one evaluation, W is inverted once for eight stages,
// and the quadratures, which nothing depends on, are solved stage by stage without entering W.
// Source: G. Steinebach, Construction of Rosenbrock-Wanner method Rodas5P and numerical benchmarks
// within the Julia Differential Equations package, BIT 63 (2023); E. Hairer and G. Wanner, Solving
// Ordinary Differential Equations II, section IV.7 and IV.10.
//
// Written by hand because at three states it is several times faster than a general method
// (bench/).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/scalar/dual.hpp"
#include "bristle/solve/small_lu.hpp"
#include "bristle/solve/system.hpp"

namespace bristle {

namespace rodas {
inline constexpr double gamma = 0.21193756319429014;
inline constexpr double alpha[8] = {
    0,  0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1.0, 1.0,
    1.0};
inline constexpr double time_slope[8] = {0.21193756319429014,
                                         -0.42387512638858027,
                                         -0.3384627126235924,
                                         1.8046452872882734,
                                         2.325825639765069,
                                         0,
                                         0,
                                         0};
inline constexpr double a[6][5] = {
    {0, 0, 0, 0, 0},
    {3.0, 0, 0, 0, 0},
    {2.849394379747939, 0.45842242204463923, 0, 0, 0},
    {-6.954028509809101, 2.489845061869568, -10.358996098473584, 0, 0},
    {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641, 0},
    {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256,
     0.030198172008377946}};
inline constexpr double c[8][7] = {
    {0, 0, 0, 0, 0, 0, 0},
    {-14.155112264123755, 0, 0, 0, 0, 0, 0},
    {-17.97296035885952, -2.859693295451294, 0, 0, 0, 0, 0},
    {147.12150275711716, -1.41221402718213, 71.68940251302358, 0, 0, 0, 0},
    {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306, 0, 0, 0},
    {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125,
     -0.6610691825249471, 0, 0},
    {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783,
     -19.097331116725623, -28.087943162872662, 0},
    {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047,
     -40.06618937091002, -54.66780262877968, -9.48861652309627}};
inline constexpr double dense[3][8] = {
    {25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204,
     0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
    {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796,
     20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
    {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643,
     -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722}};
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

  // The estimate goes with the fourth power of the step, to be careful.
  static double root(double x) { return std::sqrt(std::sqrt(x)); }
  static double power(double x) { return square(square(x)); }

  // Evaluates the system and its derivatives at the start of the step.
  [[gnu::flatten]] void prepare(double t, const Extended& y, const Mode& mode) {
    t0_ = t;
    y0_ = y;
    mode_ = mode;
    using D = Dual<double, N + 1>;
    std::array<D, N> at, rate;
    std::array<D, Sys::powers> power;
    for (int i = 0; i < N; ++i) at[i] = variable<N + 1>(y[i], i);
    if constexpr (Q == 0) system_.rates(variable<N + 1>(t, N), at, mode, rate);
    else system_.evaluate(variable<N + 1>(t, N), at, mode, rate, power);
    const auto keep = [&](int i, const D& d) {
      f0_[i] = d.value;
      for (int j = 0; j < N; ++j) jacobian_[i][j] = d.slope[j];
      time_slope_[i] = d.slope[N];
    };
    for (int i = 0; i < N; ++i) keep(i, rate[i]);
    for (int i = 0; i < Q; ++i) keep(N + i, power[i]);
  }

  // Attempts the step; false if the matrix is singular or the step is too long for its matrix.
  // Reads out through y1() and error().
  [[gnu::flatten]] bool step(double h) {
    // (I - gamma h J)^-1 gamma h, so that nothing waits for a division by the step.
    const double span = rodas::gamma * h;
    SmallMatrix<N> w;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) w[i][j] = (i == j ? 1.0 : 0.0) - span * jacobian_[i][j];
    // Friction that falls steeply with speed makes a velocity grow. A step in which it grows more
    // than tenfold could turn its sign, which is no reversal.
    if constexpr (requires { requires Sys::set_valued && Sys::moves; })
      if (!(w[1][1] > 0.5)) return false;
    SmallInverse<N> inverse;
    if (!inverse.of(w, span)) return false;

    // What the stages need is local, so that it stays in registers.
    const Start start{t0_, h, 1.0 / h, mode_, y0_, f0_, time_slope_, inverse};
    Stages u;
    Extended at = y0_;
    stage<0>(start, u, at);
    stage<1>(start, u, at);
    stage<2>(start, u, at);
    stage<3>(start, u, at);
    stage<4>(start, u, at);
    stage<5>(start, u, at);
    for (int k = 0; k < All; ++k) at[k] += u[5][k];
    stage<6>(start, u, at);
    for (int k = 0; k < All; ++k) at[k] += u[6][k];
    stage<7>(start, u, at);
    for (int k = 0; k < All; ++k) y1_[k] = at[k] + u[7][k];
    u_ = u;
    h_ = h;
    open_ = false;
    return true;
  }

  // Whether velocity and bristle leave where they are by themselves: an eigenvalue of their part of
  // the Jacobian is positive. Without a bristle: friction falls with speed.
  bool breaks_away() const requires requires { Sys::set_valued; }
  {
    if constexpr (Sys::set_valued) return jacobian_[1][1] > 0.0;
    constexpr int z = N - 1;
    const double product = jacobian_[1][1] * jacobian_[z][z];
    return jacobian_[1][1] + jacobian_[z][z] > 0.0 || product < jacobian_[1][z] * jacobian_[z][1];
  }

  // Puts another value in place of that of a quadrature at the end of the step.
  void replace(int k, double value) { y1_[k] = value; }

  const Extended& y0() const { return y0_; }
  const Extended& y1() const { return y1_; }
  const Extended& error() const { return u_[7]; }
  const std::array<double, All>& rate0() const { return f0_; }

  State rough(double s) const { return states(dense(s)); }
  // The state a fraction s of the step after its start. What did not change is returned exactly.
  Extended dense(double s) const {
    Extended y;
    for (int k = 0; k < All; ++k) y[k] = dense(s, k);
    return y;
  }
  double dense(double s, int k) const {
    if (!open_) open_dense();
    const double curve = bend_[0][k] + s * (bend_[1][k] + s * bend_[2][k]);
    return y0_[k] + s * ((y1_[k] - y0_[k]) + (1.0 - s) * curve);
  }

  // A bound from below on a component times a sign between the ends of the step: a polynomial lies
  // above the least of its Bernstein coefficients.
  double lower_bound(int k, double sign) const {
    const double b0 = bend(0, k), b1 = bend(1, k), b2 = bend(2, k);
    const double first = y0_[k], slope = y1_[k] - y0_[k] + b0, second = b1 - b0;
    const std::array inner{first + 0.25 * slope, first + 0.5 * slope + (1.0 / 6.0) * second,
                           first + 0.75 * slope + 0.5 * second + 0.25 * (b2 - b1)};
    double low = std::min(sign * first, sign * y1_[k]);
    for (const double value : inner) low = std::min(low, sign * value);
    return low;
  }

  static State states(const Extended& y) {
    State s;
    for (int i = 0; i < N; ++i) s[i] = y[i];
    return s;
  }

 private:
  using Stages = std::array<Extended, 8>;
  struct Start {
    double t, h, inverse_h;
    Mode mode;
    Extended y, f, time_slope;
    SmallInverse<N> solve;
  };

  double bend(int i, int k) const {
    double sum = 0.0;
    for (int j = 0; j < 8; ++j) sum += rodas::dense[i][j] * u_[j][k];
    return sum;
  }
  // Most steps are read at their ends only.
  void open_dense() const {
    for (int k = 0; k < All; ++k)
      for (int i = 0; i < 3; ++i) bend_[i][k] = bend(i, k);
    open_ = true;
  }

  template <int I>
  void stage(const Start& start, Stages& u, Extended& at) const {
    // What is known before the rates are.
    Extended right;
    for (int k = 0; k < All; ++k) {
      double sum = 0.0;
      for (int j = 0; j < I; ++j) sum += rodas::c[I][j] * u[j][k];
      right[k] = sum * start.inverse_h;
      if constexpr (rodas::time_slope[I] != 0.0)
        right[k] += rodas::time_slope[I] * start.h * start.time_slope[k];
    }
    State solution;
    if constexpr (I == 0) {
      for (int k = 0; k < All; ++k) right[k] += start.f[k];
      solution = start.solve(states(right));
    } else {
      if constexpr (I < 6) {
        for (int k = 0; k < All; ++k) {
          double sum = start.y[k];
          for (int j = 0; j < I; ++j) sum += rodas::a[I][j] * u[j][k];
          at[k] = sum;
        }
      }
      State rate;
      std::array<double, Sys::powers> power;
      const double t = start.t + rodas::alpha[I] * start.h;
      if constexpr (Q == 0) system_.rates(t, states(at), start.mode, rate);
      else system_.evaluate(t, states(at), start.mode, rate, power);
      // What is known is solved for while the rates are on their way; the acceleration, which
      // waits for the force, comes last.
      solution = start.solve(states(right));
      constexpr int last = N > 1 ? 1 : 0;
      for (int j = 0; j < N; ++j)
        for (int i = 0; i < N && j != last; ++i) solution[i] += start.solve.at(i, j) * rate[j];
      for (int i = 0; i < N; ++i) solution[i] += start.solve.at(i, last) * rate[last];
      for (int i = 0; i < Q; ++i) right[N + i] += power[i];
    }
    for (int i = 0; i < N; ++i) u[I][i] = solution[i];
    // Quadratures: the last rows of the extended system, whose diagonal is 1 / (gamma h).
    for (int i = N; i < All; ++i) {
      double sum = right[i];
      for (int j = 0; j < N; ++j) sum += jacobian_[i][j] * solution[j];
      u[I][i] = rodas::gamma * start.h * sum;
    }
  }

  const Sys& system_;
  double t0_ = 0.0, h_ = 0.0;
  Mode mode_{};
  Extended y0_{}, y1_{}, f0_{}, time_slope_{};
  mutable std::array<Extended, 3> bend_{};  // made when the step is first read inside
  mutable bool open_ = false;
  std::array<std::array<double, N>, All> jacobian_{};
  Stages u_{};
};

}  // namespace bristle
