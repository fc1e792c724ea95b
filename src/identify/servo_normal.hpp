// SPDX-License-Identifier: MIT
// The cost of rollouts over several runs, and its normal equations.
#pragma once

#include "servo_parameters.hpp"

namespace bristle::detail {

using SquareMatrix = std::vector<std::vector<double>>;

// Of the scaled variables: the logarithm of a parameter that must be positive, else itself.
struct ServoNormal {
  double cost = 0.0;
  std::vector<double> gradient;  // half that of the cost
  SquareMatrix matrix;           // weighted, of Gauss and Newton
  // What each run adds to both.
  std::vector<std::vector<double>> run_gradient;
  std::vector<SquareMatrix> run_matrix;
};

class ServoCost {
 public:
  ServoCost(std::span<const ServoRun> runs, const ServoFitOptions& options);

  const std::vector<ServoParameter>& parameters() const { return parameters_; }
  static bool logarithmic(const ServoParameter& p) { return p.bounds.open_below; }

  double cost(const ServoModel<>& model);
  ServoNormal normal(const ServoModel<>& model);

  long rollouts = 0;

 private:
  std::span<const ServoRun> runs_;
  std::vector<ServoParameter> parameters_;
  double step_, scale_;
  std::vector<double> plain_;
  std::vector<Dual<double, 4>> lifted_;
  std::vector<double> rows_;  // derivatives of one run, one row per sample
};

}  // namespace bristle::detail
