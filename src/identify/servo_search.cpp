// SPDX-License-Identifier: MIT
#include "servo_search.hpp"

#include <cmath>

#include "bristle/identify/least_squares.hpp"
#include "starts.hpp"

namespace bristle::detail {
namespace {

// The parameter `way` of the way through the range of starts: see fit_servo.
double spread(const ServoParameter& p, double value, double way) {
  const bool bounded = p.bounds.upper < largest && p.bounds.lower > -largest;
  if (!bounded) return value * std::pow(4.0, 2.0 * way - 1.0);
  const double low = 0.5 * (p.bounds.lower + value), high = 0.5 * (p.bounds.upper + value);
  return low + way * (high - low);
}

// Solves the chosen rows of (matrix + damping * diagonal) x = -gradient.
bool solve(const ServoNormal& normal, const std::vector<int>& free, double damping,
           std::vector<double>& x) {
  std::vector<double> a;
  x.clear();
  for (const int i : free) {
    for (const int j : free) a.push_back(normal.matrix[i][j] * (i == j ? 1.0 + damping : 1.0));
    x.push_back(-normal.gradient[i]);
  }
  return solve_symmetric(std::move(a), x);
}

// The model a step of the scaled variables further, inside the bounds. A step changes a logarithm
// by no more than one.
ServoModel<> moved(const ServoModel<>& model, const std::vector<ServoParameter>& parameters,
                   const std::vector<int>& free, const std::vector<double>& step) {
  ServoModel<> next = model;
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto& p = parameters[free[i]];
    double& value = servo_value(next, p.index);
    if (ServoCost::logarithmic(p)) value *= std::exp(std::clamp(step[i], -1.0, 1.0));
    else value = std::clamp(value + step[i], p.bounds.lower, p.bounds.upper);
  }
  return next;
}

// An iteration takes about as long as the cost of so many starts.
constexpr double iteration_size = 8.0;

ServoFound refine(ServoCost& cost, const ServoFound& start, const ServoFitOptions& options,
                  Work& work) {
  const auto& parameters = cost.parameters();
  ServoFound found{start.model, start.cost, false};
  double damping = 1e-2;
  int quiet = 0;
  int i = 0;
  for (; i < options.iterations && !found.converged && work.add(iteration_size); ++i) {
    const ServoNormal normal = cost.normal(found.model);
    found.cost = normal.cost;
    // A parameter at a bound that the gradient pushes outward stays there.
    std::vector<int> free;
    for (int j = 0; j < int(parameters.size()); ++j) {
      const double value = servo_value(found.model, parameters[j].index);
      const auto& b = parameters[j].bounds;
      if (!(value <= b.lower && normal.gradient[j] > 0.0) &&
          !(value >= b.upper && normal.gradient[j] < 0.0) && normal.matrix[j][j] > 0.0)
        free.push_back(j);
    }
    bool better = false;
    for (int tries = 0; tries < 8 && !better; ++tries) {
      std::vector<double> step;
      if (solve(normal, free, damping, step)) {
        const ServoModel<> next = moved(found.model, parameters, free, step);
        const double reached = cost.cost(next);
        if (reached < found.cost) {
          better = true;
          quiet = found.cost - reached < options.tolerance * found.cost ? quiet + 1 : 0;
          found.model = next;
          found.cost = reached;
        }
      }
      damping = better ? std::max(1e-9, damping * 0.1) : damping * 5.0;
    }
    // No direction goes down any further, or hardly.
    found.converged = !better || quiet >= 3;
  }
  work.add(iteration_size * (options.iterations - i));
  return found;
}

}  // namespace

double search_size(const ServoFitOptions& options) {
  return options.starts + iteration_size * options.iterations * (2 + options.refined);
}

std::vector<ServoFound> search_servo(ServoCost& cost, const ServoModel<>& start,
                                     const ServoFitOptions& options, Work& work) {
  const auto& parameters = cost.parameters();
  std::vector<ServoFound> all{{start, cost.cost(start), parameters.empty()}};
  if (parameters.empty()) return all;
  all.resize(std::size_t(1 + std::max(0, options.starts)), all.front());
  // The first points of the set lie along lines and are left out.
  const unsigned first = 20u + (options.seed - 1u) * unsigned(options.starts);
  std::atomic<long> rollouts{0};
  in_parallel(options.starts, options.threads, [&](int k) {
    ServoFound& each = all[std::size_t(k + 1)];
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      double& value = servo_value(each.model, parameters[i].index);
      value = spread(parameters[i], value, halton(first + unsigned(k + 1), int(i)));
    }
    ServoCost own(cost);
    own.rollouts = 0;
    each.cost = work.stopped() ? largest : own.cost(each.model);
    rollouts += own.rollouts;
    work.add(1.0);
  });
  const auto cheaper = [](const ServoFound& a, const ServoFound& b) { return a.cost < b.cost; };
  // The model given is refined whatever its cost.
  std::stable_sort(all.begin() + 1, all.end(), cheaper);
  all.resize(std::min(all.size(), std::size_t(1 + std::max(0, options.refined))));
  in_parallel(int(all.size()), options.threads, [&](int k) {
    ServoCost own(cost);
    own.rollouts = 0;
    all[std::size_t(k)] = refine(own, all[std::size_t(k)], options, work);
    rollouts += own.rollouts;
  });
  cost.rollouts += rollouts;
  std::stable_sort(all.begin(), all.end(), cheaper);
  // The best is followed to its very end: what is left of the way must be short beside its
  // interval.
  ServoFitOptions last = options;
  last.tolerance = 1e-4 * options.tolerance;
  all.front() = refine(cost, all.front(), last, work);
  return all;
}

std::vector<std::vector<double>> inverse_of(const std::vector<std::vector<double>>& matrix,
                                            std::span<const int> chosen) {
  // Scaled to a unit diagonal, so that units do not decide what is singular.
  const int n = int(chosen.size());
  std::vector<double> size(n);
  ServoNormal scaled;
  std::vector<int> all;
  for (int i = 0; i < n; ++i) {
    size[i] = std::sqrt(matrix[chosen[i]][chosen[i]]);
    if (!(size[i] > 0.0)) return {};
    all.push_back(i);
  }
  scaled.matrix.assign(n, std::vector<double>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      scaled.matrix[i][j] = matrix[chosen[i]][chosen[j]] / (size[i] * size[j]);
  std::vector<std::vector<double>> inverse(n, std::vector<double>(n));
  for (int j = 0; j < n; ++j) {
    scaled.gradient.assign(n, 0.0);
    scaled.gradient[j] = -1.0;
    std::vector<double> column;
    if (!solve(scaled, all, 1e-12, column)) return {};
    for (int i = 0; i < n; ++i) inverse[i][j] = column[i] / (size[i] * size[j]);
  }
  return inverse;
}

}  // namespace bristle::detail
