// SPDX-License-Identifier: MIT
#include "bristle/ensemble/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bristle/ensemble/random.hpp"
#include "bristle/ensemble/sobol.hpp"
#include "bristle/model/describe.hpp"
#include "bristle/model/error.hpp"
#include "bristle/solve/cancel.hpp"

namespace bristle {
namespace {

using Design = SensitivityDesign;

// One coordinate of the rows A (first half of the dimensions) and B (second half).
double row_value(const Design& d, std::uint64_t row, int dimension) {
  if (2 * d.inputs <= sobol_dimensions) return shifted_sobol(d.seed, row, dimension);
  return random_uniform(d.seed, RandomStream::draws, row, std::uint32_t(dimension));
}

std::vector<double> saltelli_point(const Design& d, std::uint64_t run) {
  const std::uint64_t row = run / d.block();
  const int kind = int(run % d.block());  // A, B, AB_1, AB_2, ...
  std::vector<double> x;
  for (int i = 0; i < d.inputs; ++i)
    x.push_back(row_value(d, row, kind == 1 || kind == i + 2 ? d.inputs + i : i));
  return x;
}

// The order in which a path changes its inputs: a random permutation.
std::vector<int> order_of(const Design& d, std::uint64_t path) {
  std::vector<int> order(std::size_t(d.inputs));
  std::iota(order.begin(), order.end(), 0);
  for (int i = d.inputs - 1; i > 0; --i) {
    const std::uint64_t bits =
        random_bits(d.seed, RandomStream::trajectories, path, std::uint32_t(2 * d.inputs + i));
    std::swap(order[std::size_t(i)], order[bits % std::uint64_t(i + 1)]);
  }
  return order;
}

// Where a path starts in one input, and the way it goes.
struct MorrisInput {
  double start;
  int way;
};
MorrisInput morris_input(const Design& d, std::uint64_t path, int input) {
  constexpr int half = Design::levels / 2;
  const std::uint64_t bits =
      random_bits(d.seed, RandomStream::trajectories, path, std::uint32_t(input));
  const int way = (bits & 1) != 0 ? 1 : -1;
  const int level = int((bits >> 1) % std::uint64_t(half)) + (way > 0 ? 0 : half);
  return {double(level) / (Design::levels - 1), way};
}

constexpr double morris_step = Design::levels / (2.0 * (Design::levels - 1));

std::vector<double> morris_point(const Design& d, std::uint64_t run) {
  const std::uint64_t path = run / d.block();
  const auto moved = std::size_t(run % d.block());  // inputs that have changed
  std::vector<double> x;
  for (int i = 0; i < d.inputs; ++i) x.push_back(morris_input(d, path, i).start);
  const auto order = order_of(d, path);
  for (std::size_t k = 0; k < moved; ++k) {
    double& one = x[std::size_t(order[k])];
    one += morris_input(d, path, order[k]).way * morris_step;
    // On the levels exactly, so that an input that comes back is the same number.
    one = std::round(one * (Design::levels - 1)) / (Design::levels - 1);
  }
  return x;
}

// The effect of each input along one path.
std::vector<double> morris_effects(const Design& d, std::uint64_t path,
                                   std::span<const double> values) {
  std::vector<double> effects(std::size_t(d.inputs));
  const auto order = order_of(d, path);
  for (std::size_t k = 0; k < order.size(); ++k)
    effects[std::size_t(order[k])] =
        (values[k + 1] - values[k]) * morris_input(d, path, order[k]).way / morris_step;
  return effects;
}

// Indices of the chosen rows; values are those of all runs.
std::vector<InputSensitivity> sobol_of(const Design& d, std::span<const double> values,
                                       const std::vector<std::uint64_t>& rows, double& mean,
                                       double& variance) {
  const double n = double(rows.size());
  variance = 0.0;
  // From one of them on, so that values that are all the same have no variance.
  const double origin = values[rows.front() * d.block()];
  double beyond = 0.0;
  for (const auto row : rows)
    for (const std::uint64_t k : {0, 1}) beyond += values[row * d.block() + k] - origin;
  mean = origin + beyond / (2.0 * n);
  for (const auto row : rows)
    for (const std::uint64_t k : {0, 1})
      variance += std::pow(values[row * d.block() + k] - mean, 2) / (2.0 * n);
  std::vector<InputSensitivity> all(std::size_t(d.inputs));
  for (const auto row : rows) {
    const auto y = values.subspan(row * d.block(), d.block());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].first += (y[1] - mean) * (y[i + 2] - y[0]) / (n * variance);
      all[i].total += std::pow(y[0] - y[i + 2], 2) / (2.0 * n * variance);
    }
  }
  return all;
}

