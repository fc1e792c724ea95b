// SPDX-License-Identifier: MIT
#include "bristle/analysis/split_loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/solve/cancel.hpp"
#include "search.hpp"

namespace bristle {

namespace {

// The median of five neighbours: single samples gone astray disappear.
std::vector<double> calmed(std::span<const double> x) {
  std::vector<double> out(x.begin(), x.end());
  for (std::size_t i = 2; i + 2 < x.size(); ++i) {
    std::array<double, 5> near{x[i - 2], x[i - 1], x[i], x[i + 1], x[i + 2]};
    std::nth_element(near.begin(), near.begin() + 2, near.end());
    out[i] = near[2];
  }
  return out;
}

struct Extent {
  double low, high;
  double size() const { return high - low; }
};
Extent extent(std::span<const double> x) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  return {*low, *high};
}

// The samples at which the input has passed upward through the middle of its range. A record that
// begins near the middle counts as having been below.
std::vector<std::size_t> passages(std::span<const double> calm, double band) {
  const Extent range = extent(calm);
  const double middle = 0.5 * (range.low + range.high), off = band * range.size();
  std::vector<std::size_t> cuts;
  bool armed = std::abs(calm[0] - middle) <= off;  // has been well below
  std::size_t crossing = 0, below = 0;
  for (std::size_t i = 0; i < calm.size(); ++i) {
    if (calm[i] < middle - off) armed = true, below = i;
    if (i > 0 && calm[i - 1] < middle && calm[i] >= middle) crossing = i;
    // The passage counts once the input is well above.
    if (armed && calm[i] > middle + off) cuts.push_back(crossing), armed = false;
  }
  // Or where the record ends, if it comes from well below.
  if (armed && below > 0 && crossing > below) cuts.push_back(crossing);
  return cuts;
}

// Loops within [first, end), and within what is left before and after them.
void cut(std::span<const double> calm, std::size_t first, std::size_t end, double band,
         double least, std::vector<Stretch>& loops) {
  stop_if_asked();
  const auto part = calm.subspan(first, end - first);
  if (part.size() < 4 || !(extent(part).size() >= least)) return;
  const auto cuts = passages(part, band);
  if (cuts.size() < 2) return;
  cut(calm, first, first + cuts.front() + 1, band, least, loops);
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k)
    loops.push_back({first + cuts[k], std::min(first + cuts[k + 1] + 1, end)});
  cut(calm, first + cuts.back(), end, band, least, loops);
}

// The output where the input passes a value, on the way to sample i.
double output_at(std::span<const double> x, std::span<const double> y, std::size_t i, double at) {
  if (i == 0 || x[i] == x[i - 1]) return y[i];
  const double part = (at - x[i - 1]) / (x[i] - x[i - 1]);
  return part >= 0.0 && part <= 1.0 ? y[i - 1] + part * (y[i] - y[i - 1]) : y[i];
}

}  // namespace

std::vector<Stretch> split_loops(std::span<const double> input, std::span<const double> output,
                                 double band, double smallest) {
  if (input.empty()) return {};
  const auto calm = calmed(input);
  std::vector<Stretch> loops;
  cut(calm, 0, input.size(), band, smallest * extent(calm).size(), loops);
  if (loops.empty()) return {{0, input.size(), closing_error(input, output)}};
  const double height = extent(output).size();
  for (Stretch& s : loops) {
    if (s.first == 0) {
      s.closing_error = closing_error(input.first(s.end), output.first(s.end));
      continue;
    }
    // An input that both passages cross.
    const double at = 0.5 * (std::max(input[s.first - 1], input[s.end - 2]) +
                             std::min(input[s.first], input[s.end - 1]));
    const double gap =
        output_at(input, output, s.end - 1, at) - output_at(input, output, s.first, at);
    s.closing_error = height > 0.0 ? std::abs(gap) / height : 0.0;
  }
  return loops;
}

std::vector<LeftOut> rows_left_out(std::span<const double> input, std::span<const Stretch> loops,
                                   double smallest) {
  std::vector<LeftOut> out;
  std::size_t next = 0;
  const auto add = [&](std::size_t end) {
    if (end <= next) return;
    const bool small =
        extent(input.subspan(next, end - next)).size() < smallest * extent(input).size();
    out.push_back({next, end,
                   small
                       ? "the input swings there by less than " +
                             std::to_string(int(std::lround(100.0 * smallest))) + " % of its range"
                       : "no whole cycle there"});
  };
  for (const Stretch& s : loops) {
    add(s.first);
    next = std::max(next, s.end);
  }
  add(input.size());
  return out;
}

double closing_error(std::span<const double> input, std::span<const double> output) {
  const std::size_t n = input.size();
  if (n < 2) return 0.0;
  const double width = extent(input).size(), height = extent(output).size();
  const auto miss = [&](double steps) {
    const auto on = [&](std::span<const double> v) {
      if (n < 3) return v[n - 1];
      const double rise = v[n - 1] - v[n - 2], before = v[n - 2] - v[n - 3];
      return v[n - 1] + steps * rise + 0.5 * steps * (steps + 1.0) * (rise - before);
    };
    return std::max(width > 0.0 ? std::abs(on(input) - input[0]) / width : 0.0,
                    height > 0.0 ? std::abs(on(output) - output[0]) / height : 0.0);
  };
  // The nearest of a scan, then golden sections around it.
  double best = 0.0;
  for (double steps = 0.0; steps <= 1.5; steps += 0.05)
    if (miss(steps) < miss(best)) best = steps;
  const double near = golden_section(miss, std::max(0.0, best - 0.05), best + 0.05, 60);
  return std::min({miss(0.0), miss(best), miss(near)});
}

}  // namespace bristle
