// SPDX-License-Identifier: MIT
#include "bristle/identify/identify_plays.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "bristle/identify/least_squares.hpp"
#include "bristle/model/play_sum.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

constexpr int unknowns = 7;
using Unknowns = std::array<double, unknowns>;

// The unknowns of an envelope of scale 1: rate and the three sizes as logarithms.
struct Shape {
  double rate, shift, level, rho, tau, q, beta;

  explicit Shape(std::span<const double> x)
      : rate(std::exp(x[0])),
        shift(x[1]),
        level(x[2]),
        rho(std::exp(x[3])),
        tau(x[4]),
        q(std::exp(x[5])),
        beta(std::exp(x[6])) {}
};

// The envelope of every sample, and the weighted sum of the plays on it; twice round.
void plays_on(std::span<const double> v, double tau, double beta, int n, std::vector<double>& sum) {
  sum.assign(v.size(), 0.0);
  std::vector<double> x(std::size_t(n), 0.0), weights;
  for (int i = 0; i < n; ++i) weights.push_back(std::exp(-tau * beta * (i + 1)));
  StopLook stop;
  for (int round = 0; round < 2; ++round)
    for (std::size_t k = 0; k < v.size(); ++k) {
      stop();
      double all = 0.0;
      for (int i = 0; i < n; ++i) {
        const double w = beta * (i + 1);
        double& state = x[std::size_t(i)];
        state = std::max(v[k] - w, std::min(v[k] + w, state));
        all += weights[std::size_t(i)] * state;
      }
      sum[k] = all;
    }
}

class Problem {
 public:
  Problem(std::span<const double> input, std::span<const double> output, int plays)
      : u_(input), y_(output), n_(plays) {}

  void outputs(std::span<const double> x, std::vector<double>& out) const {
    const Shape s(x);
    std::vector<double> v;
    for (const double u : u_) v.push_back(std::tanh(s.rate * u + s.shift) + s.level);
    std::vector<double> sum;
    plays_on(v, s.tau, s.beta, n_, sum);
    out.resize(v.size());
    for (std::size_t k = 0; k < v.size(); ++k) out[k] = s.q * v[k] + s.rho * sum[k];
  }
  double operator()(std::span<const double> x, NormalEquations* equations) const {
    std::vector<double> y, above, below;
    outputs(x, y);
    double cost = 0.0;
    for (std::size_t k = 0; k < y.size(); ++k) y[k] -= y_[k], cost += 0.5 * y[k] * y[k];
    if (!equations || !std::isfinite(cost)) return cost;
    // Central differences: the output has kinks, no second derivatives to speak of.
    equations->reset(unknowns);
    std::vector<std::vector<double>> columns;
    for (int i = 0; i < unknowns; ++i) {
      constexpr double step = 1e-6;
      Unknowns at;
      std::copy(x.begin(), x.end(), at.begin());
      at[std::size_t(i)] = x[std::size_t(i)] + step;
      outputs(at, above);
      at[std::size_t(i)] = x[std::size_t(i)] - step;
      outputs(at, below);
      for (std::size_t k = 0; k < above.size(); ++k)
        above[k] = (above[k] - below[k]) / (2.0 * step);
      columns.push_back(above);
    }
    for (int i = 0; i < unknowns; ++i)
      for (std::size_t k = 0; k < y.size(); ++k) {
        const double slope = columns[std::size_t(i)][k];
        equations->gradient[std::size_t(i)] += slope * y[k];
        for (int j = 0; j < unknowns; ++j)
          equations->at(i, j) += slope * columns[std::size_t(j)][k];
      }
    return cost;
  }

  // The best q, rho and level for an envelope and thresholds: they enter linearly.
  Unknowns start(double rate, double beta) const {
    std::vector<double> v, sum;
    for (const double u : u_) v.push_back(std::tanh(rate * u));
    plays_on(v, 0.0, beta, n_, sum);
    std::vector<double> a(9, 0.0), b(3, 0.0);
    for (std::size_t k = 0; k < v.size(); ++k) {
      const double row[3]{v[k], sum[k], 1.0};
      for (std::size_t i = 0; i < 3; ++i) {
        b[i] += row[i] * y_[k];
        for (std::size_t j = 0; j < 3; ++j) a[3 * i + j] += row[i] * row[j];
      }
    }
    const double top = std::abs(*std::max_element(
        y_.begin(), y_.end(), [](double c, double d) { return std::abs(c) < std::abs(d); }));
    if (!solve_symmetric(a, b)) b = {top, top, 0.0};
    const double q = std::max(b[0], 1e-3 * top), rho = std::max(b[1], 1e-3 * top);
    return {std::log(rate), 0.0,           b[2] / (q + n_ * rho), std::log(rho), 0.0,
            std::log(q),    std::log(beta)};
  }

