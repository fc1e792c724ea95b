// SPDX-License-Identifier: MIT
#include "bristle/analysis/indirect_force.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/analysis/spectrum.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

// Weights of the samples -m ... m for a derivative at `at` of the polynomial through them by least
// squares, in units of the step. Orthogonal polynomials on the grid keep it well conditioned.
std::vector<double> weights(int m, int degree, int derivative, double at) {
  const int n = 2 * m + 1;
  std::vector<double> w(std::size_t(n), 0.0);
  // p_k on the grid, and p_k with its first derivatives at `at`, by the three-term recurrence.
  std::vector<double> before(std::size_t(n), 0.0), now(std::size_t(n), 1.0);
  double before_at[3]{}, now_at[3]{1.0, 0.0, 0.0}, before_norm = 1.0;
  for (int k = 0; k <= degree; ++k) {
    double norm = 0.0, centre = 0.0;
    for (int i = 0; i < n; ++i) {
      norm += now[std::size_t(i)] * now[std::size_t(i)];
      centre += (i - m) * now[std::size_t(i)] * now[std::size_t(i)];
    }
    for (int i = 0; i < n; ++i)
      w[std::size_t(i)] += now_at[derivative] * now[std::size_t(i)] / norm;
    const double a = centre / norm, b = k == 0 ? 0.0 : norm / before_norm;
    double next_at[3];
    for (int d = 0; d < 3; ++d)
      next_at[d] = (at - a) * now_at[d] + (d > 0 ? d * now_at[d - 1] : 0.0) - b * before_at[d];
    for (int i = 0; i < n; ++i) {
      const double next = (i - m - a) * now[std::size_t(i)] - b * before[std::size_t(i)];
      before[std::size_t(i)] = now[std::size_t(i)];
      now[std::size_t(i)] = next;
    }
    std::copy(now_at, now_at + 3, before_at);
    std::copy(next_at, next_at + 3, now_at);
    before_norm = norm;
  }
  return w;
}

}  // namespace

std::vector<double> smoothed(std::span<const double> x, double step, int derivative,
                             const SmoothingOptions& options) {
  validate(options);
  const int m = int(options.half_width), n = int(x.size());
  if (n < 2 * m + 1)
    throw InvalidInput("half_width", "smoothing: half_width = " + words(options.half_width) +
                                         " needs " + std::to_string(2 * m + 1) +
                                         " samples, there are " + std::to_string(n));
  const double unit = std::pow(step, -derivative);
  const auto middle = weights(m, int(options.degree), derivative, 0.0);
  std::vector<double> y(x.size());
  StopLook stop;
  for (int i = 0; i < n; ++i) {
    stop();
    const int at = std::clamp(i, m, n - 1 - m);
    const auto w = at == i ? middle : weights(m, int(options.degree), derivative, double(i - at));
    double sum = 0.0;
    for (int k = -m; k <= m; ++k) sum += w[std::size_t(k + m)] * x[std::size_t(at + k)];
    y[std::size_t(i)] = sum * unit;
  }
  return y;
}

IndirectForce indirect_force(const BaseExcitedMass& body, const MeasuredSignals& s,
                             const SmoothingOptions& options) {
  validate(body);
  const auto same = [&](const std::vector<double>& column, const char* name) {
    if (column.empty() || column.size() == s.time.size()) return;
    throw InvalidInput(name, std::string(name) + " has " + std::to_string(column.size()) +
                                 " samples where time has " + std::to_string(s.time.size()));
  };
  if (s.time.empty() || s.position.empty())
    throw InvalidInput("position", "there are no samples of time and position");
  same(s.position, "position");
  same(s.velocity, "velocity");
  same(s.body_acceleration, "body_acceleration");
  same(s.base, "base");
  if (s.body_acceleration.empty() && s.base.empty())
    throw InvalidInput("body_acceleration",
                       "the acceleration of the mass is needed, or the motion of the base to "
                       "differentiate it from");
  const double step = even_step(s.time);
  IndirectForce f;
  f.time = s.time;
  f.velocity = s.velocity.empty() ? smoothed(s.position, step, 1, options) : s.velocity;
  if (s.body_acceleration.empty()) {
    std::vector<double> y(s.position);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += s.base[i];
    f.body_acceleration = smoothed(y, step, 2, options);
  } else {
    f.body_acceleration = s.body_acceleration;
  }
  for (std::size_t i = 0; i < f.time.size(); ++i)
    f.force.push_back(-(body.mass * f.body_acceleration[i] + body.spring * s.position[i] +
                        body.damping * f.velocity[i]));
  return f;
}

}  // namespace bristle
