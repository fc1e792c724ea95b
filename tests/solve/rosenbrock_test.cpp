// SPDX-License-Identifier: MIT
// The method by itself: order by halving the step, dense output, quadratures, derivatives.
#include "bristle/solve/rosenbrock.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/solve/explicit_rk.hpp"

namespace bristle::rosenbrock_test {
namespace {

// Two smooth nonlinear equations that depend on time, with the closed solution
//   a = exp(sin t),  b = cos t / (1 + t),  integral of a b' + a' b is a b.
struct SmoothSystem {
  static constexpr int size = 2;
  static constexpr int powers = 3;
  template <class S>
  void evaluate(const S& t, const std::array<S, 2>& y, const Mode&, std::array<S, 2>& dydt,
                std::array<S, 3>& power) const {
    // Terms that vanish on the solution make it nonlinear.
    const S a = exp(sin(t)), b = cos(t) / (1.0 + t);
    dydt[0] = cos(t) * y[0] - 0.5 * (y[0] * y[0] - a * a);
    dydt[1] = -sin(t) / (1.0 + t) - b / (1.0 + t) - (y[1] - b) * y[0];
    power = {y[0] * dydt[1] + dydt[0] * y[1], y[0], y[1]};
  }
  static std::array<double, 2> solution(double t) {
    return {std::exp(std::sin(t)), std::cos(t) / (1 + t)};
  }
};

struct Errors {
  double state, quadrature, dense;
};

template <template <class, bool> class Stepper = Rosenbrock>
Errors run(int steps) {
  const SmoothSystem system;
  Stepper<SmoothSystem, true> method(system);
  const double end = 2.0, h = end / steps;
  const auto start = SmoothSystem::solution(0.0);
  typename Stepper<SmoothSystem, true>::Extended y{start[0], start[1], 0, 0, 0};
  Errors e{0, 0, 0};
  for (int i = 0; i < steps; ++i) {
    method.prepare(i * h, y, Mode{});
    EXPECT_TRUE(method.step(h));
    const auto middle = method.dense(0.37);
    const auto exact = SmoothSystem::solution((i + 0.37) * h);
    for (int k = 0; k < 2; ++k) e.dense = std::max(e.dense, std::abs(middle[k] - exact[k]));
    y = method.y1();
  }
  const auto exact = SmoothSystem::solution(end);
  e.state = std::max(std::abs(y[0] - exact[0]), std::abs(y[1] - exact[1]));
  e.quadrature = std::abs(y[2] - (exact[0] * exact[1] - start[0] * start[1]));
  return e;
}

TEST(Rosenbrock, HasOrderFiveForStatesAndQuadratures) {
  const Errors coarse = run(40), fine = run(80);
  EXPECT_NEAR(std::log2(coarse.state / fine.state), 5.0, 0.2);
  EXPECT_NEAR(std::log2(coarse.quadrature / fine.quadrature), 5.0, 0.2);
}

TEST(Rosenbrock, HasDenseOutputOfOrderFour) {
  // Order four of the interpolation means an error of h^5 within a step.
  const Errors coarse = run(40), fine = run(80);
  EXPECT_NEAR(std::log2(coarse.dense / fine.dense), 5.0, 0.6);
}

TEST(Rosenbrock, EstimatesTheErrorOfAStep) {
  const SmoothSystem system;
  Rosenbrock<SmoothSystem> method(system);
  const auto start = SmoothSystem::solution(0.0);
  method.prepare(0.0, {start[0], start[1], 0, 0, 0}, Mode{});
  // The estimate is that of the embedded method of order 4: it falls with h^5 and bounds the error.
  method.step(0.02);
  const double large = std::abs(method.error()[0]);
  EXPECT_LT(std::abs(method.y1()[0] - SmoothSystem::solution(0.02)[0]), large);
  method.step(0.01);
  EXPECT_NEAR(std::log2(large / std::abs(method.error()[0])), 5.0, 0.5);
}

TEST(Explicit, HasOrderEightForStatesAndQuadratures) {
  const Errors coarse = run<Explicit>(6), fine = run<Explicit>(12);
  EXPECT_GT(std::log2(coarse.state / fine.state), 7.5);
  EXPECT_GT(std::log2(coarse.quadrature / fine.quadrature), 7.5);
}

TEST(Explicit, HasDenseOutputOfOrderSeven) {
  const Errors coarse = run<Explicit>(6), fine = run<Explicit>(12);
  EXPECT_GT(std::log2(coarse.dense / fine.dense), 7.0);
}

TEST(Explicit, EstimatesTheErrorOfAStep) {
  const SmoothSystem system;
  Explicit<SmoothSystem, true> method(system);
  const auto start = SmoothSystem::solution(0.0);
  method.prepare(0.0, {start[0], start[1], 0, 0, 0}, Mode{});
  method.step(0.3);
  const double large = std::abs(method.error()[0]);
  EXPECT_LT(std::abs(method.y1()[0] - SmoothSystem::solution(0.3)[0]), large);
  method.step(0.15);
  EXPECT_GT(std::log2(large / std::abs(method.error()[0])), 6.0);
}

// Moving the end of a step by a little is as good as a step of that size.
TEST(Explicit, MovesTheEndOfItsStepAlongTheSolution) {
  const SmoothSystem system;
  Explicit<SmoothSystem, true> method(system);
  const auto start = SmoothSystem::solution(0.0);
  method.prepare(0.0, {start[0], start[1], 0, 0, 0}, Mode{});
  method.step(0.1);
  method.nudge(1e-6);
  EXPECT_NEAR(method.y1()[0], SmoothSystem::solution(0.100001)[0], 1e-11);
  EXPECT_NEAR(method.y1()[1], SmoothSystem::solution(0.100001)[1], 1e-11);
}

TEST(Rosenbrock, RefusesASingularMatrixInsteadOfDividingByZero) {
  SmallLu<2> lu;
  EXPECT_FALSE(lu.factor({{{0.0, 1.0}, {1.0, 0.0}}}));
  EXPECT_FALSE(lu.factor({{{std::nan(""), 1.0}, {1.0, 1.0}}}));
}

TEST(Rosenbrock, SolvesItsLinearSystems) {
  SmallLu<3> lu;
  const SmallMatrix<3> a{{{4.0, 1.0, -2.0}, {0.5, 3.0, 1.0}, {-1.0, 2.0, 5.0}}};
  ASSERT_TRUE(lu.factor(a));
  std::array<double, 3> x{1.0, -2.0, 3.0}, b{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b[i] += a[i][j] * x[j];
  lu.solve(b);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(b[i], x[i], 1e-14);
}

TEST(System, HasTheDerivativesOfDifferences) {
  using Sys = System<DraggedMass, LuGre<>>;
  const Sys system(DraggedMass{}, LuGre<>{});
  const double t = 3.0;
  const std::array<double, 3> y{0.29, 0.0007, 1.1e-5}, size{1e-3, 1e-7, 1e-9};
  const Mode mode{{1.0, 0.0}, 0};
  using D = Dual<double, 4>;
  std::array<D, 3> at, rate;
  std::array<D, 3> power;
  for (int i = 0; i < 3; ++i) at[i] = variable<4>(y[i], i);
  system.evaluate(variable<4>(t, 3), at, mode, rate, power);
  for (int j = 0; j < 4; ++j) {
    auto low = y, high = y;
    const double delta = j < 3 ? size[j] : 1e-3;
    if (j < 3) low[j] -= delta, high[j] += delta;
    std::array<double, 3> f_low, f_high, p_low, p_high;
    system.evaluate(j < 3 ? t : t - delta, low, mode, f_low, p_low);
    system.evaluate(j < 3 ? t : t + delta, high, mode, f_high, p_high);
    for (int i = 0; i < 3; ++i) {
      const double slope = (f_high[i] - f_low[i]) / (2 * delta);
      EXPECT_NEAR(rate[i].slope[j], slope, 1e-5 * (1.0 + std::abs(slope))) << i << j;
      const double power_slope = (p_high[i] - p_low[i]) / (2 * delta);
      EXPECT_NEAR(power[i].slope[j], power_slope, 1e-5 * (1.0 + std::abs(power_slope))) << i << j;
    }
  }
}

}  // namespace
}  // namespace bristle::rosenbrock_test
