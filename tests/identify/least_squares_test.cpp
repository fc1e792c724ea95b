// SPDX-License-Identifier: MIT
#include "bristle/identify/least_squares.hpp"

#include <limits>

#include "close.hpp"

namespace bristle::least_squares_test {
namespace {

constexpr double far = 1e6;

// Adds one residual with its derivatives.
template <std::size_t N>
double add(double r, const std::array<double, N>& slope, NormalEquations* e) {
  if (e)
    for (std::size_t i = 0; i < N; ++i) {
      e->gradient[i] += slope[i] * r;
      for (std::size_t j = 0; j < N; ++j) e->at(int(i), int(j)) += slope[i] * slope[j];
    }
  return 0.5 * r * r;
}

double rosenbrock(std::span<const double> x, NormalEquations* e) {
  if (e) e->reset(2);
  return add<2>(10.0 * (x[1] - x[0] * x[0]), {-20.0 * x[0], 10.0}, e) +
         add<2>(1.0 - x[0], {-1.0, 0.0}, e);
}

TEST(LeastSquares, FindsTheBottomOfRosenbrocksValley) {
  const std::vector<double> low(2, -far), high(2, far);
  const auto s = minimise(rosenbrock, {-1.2, 1.0}, low, high);
  EXPECT_EQ(s.status, FitStatus::converged) << s.message;
  EXPECT_NEAR(s.x[0], 1.0, 1e-8);
  EXPECT_NEAR(s.x[1], 1.0, 1e-8);
  EXPECT_LT(s.iterations, 60);
}

TEST(LeastSquares, StopsAtABoundWhereTheSlopePushesAgainstIt) {
  // With x <= 0.5 the least of Rosenbrock's function is at (0.5, 0.25).
  const std::vector<double> low{-far, -far}, high{0.5, far};
  const auto s = minimise(rosenbrock, {-1.2, 1.0}, low, high);
  EXPECT_EQ(s.status, FitStatus::converged) << s.message;
  EXPECT_EQ(s.x[0], 0.5);
  EXPECT_NEAR(s.x[1], 0.25, 1e-9);
}

TEST(LeastSquares, LeavesABoundThatTheStartStoodOn) {
  const std::vector<double> low{-1.2, -far}, high(2, far);
  const auto s = minimise(rosenbrock, {-1.2, 1.0}, low, high);
  EXPECT_NEAR(s.x[0], 1.0, 1e-8);
}

TEST(LeastSquares, SaysThatItDidNotConverge) {
  const std::vector<double> low(2, -far), high(2, far);
  const auto s = minimise(rosenbrock, {-1.2, 1.0}, low, high, {.iterations = 3});
  EXPECT_EQ(s.status, FitStatus::iterations_used_up);
  EXPECT_EQ(s.message, "not converged after 3 iterations");
  EXPECT_LT(s.cost, rosenbrock(std::vector<double>{-1.2, 1.0}, nullptr));
}

TEST(LeastSquares, RefusesStepsIntoWhatIsNotDefined) {
  // sqrt(x) - 0.1 from x = 4: the first full step leads below zero.
  const auto cost = [](std::span<const double> x, NormalEquations* e) {
    if (e) e->reset(1);
    if (!(x[0] > 0.0)) return std::numeric_limits<double>::quiet_NaN();
    return add<1>(std::sqrt(x[0]) - 0.1, {0.5 / std::sqrt(x[0])}, e);
  };
  const std::vector<double> low{-far}, high{far};
  const auto s = minimise(cost, {4.0}, low, high);
  EXPECT_EQ(s.status, FitStatus::converged) << s.message;
  EXPECT_NEAR(s.x[0], 0.01, 1e-10);
  EXPECT_EQ(minimise(cost, {-1.0}, low, high).status, FitStatus::not_defined);
}

TEST(LeastSquares, StopsWhenAsked) {
  const std::vector<double> low(2, -far), high(2, far);
  const auto s = minimise(rosenbrock, {-1.2, 1.0}, low, high, {.stop = [] { return true; }});
  EXPECT_EQ(s.status, FitStatus::stopped);
}

TEST(SymmetricMatrices, AreTakenApartIntoOrthogonalDirections) {
  test::Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 1 + random.below(9);
    std::vector<double> a(std::size_t(n * n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        a[std::size_t(i * n + j)] = a[std::size_t(j * n + i)] = random.uniform(-1.0, 1.0);
    const EigenPairs e = symmetric_eigen(a, n);
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) {
        double image = 0.0, product = 0.0;
        for (int j = 0; j < n; ++j) {
          image += a[std::size_t(i * n + j)] * e.vectors[std::size_t(k * n + j)];
          product += e.vectors[std::size_t(i * n + j)] * e.vectors[std::size_t(k * n + j)];
        }
        EXPECT_NEAR(image, e.values[std::size_t(k)] * e.vectors[std::size_t(k * n + i)], 1e-12);
        EXPECT_NEAR(product, i == k ? 1.0 : 0.0, 1e-12);
      }
  }
}

TEST(SymmetricMatrices, AreSolvedIfTheyArePositive) {
  std::vector<double> b{1.0, 2.0};
  ASSERT_TRUE(solve_symmetric({4.0, 1.0, 1.0, 3.0}, b));
  EXPECT_NEAR(b[0], 1.0 / 11.0, 1e-15);
  EXPECT_NEAR(b[1], 7.0 / 11.0, 1e-15);
  EXPECT_FALSE(solve_symmetric({1.0, 2.0, 2.0, 1.0}, b));
}

}  // namespace
}  // namespace bristle::least_squares_test
