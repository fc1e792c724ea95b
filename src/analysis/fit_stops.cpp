// SPDX-License-Identifier: MIT
#include "bristle/analysis/fit_stops.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/solve/stop_look.hpp"
#include "positive_weights.hpp"
#include "search.hpp"

namespace bristle {
namespace {

// All runs on one scale: inputs from -1 to 1, outputs over their range. Weights of any unit are
// then of the size of one.
struct Scaled {
  std::vector<MeasuredRun> runs;
  double middle = 0.0, half = 1.0;  // of the input
  double level = 0.0, range = 1.0;  // of the output
  double reach = 1.0;               // largest distance from the start of a run
};

Scaled scaled(std::span<const MeasuredRun> runs) {
  double low = INFINITY, high = -INFINITY, least = INFINITY, most = -INFINITY;
  for (const auto& run : runs)
    for (std::size_t i = 0; i < run.input.size(); ++i) {
      low = std::min(low, run.input[i]), high = std::max(high, run.input[i]);
      least = std::min(least, run.output[i]), most = std::max(most, run.output[i]);
    }
  if (!(high > low)) throw InvalidInput("runs", "the input does not vary");
  Scaled s{{runs.begin(), runs.end()}, 0.5 * (low + high), 0.5 * (high - low)};
  s.level = 0.5 * (least + most);
  if (most > least) s.range = most - least;
  for (auto& run : s.runs) {
    for (double& u : run.input) u = (u - s.middle) / s.half;
    for (double& y : run.output) y = (y - s.level) / s.range;
    for (const double u : run.input) s.reach = std::max(s.reach, std::abs(u - run.input[0]));
  }
  return s;
}

double moved(double state, double input, double threshold) {
  return std::max(input - threshold, std::min(input + threshold, state));
}

struct Trial {
  std::vector<double> thresholds,
      weights;              // weights: stops, spring up and down, offset up and down
  double error = INFINITY;  // root of the mean square
};

Trial fit_at(const Scaled& s, int stops, double power, bool settled) {
  const auto n = std::size_t(stops), all = n + 4;
  Trial t;
  const double reach = settled ? 1.0 : s.reach;
  for (int i = 1; i <= stops; ++i)
    t.thresholds.push_back(reach * std::pow(double(i) / (stops + 1), power));
  Matrix gram(all, std::vector<double>(all, 0.0));
  std::vector<double> right(all, 0.0), row(all, 0.0), x(n);
  row[n + 2] = 1.0, row[n + 3] = -1.0;
  StopLook stop;
  const auto each = [&](const auto& use) {
    for (const auto& run : s.runs) {
      std::fill(x.begin(), x.end(), run.input[0]);
      if (settled)
        for (const double u : run.input) {
          stop();
          for (std::size_t i = 0; i < n; ++i) x[i] = moved(x[i], u, t.thresholds[i]);
        }
      for (std::size_t k = 0; k < run.input.size(); ++k) {
        stop();
        const double u = run.input[k];
        // A stop that slips counts as one: weights are slip forces, and wide and narrow stops
        // alike.
        for (std::size_t i = 0; i < n; ++i) {
          x[i] = moved(x[i], u, t.thresholds[i]);
          row[i] = (u - x[i]) / t.thresholds[i];
        }
        row[n] = u, row[n + 1] = -u;
        use(run.output[k]);
      }
    }
  };
  double count = 0.0, sum = 0.0;
  each([&](double y) {
    for (std::size_t i = 0; i < all; ++i) {
      right[i] += row[i] * y;
      for (std::size_t j = 0; j <= i; ++j) gram[i][j] += row[i] * row[j];
    }
  });
  for (std::size_t i = 0; i < all; ++i)
    for (std::size_t j = i + 1; j < all; ++j) gram[i][j] = gram[j][i];
  t.weights = positive_weights(gram, right);
  each([&](double y) {
    double off = -y;
    for (std::size_t i = 0; i < all; ++i) off += t.weights[i] * row[i];
    sum += off * off;
    count += 1.0;
  });
  t.error = std::sqrt(sum / count);
  return t;
}

// The stops that carry something and the spring as one operator, in the units of the data.
StopFit in_units(const Scaled& s, const Trial& t, std::span<const MeasuredRun> runs, bool settled) {
  StopFit fit;
  fit.settled = settled;
  const std::size_t n = t.thresholds.size();
  const double unit = s.range / s.half;  // of a stiffness
  double most = 0.0;
  for (std::size_t i = 0; i < n; ++i) most = std::max(most, t.weights[i]);
  const double spring = t.weights[n] - t.weights[n + 1];
  fit.spring = fit.model.direct = spring * unit;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(t.weights[i] > 1e-9 * most)) continue;
    const double stiffness = t.weights[i] / t.thresholds[i] * unit;
    fit.model.thresholds.push_back(t.thresholds[i] * s.half);
    fit.model.weights.push_back(-stiffness);
    fit.model.direct += stiffness;
  }
  fit.model.offset =
      s.level + s.range * (t.weights[n + 2] - t.weights[n + 3] - spring * s.middle / s.half);
  double top = 0.0;
  for (const auto& run : runs) {
    std::vector<double> x(fit.model.thresholds.size(), run.input[0]);
    if (settled)
      for (const double u : run.input)
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = moved(x[i], u, fit.model.thresholds[i]);
    fit.starts.push_back(std::move(x));
    for (const double y : run.output) top = std::max(top, std::abs(y));
  }
  fit.error = t.error * s.range;
  fit.relative = top > 0.0 ? fit.error / top : 0.0;
  fit.quality = fit_quality(runs, fit.error);
  return fit;
}

}  // namespace

StopFit fit_stops(std::span<const MeasuredRun> runs, const StopFitOptions& options) {
  largest_input(runs);
  if (options.stops < 1)
    throw InvalidInput("stops", "stops = " + std::to_string(options.stops) + " must be at least 1");
  const Scaled s = scaled(runs);
  // The best of a scan over powers and both starts, then golden sections around it.
  Trial best;
  double power = 1.0;
  bool settled = false;
  for (const bool start : {false, true})
    for (double p = 0.5; p < 6.0; p *= 1.3)
      if (Trial t = fit_at(s, options.stops, p, start); t.error < best.error)
        best = std::move(t), power = p, settled = start;
  const double near =
      golden_section([&](double p) { return fit_at(s, options.stops, p, settled).error; },
                     power / 1.3, power * 1.3, 12);
  if (Trial t = fit_at(s, options.stops, near, settled); t.error < best.error)
    best = std::move(t), power = near;
  StopFit fit = in_units(s, best, runs, settled);
  fit.power = power;
  return fit;
}

}  // namespace bristle
