// SPDX-License-Identifier: MIT
#include "bristle/analysis/fit_plays.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/solve/stop_look.hpp"
#include "positive_weights.hpp"
#include "search.hpp"

namespace bristle {
namespace {

// Plays under a given envelope. With an offset the output may lie off centre: two more columns, one
// and minus one, as weights are not negative.
PlayFit fit_at(std::span<const MeasuredRun> runs, int plays, const Envelope& envelope, double range,
               bool offset) {
  const auto n = std::size_t(plays), all = n + (offset ? 3 : 1);
  PlayFit fit;
  fit.model.envelope = envelope;
  for (int i = 1; i <= plays; ++i) fit.model.thresholds.push_back(range * i / (plays + 1));
  // Columns: the input itself, then every play.
  Matrix gram(all, std::vector<double>(all, 0.0));
  std::vector<double> right(all, 0.0), row(all, 0.0);
  if (offset) row[n + 1] = 1.0, row[n + 2] = -1.0;
  StopLook stop;
  const auto each = [&](const auto& use) {
    for (const auto& run : runs) {
      std::vector<double> x(n, 0.0);
      for (std::size_t k = 0; k < run.input.size(); ++k) {
        stop();
        row[0] = envelope(run.input[k]);
        for (std::size_t i = 0; i < n; ++i) {
          const double w = fit.model.thresholds[i];
          row[i + 1] = x[i] = std::max(row[0] - w, std::min(row[0] + w, x[i]));
        }
        use(run.output[k]);
      }
    }
  };
  each([&](double y) {
    for (std::size_t i = 0; i < all; ++i) {
      right[i] += row[i] * y;
      for (std::size_t j = 0; j < all; ++j) gram[i][j] += row[i] * row[j];
    }
  });
  const auto p = positive_weights(gram, right);
  fit.model.direct = p[0];
  fit.model.weights.assign(p.begin() + 1, p.begin() + 1 + long(n));
  if (offset) {
    // A level of the envelope that every play starts from moves the output by its share of all.
    double share = p[0];
    for (const double weight : fit.model.weights) share += weight;
    if (share > 0.0) fit.model.envelope.level = (p[n + 1] - p[n + 2]) / share;
  }
  fit.starts.assign(runs.size(), std::vector<double>(n, fit.model.envelope.level));
  double count = 0.0, top = 0.0;
  each([&](double y) {
    double off = -y;
    for (std::size_t i = 0; i < all; ++i) off += p[i] * row[i];
    fit.error += off * off;
    top = std::max(top, std::abs(y));
    count += 1.0;
  });
  fit.error = std::sqrt(fit.error / count);
  fit.relative = top > 0.0 ? fit.error / top : 0.0;
  fit.quality = fit_quality(runs, fit.error);
  return fit;
}

}  // namespace

PlayFit fit_plays(std::span<const MeasuredRun> runs, const PlayFitOptions& options) {
  const double largest = largest_input(runs);
  if (!options.envelope) return fit_at(runs, options.plays, {}, largest, options.asymmetric);
  const auto at = [&](double rate, double shift) {
    const Envelope envelope{1.0, rate / largest, shift, 0.0};
    const double range = 0.5 * (std::tanh(rate + shift) + std::tanh(rate - shift));
    return fit_at(runs, options.plays, envelope, range, options.asymmetric);
  };
  // The best of a scan over a decade and a half, then golden sections around it.
  double best = 1.0, shift = 0.0;
  PlayFit fit = at(best, shift);
  for (double rate = 0.3; rate < 10.0; rate *= 1.15)
    if (PlayFit one = at(rate, shift); one.error < fit.error) fit = std::move(one), best = rate;
  for (int round = 0; round < (options.asymmetric ? 4 : 1); ++round) {
    best =
        golden_section([&](double r) { return at(r, shift).error; }, best / 1.15, best * 1.15, 30);
    if (options.asymmetric)
      shift =
          golden_section([&](double s) { return at(best, s).error; }, shift - 0.5, shift + 0.5, 30);
  }
  PlayFit last = at(best, shift);
  return last.error < fit.error ? last : fit;
}

}  // namespace bristle
