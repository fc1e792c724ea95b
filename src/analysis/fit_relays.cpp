// SPDX-License-Identifier: MIT
#include "bristle/analysis/fit_relays.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/solve/stop_look.hpp"
#include "positive_weights.hpp"

namespace bristle {

namespace {

std::vector<double> levels_for(std::span<const MeasuredRun> runs, int levels, bool even,
                               double largest) {
  std::vector<double> sizes, out;
  for (const auto& run : runs)
    for (const double u : run.input) sizes.push_back(std::abs(u));
  std::sort(sizes.begin(), sizes.end());
  const auto size_at = [&](double part) {
    return part >= 1.0 ? largest : sizes[std::size_t(part * double(sizes.size() - 1))];
  };
  for (int i = 0; i < levels; ++i) {
    const double place = 2.0 * i / (levels - 1) - 1.0;
    const double size = even ? largest * std::abs(place) : size_at(std::abs(place));
    const double level = place < 0.0 ? -size : size;
    if (out.empty() || level > out.back()) out.push_back(level);
  }
  return out;
}

}  // namespace

RelayFit fit_relays(std::span<const MeasuredRun> runs, const RelayFitOptions& options) {
  const double largest = largest_input(runs);
  const int levels = options.levels;
  if (levels < 2 || levels > 60)
    throw InvalidInput("levels",
                       "levels = " + std::to_string(levels) + " must be at least 2 and at most 60");
  RelayFit fit;
  PreisachModel& m = fit.model;
  m.levels = levels_for(runs, levels, options.even, largest);
  m.start = 1;
  const std::size_t n = m.levels.size(), relays = n * (n - 1) / 2;
  std::vector<double> state(relays);
  const auto move = [&](double u) {
    std::size_t k = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j, ++k) {
        if (u >= m.levels[i]) state[k] = 1.0;
        else if (u <= m.levels[j]) state[k] = -1.0;
      }
  };
  StopLook stop;
  const auto each = [&](const auto& use) {
    for (const auto& run : runs) {
      // Demagnetised, by the swings of Preisach::demagnetise().
      std::fill(state.begin(), state.end(), -1.0);
      for (std::size_t k = 0; k <= 2 * n; ++k)
        move((k % 2 ? -1.0 : 1.0) * largest * (1.0 - double(k) / double(2 * n)));
      for (std::size_t row = 0; row < run.input.size(); ++row) {
        stop();
        move(run.input[row]);
        use(run.output[row]);
      }
    }
  };
  Matrix gram(relays, std::vector<double>(relays, 0.0));
  std::vector<double> right(relays, 0.0);
  each([&](double y) {
    for (std::size_t i = 0; i < relays; ++i) {
      right[i] += state[i] * y;
      for (std::size_t j = 0; j <= i; ++j) gram[i][j] += state[i] * state[j];
    }
  });
  for (std::size_t i = 0; i < relays; ++i)
    for (std::size_t j = i + 1; j < relays; ++j) gram[i][j] = gram[j][i];
  m.weights = positive_weights(gram, right);
  double count = 0.0, top = 0.0;
  each([&](double y) {
    double off = -y;
    for (std::size_t i = 0; i < relays; ++i) off += m.weights[i] * state[i];
    fit.error += off * off;
    top = std::max(top, std::abs(y));
    count += 1.0;
  });
  fit.error = std::sqrt(fit.error / count);
  fit.relative = top > 0.0 ? fit.error / top : 0.0;
  fit.quality = fit_quality(runs, fit.error);
  return fit;
}

}  // namespace bristle
