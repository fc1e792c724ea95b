// SPDX-License-Identifier: MIT
// Nonlinear least squares for few unknowns and many residuals, within bounds.
//
// Levenberg-Marquardt on the normal equations J'J d = -J'r, which the problem adds up sample by
// sample in one pass, so that no Jacobian is ever stored. An unknown that stands at a bound and is
// pushed against it is left out of the step. The damping follows Nielsen's rule.
//
// Written here rather than taken from Ceres: for some ten unknowns and thousands of residuals that
// come out of one time loop, storing and factorising the Jacobian costs more than the residuals
// (bench/fit, which also checks that both find the same minimum), and this compiles wherever the
// laws do. Limits: dense, the condition of J enters squared; unknowns should be scaled (logarithms
// for positive numbers of unknown size).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bristle {

// A = J'J (full, row by row), g = J'r, for n unknowns.
struct NormalEquations {
  explicit NormalEquations(int unknowns = 0) { reset(unknowns); }
  void reset(int unknowns) {
    n = unknowns;
    matrix.assign(std::size_t(n) * std::size_t(n), 0.0);
    gradient.assign(std::size_t(n), 0.0);
  }
  double& at(int i, int j) { return matrix[std::size_t(i) * std::size_t(n) + std::size_t(j)]; }
  double at(int i, int j) const { return matrix[std::size_t(i) * std::size_t(n) + std::size_t(j)]; }

  int n = 0;
  std::vector<double> matrix, gradient;
};

// Half the sum of squares at x; the normal equations too on request. Not finite where
// the problem is not defined: such steps are refused.
using CostFunction = std::function<double(std::span<const double> x, NormalEquations* equations)>;

struct LeastSquaresOptions {
  int iterations = 200;
  double gradient_tolerance = 1e-9;  // cosine between the residuals and each column of J
  double cost_tolerance = 1e-13;     // relative fall of the cost by a step that was as predicted
  double step_tolerance = 1e-11;     // relative size of a step
  std::function<bool()> stop;        // called before each iteration
};

enum class FitStatus { converged, iterations_used_up, stopped, not_defined };

struct LeastSquaresSummary {
  FitStatus status = FitStatus::not_defined;
  std::string message;
  std::vector<double> x;
  double cost = 0.0;
  int iterations = 0, evaluations = 0;
  NormalEquations equations;  // at x
};

LeastSquaresSummary minimise(const CostFunction& cost, std::vector<double> start,
                             std::span<const double> lower, std::span<const double> upper,
                             const LeastSquaresOptions& options = {});

// Solves A x = b for a symmetric positive definite A (row by row); false if it is not.
bool solve_symmetric(std::vector<double> a, std::vector<double>& b);

// Eigenvalues (ascending) and eigenvectors (rows) of a symmetric matrix, by Jacobi's rotations.
struct EigenPairs {
  std::vector<double> values;
  std::vector<double> vectors;
};
EigenPairs symmetric_eigen(std::vector<double> a, int n);

}  // namespace bristle
