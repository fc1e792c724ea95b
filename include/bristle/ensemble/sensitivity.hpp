// SPDX-License-Identifier: MIT
// Global sensitivity: which of the inputs of a function its output depends on, over the whole range
// of the inputs, which are independent and uniform in the unit cube (quantiles make any other).
//
// Sobol indices. The variance of y is split: first order S_i = Var(E[y | x_i]) / Var(y) is the part
// that x_i explains alone, the total index T_i = E[Var(y | x without x_i)] / Var(y) that with all
// of its interactions. From rows A_j and B_j of two samples, and AB_ij = A_j with x_i of B_j:
//   S_i = mean_j( f(B_j) (f(AB_ij) - f(A_j)) ) / V      Saltelli et al. 2010, table 2 (b)
//   T_i = mean_j( (f(A_j) - f(AB_ij))^2 ) / (2 V)       Jansen 1999, table 2 (f)
// with f less its mean. A. Saltelli et al., Comput. Phys. Commun. 181 (2010) 259-270. The samples
// are points of a shifted Sobol sequence of 2 n dimensions, random ones for n > 10.
//
// Morris. Paths through a grid of `levels` values per input change one input at a time by
// delta = levels / (2 (levels - 1)); each gives one elementary effect (y2 - y1) / delta per input.
// mu is their mean, mu_star the mean of their sizes, sigma their standard deviation.
// M. D. Morris, Technometrics 33 (1991) 161-174; mu_star: F. Campolongo et al., Environ. Model.
// Softw. 22 (2007) 1509-1518. Of a normal input the grid spans the middle 99 %.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace bristle {

struct SensitivityDesign {
  enum Method { sobol_indices, morris };

  Method method = sobol_indices;
  int inputs = 1;
  std::uint64_t samples = 1024;  // rows of A, or paths
  std::uint64_t seed = 1;
  static constexpr int levels = 4;  // of the grid of Morris

  std::uint64_t block() const;  // runs of one row or path
  std::uint64_t runs() const { return samples * block(); }
  std::vector<double> point(std::uint64_t run) const;  // in the unit cube
  void check() const;
};

// Of one input; half_width is that of the 95 % confidence interval, by resampling rows or paths.
struct InputSensitivity {
  double first = 0.0, first_half_width = 0.0;  // S, or mu
  double total = 0.0, total_half_width = 0.0;  // T, or mu_star
  double sigma = 0.0;                          // of Morris
};

struct SensitivityResult {
  std::vector<InputSensitivity> inputs;
  std::uint64_t used = 0;  // rows or paths all of whose values are finite; the others are left out
  double mean = 0.0, variance = 0.0;
};

// `values` are those of the runs in their order; one that is not finite leaves out its row or path.
// Without two usable rows, or with no variance, the indices are NaN.
SensitivityResult sensitivities(const SensitivityDesign& design, std::span<const double> values);

}  // namespace bristle