 private:
  std::span<const double> u_, y_;
  int n_;
};

void refuse_bad(std::span<const double> u, std::span<const double> y) {
  if (u.size() != y.size() || u.size() < 10)
    throw InvalidInput("loop",
                       "identify: needs at least ten samples of input and as many of output, "
                       "there are " +
                           std::to_string(u.size()) + " and " + std::to_string(y.size()));
  for (std::size_t k = 0; k < u.size(); ++k)
    if (!std::isfinite(u[k]) || !std::isfinite(y[k]))
      throw InvalidInput("loop", "identify: row " + std::to_string(k + 1) + " is not a number");
  const auto flat = [](std::span<const double> x) {
    const auto [a, b] = std::minmax_element(x.begin(), x.end());
    return !(*b > *a);
  };
  if (flat(u) || flat(y))
    throw InvalidInput("loop", "identify: the input and the output must vary");
}

// Normal deviates by Box and Muller, the same on every platform.
void add_noise(std::vector<double>& y, double deviation, double seed) {
  std::mt19937_64 random{std::uint64_t(seed)};
  const auto uniform = [&] { return (double(random() >> 11) + 0.5) * 0x1p-53; };
  for (double& value : y)
    value += deviation * std::sqrt(-2.0 * std::log(uniform())) *
             std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace

std::vector<double> IdentifiedPlays::follow(std::span<const double> input) const {
  PlaySum sum(model);
  std::vector<double> out;
  for (const double u : input) sum.update(u);
  for (const double u : input) out.push_back(sum.update(u));
  return out;
}

IdentifiedPlays identify_plays(std::span<const double> input, std::span<const double> output,
                               const PlayIdentification& options) {
  validate(options);
  refuse_bad(input, output);
  IdentifiedPlays r;
  r.data.assign(output.begin(), output.end());
  const auto [low, high] = std::minmax_element(output.begin(), output.end());
  const double range = *high - *low;
  if (options.noise > 0.0) add_noise(r.data, options.noise * range, options.seed);

  double largest = 0.0;
  for (const double u : input) largest = std::max(largest, std::abs(u));
  const int n = int(options.plays);
  const Problem problem(input, r.data, n);
  const Unknowns lower{std::log(0.01 / largest), -3.0,  -3.0,
                       std::log(1e-6 * range),   -20.0, std::log(1e-6 * range),
                       std::log(1e-3 / n)},
      upper{std::log(100.0 / largest), 3.0,          3.0, std::log(100.0 * range), 20.0,
            std::log(100.0 * range),   std::log(2.0)};
  LeastSquaresSummary best;
  best.cost = INFINITY;
  for (const double rate : {0.7, 1.5, 3.0})
    for (const double reach : {0.5, 1.0, 1.5}) {
      Unknowns at = problem.start(rate / largest, reach / (n + 1));
      for (std::size_t i = 0; i < unknowns; ++i) at[i] = std::clamp(at[i], lower[i], upper[i]);
      const auto one = minimise(problem, {at.begin(), at.end()}, lower, upper, {.iterations = 80});
      if (one.cost < best.cost) best = one;
    }
  if (best.x.empty()) {
    r.message = "no start of the identification is defined";
    return r;
  }

  const Shape s(best.x);
  const double scale = options.scale;
  r.q = s.q / scale;
  r.rho = s.rho / scale;
  r.tau = s.tau / scale;
  r.beta = s.beta * scale;
  r.model =
      exponential_plays(r.q, r.rho, r.tau, r.beta, n, {scale, s.rate, s.shift, s.level * scale});
  problem.outputs(best.x, r.output);
  r.cost = best.cost;
  r.error = std::sqrt(2.0 * best.cost / double(output.size())) / range;
  r.converged = best.status == FitStatus::converged;
  r.message = best.message;
  return r;
}

}  // namespace bristle
