// SPDX-License-Identifier: MIT
#include "bristle/identify/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bristle {
namespace {

std::size_t cell(int i, int j, int n) { return std::size_t(i) * std::size_t(n) + std::size_t(j); }

// The unknowns that may move: not at a bound that the descent pushes against.
std::vector<int> movable(const std::vector<double>& x, const NormalEquations& e,
                         std::span<const double> lower, std::span<const double> upper) {
  std::vector<int> free;
  for (int i = 0; i < e.n; ++i) {
    const auto k = std::size_t(i);
    if (x[k] <= lower[k] && e.gradient[k] >= 0.0) continue;
    if (x[k] >= upper[k] && e.gradient[k] <= 0.0) continue;
    if (e.at(i, i) > 0.0) free.push_back(i);
  }
  return free;
}

// The damped step of the movable unknowns, zero for the others; false if it cannot be solved for.
bool damped_step(const NormalEquations& e, const std::vector<int>& free,
                 const std::vector<double>& scale, double damping, std::vector<double>& step) {
  const int m = int(free.size());
  std::vector<double> a(std::size_t(m) * std::size_t(m)), b(free.size());
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) a[cell(i, j, m)] = e.at(free[std::size_t(i)], free[std::size_t(j)]);
    const auto k = std::size_t(free[std::size_t(i)]);
    a[cell(i, i, m)] += damping * scale[k];
    b[std::size_t(i)] = -e.gradient[k];
  }
  if (!solve_symmetric(std::move(a), b)) return false;
  std::fill(step.begin(), step.end(), 0.0);
  for (int i = 0; i < m; ++i) step[std::size_t(free[std::size_t(i)])] = b[std::size_t(i)];
  return true;
}

// The fall of the cost that the linear model predicts for a step.
double foreseen(const NormalEquations& e, const std::vector<double>& step) {
  double fall = 0.0;
  for (int i = 0; i < e.n; ++i) {
    double row = 0.0;
    for (int j = 0; j < e.n; ++j) row += e.at(i, j) * step[std::size_t(j)];
    fall -= step[std::size_t(i)] * (e.gradient[std::size_t(i)] + 0.5 * row);
  }
  return fall;
}

// The largest cosine between the residuals and a column of J, over the movable unknowns.
double steepness(const NormalEquations& e, const std::vector<int>& free, double cost) {
  double most = 0.0;
  for (const int i : free)
    most =
        std::max(most, std::abs(e.gradient[std::size_t(i)]) / std::sqrt(e.at(i, i) * 2.0 * cost));
  return most;
}

}  // namespace

bool solve_symmetric(std::vector<double> a, std::vector<double>& b) {
  const int n = int(b.size());
  // Cholesky on the matrix scaled to a unit diagonal.
  std::vector<double> s(b.size());
  for (int i = 0; i < n; ++i) {
    if (!(a[cell(i, i, n)] > 0.0)) return false;
    s[std::size_t(i)] = 1.0 / std::sqrt(a[cell(i, i, n)]);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = a[cell(i, j, n)] * s[std::size_t(i)] * s[std::size_t(j)];
      for (int k = 0; k < j; ++k) sum -= a[cell(i, k, n)] * a[cell(j, k, n)];
      if (i == j && !(sum > 1e-15)) return false;
      a[cell(i, j, n)] = i == j ? std::sqrt(sum) : sum / a[cell(j, j, n)];
    }
  for (int i = 0; i < n; ++i) {
    double sum = b[std::size_t(i)] * s[std::size_t(i)];
    for (int k = 0; k < i; ++k) sum -= a[cell(i, k, n)] * b[std::size_t(k)];
    b[std::size_t(i)] = sum / a[cell(i, i, n)];
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = b[std::size_t(i)];
    for (int k = i + 1; k < n; ++k) sum -= a[cell(k, i, n)] * b[std::size_t(k)];
    b[std::size_t(i)] = sum / a[cell(i, i, n)];
  }
  for (int i = 0; i < n; ++i) b[std::size_t(i)] *= s[std::size_t(i)];
  return std::all_of(b.begin(), b.end(), [](double x) { return std::isfinite(x); });
}