std::vector<InputSensitivity> morris_of(const Design& d, std::span<const double> values,
                                        const std::vector<std::uint64_t>& paths) {
  std::vector<InputSensitivity> all(std::size_t(d.inputs));
  std::vector<double> squares(all.size());
  double n = 0.0;
  // Mean and squares about it in one pass (Welford): a linear quantity has no scatter.
  for (const auto path : paths) {
    const auto effects = morris_effects(d, path, values.subspan(path * d.block(), d.block()));
    n += 1.0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double off = effects[i] - all[i].first;
      all[i].first += off / n;
      squares[i] += off * (effects[i] - all[i].first);
      all[i].total += (std::abs(effects[i]) - all[i].total) / n;
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].sigma = std::sqrt(std::max(0.0, squares[i]) / (n - 1.0));
  return all;
}

}  // namespace

std::uint64_t SensitivityDesign::block() const {
  return std::uint64_t(inputs) + (method == morris ? 1 : 2);
}

std::vector<double> SensitivityDesign::point(std::uint64_t run) const {
  return method == morris ? morris_point(*this, run) : saltelli_point(*this, run);
}

void SensitivityDesign::check() const {
  if (inputs < 1) throw InvalidInput("sensitivity", "a sensitivity needs at least one drawn field");
  if (samples < 2 || samples > sobol_points)
    throw InvalidInput(
        "samples", "samples = " + words(double(samples)) + " must be at least 2 and at most 2^32");
}

SensitivityResult sensitivities(const SensitivityDesign& design, std::span<const double> values) {
  SensitivityResult result;
  const std::uint64_t block = design.block();
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; (row + 1) * block <= values.size(); ++row) {
    const auto own = values.subspan(row * block, block);
    if (std::all_of(own.begin(), own.end(), [](double y) { return std::isfinite(y); }))
      rows.push_back(row);
  }
  result.used = rows.size();
  const double none = std::nan("");
  result.inputs.assign(std::size_t(design.inputs), {none, none, none, none, none});
  if (rows.size() < 2) return result;
  const auto of = [&](const std::vector<std::uint64_t>& chosen, double& mean, double& variance) {
    return design.method == SensitivityDesign::morris
               ? morris_of(design, values, chosen)
               : sobol_of(design, values, chosen, mean, variance);
  };
  auto found = of(rows, result.mean, result.variance);
  if (design.method == SensitivityDesign::sobol_indices && !(result.variance > 0.0)) return result;

  // The bootstrap: the same of rows drawn with replacement.
  constexpr int repetitions = 200;
  std::vector<InputSensitivity> sums(found.size()), squares(found.size());
  for (int k = 0; k < repetitions; ++k) {
    stop_if_asked();
    std::vector<std::uint64_t> drawn;
    for (std::uint64_t i = 0; i < rows.size(); ++i)
      drawn.push_back(rows[random_bits(design.seed, RandomStream::resampling, i, std::uint32_t(k)) %
                           rows.size()]);
    double mean = 0.0, variance = 0.0;
    const auto again = of(drawn, mean, variance);
    for (std::size_t i = 0; i < again.size(); ++i) {
      sums[i].first += again[i].first / repetitions;
      sums[i].total += again[i].total / repetitions;
      squares[i].first += again[i].first * again[i].first / repetitions;
      squares[i].total += again[i].total * again[i].total / repetitions;
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto half = [](double square, double sum) {
      return 1.96 * std::sqrt(std::max(0.0, square - sum * sum));
    };
    found[i].first_half_width = half(squares[i].first, sums[i].first);
    found[i].total_half_width = half(squares[i].total, sums[i].total);
  }
  result.inputs = std::move(found);
  return result;
}

}  // namespace bristle
