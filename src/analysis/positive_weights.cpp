// SPDX-License-Identifier: MIT
#include "positive_weights.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

// The solution of the rows and columns of a symmetric system that are chosen, by elimination.
std::vector<double> solve(const Matrix& gram, const std::vector<double>& right,
                          const std::vector<std::size_t>& chosen) {
  const std::size_t n = chosen.size();
  Matrix a(n, std::vector<double>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i][j] = gram[chosen[i]][chosen[j]];
    a[i][i] *= 1.0 + 1e-12;  // plays that hardly differ
    a[i][n] = right[chosen[i]];
  }
  StopLook stop;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) {
      stop();
      const double part = a[i][k] / a[k][k];
      for (std::size_t j = k; j <= n; ++j) a[i][j] -= part * a[k][j];
    }
  std::vector<double> x(n);
  for (std::size_t i = n; i-- > 0;) {
    double sum = a[i][n];
    for (std::size_t j = i + 1; j < n; ++j) sum -= a[i][j] * x[j];
    x[i] = sum / a[i][i];
  }
  return x;
}

}  // namespace

double largest_input(std::span<const MeasuredRun> runs) {
  if (runs.empty()) throw InvalidInput("runs", "there is nothing to fit");
  double largest = 0.0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto& run = runs[r];
    const std::string which = "run " + std::to_string(r + 1);
    if (run.input.size() != run.output.size() || run.input.empty())
      throw InvalidInput("runs", which + " has " + std::to_string(run.input.size()) +
                                     " inputs and " + std::to_string(run.output.size()) +
                                     " outputs");
    for (std::size_t i = 0; i < run.input.size(); ++i) {
      if (!std::isfinite(run.input[i]) || !std::isfinite(run.output[i]))
        throw InvalidInput("runs", which + ", row " + std::to_string(i + 1) + " is not a number");
      largest = std::max(largest, std::abs(run.input[i]));
    }
  }
  if (largest == 0.0) throw InvalidInput("runs", "the input does not vary");
  return largest;
}

std::vector<double> positive_weights(const Matrix& gram, const std::vector<double>& right) {
  const std::size_t n = right.size();
  std::vector<double> p(n, 0.0);
  std::vector<std::size_t> free;
  double size = 0.0;
  for (const double r : right) size = std::max(size, std::abs(r));
  for (std::size_t round = 0; round < 3 * n; ++round) {
    stop_if_asked();
    // The weight at its bound that wants most to leave it.
    std::size_t best = n;
    double steepest = 1e-12 * size;
    for (std::size_t i = 0; i < n; ++i) {
      if (std::find(free.begin(), free.end(), i) != free.end()) continue;
      double slope = right[i];
      for (std::size_t j = 0; j < n; ++j) slope -= gram[i][j] * p[j];
      if (slope > steepest) steepest = slope, best = i;
    }
    if (best == n) break;
    free.push_back(best);
    for (;;) {
      const auto x = solve(gram, right, free);
      double step = 1.0;
      for (std::size_t k = 0; k < free.size(); ++k)
        if (x[k] <= 0.0) step = std::min(step, p[free[k]] / (p[free[k]] - x[k]));
      for (std::size_t k = 0; k < free.size(); ++k) p[free[k]] += step * (x[k] - p[free[k]]);
      if (step == 1.0) break;
      std::erase_if(free, [&](std::size_t i) {
        if (p[i] > 1e-14) return false;
        p[i] = 0.0;
        return true;
      });
    }
  }
  return p;
}

}  // namespace bristle