LeastSquaresSummary minimise(const CostFunction& cost, std::vector<double> start,
                             std::span<const double> lower, std::span<const double> upper,
                             const LeastSquaresOptions& options) {
  LeastSquaresSummary s;
  const int n = int(start.size());
  s.x = std::move(start);
  for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] = std::clamp(s.x[i], lower[i], upper[i]);
  s.equations.reset(n);
  s.cost = cost(s.x, &s.equations);
  s.evaluations = 1;
  if (!std::isfinite(s.cost)) {
    s.message = "the residuals are not defined at the start";
    return s;
  }
  const auto end = [&](FitStatus status, std::string message) {
    s.status = status;
    s.message = std::move(message);
    return s;
  };

  std::vector<double> scale(s.x.size(), 0.0), step(s.x.size()), trial(s.x.size());
  double damping = 1e-3, growth = 2.0;
  // After a step that went well the next one is trusted: its derivatives are taken at once.
  bool trusted = true;
  // The last step was nearly undamped and met its prediction: the next prediction can be trusted.
  bool foretold = false;
  NormalEquations next(n);
  for (; s.iterations < options.iterations; ++s.iterations) {
    if (options.stop && options.stop()) return end(FitStatus::stopped, "stopped on request");
    for (int i = 0; i < n; ++i)
      scale[std::size_t(i)] = std::max(scale[std::size_t(i)], s.equations.at(i, i));
    const auto free = movable(s.x, s.equations, lower, upper);
    if (s.cost == 0.0 || free.empty() ||
        steepness(s.equations, free, s.cost) <= options.gradient_tolerance)
      return end(FitStatus::converged, "converged: the gradient of the cost is zero");

    // More damping until a step reduces the cost.
    for (bool accepted = false; !accepted;) {
      if (!damped_step(s.equations, free, scale, damping, step)) {
        damping = std::max(damping, 1e-12) * 10.0;
        if (damping > 1e20) return end(FitStatus::not_defined, "the normal equations are singular");
        continue;
      }
      double moved = 0.0;
      for (std::size_t i = 0; i < s.x.size(); ++i) {
        trial[i] = std::clamp(s.x[i] + step[i], lower[i], upper[i]);
        step[i] = trial[i] - s.x[i];
        moved = std::max(moved, std::abs(step[i]) / (std::abs(s.x[i]) + 1e-6));
      }
      const double expected = foreseen(s.equations, step);
      if (foretold && expected >= 0.0 && expected <= options.cost_tolerance * s.cost)
        return end(FitStatus::converged, "converged: the steps are negligible");
      const bool with_slopes = trusted;
      const double there = cost(trial, with_slopes ? &next : nullptr);
      ++s.evaluations;
      const double fall = s.cost - there;
      if (std::isfinite(there) && expected > 0.0 && fall > 1e-4 * expected) {
        accepted = true;
        const double ratio = fall / expected;
        damping *= std::max(1.0 / 3.0, 1.0 - std::pow(2.0 * ratio - 1.0, 3.0));
        damping = std::max(damping, 1e-12);
        foretold = damping < 1e-3 && std::abs(ratio - 1.0) < 0.1;
        growth = 2.0;
        s.x = trial;
        const bool still = fall <= options.cost_tolerance * s.cost && ratio < 2.0;
        if (with_slopes) {
          std::swap(s.equations, next);
          s.cost = there;
        } else {
          s.cost = cost(s.x, &s.equations);
          ++s.evaluations;
        }
        trusted = true;
        if (still) return end(FitStatus::converged, "converged: the cost no longer falls");
      } else {
        // Nothing left to gain within rounding, or a step too small to matter.
        if (moved <= options.step_tolerance ||
            (expected <= options.cost_tolerance * s.cost && expected >= 0.0))
          return end(FitStatus::converged, "converged: the steps are negligible");
        trusted = foretold = false;
        damping *= growth;
        growth *= 2.0;
        if (!(damping < 1e20)) return end(FitStatus::not_defined, "no step reduces the cost");
      }
    }
  }
  return end(FitStatus::iterations_used_up,
             "not converged after " + std::to_string(options.iterations) + " iterations");
}

EigenPairs symmetric_eigen(std::vector<double> a, int n) {
  EigenPairs e;
  e.vectors.assign(std::size_t(n) * std::size_t(n), 0.0);
  for (int i = 0; i < n; ++i) e.vectors[cell(i, i, n)] = 1.0;
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0.0, on = 0.0;
    for (int i = 0; i < n; ++i) {
      on += a[cell(i, i, n)] * a[cell(i, i, n)];
      for (int j = 0; j < i; ++j) off += a[cell(i, j, n)] * a[cell(i, j, n)];
    }
    if (off <= 1e-30 * on) break;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        const double apq = a[cell(p, q, n)];
        if (apq == 0.0) continue;
        // The rotation that makes this entry zero.
        const double theta = 0.5 * (a[cell(q, q, n)] - a[cell(p, p, n)]) / apq;
        const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1.0 / std::hypot(t, 1.0), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double kp = a[cell(k, p, n)], kq = a[cell(k, q, n)];
          a[cell(k, p, n)] = c * kp - s * kq;
          a[cell(k, q, n)] = s * kp + c * kq;
        }
        for (int k = 0; k < n; ++k) {
          const double pk = a[cell(p, k, n)], qk = a[cell(q, k, n)];
          a[cell(p, k, n)] = c * pk - s * qk;
          a[cell(q, k, n)] = s * pk + c * qk;
          const double vp = e.vectors[cell(p, k, n)], vq = e.vectors[cell(q, k, n)];
          e.vectors[cell(p, k, n)] = c * vp - s * vq;
          e.vectors[cell(q, k, n)] = s * vp + c * vq;
        }
      }
  }
  // In ascending order.
  std::vector<int> order(std::size_t(n), 0);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return a[cell(i, i, n)] < a[cell(j, j, n)]; });
  std::vector<double> rows;
  for (const int i : order) {
    e.values.push_back(a[cell(i, i, n)]);
    rows.insert(rows.end(), e.vectors.begin() + long(cell(i, 0, n)),
                e.vectors.begin() + long(cell(i, 0, n)) + n);
  }
  e.vectors = std::move(rows);
  return e;
}

}  // namespace bristle
