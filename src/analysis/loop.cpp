// SPDX-License-Identifier: MIT
#include "bristle/analysis/loop.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {

Loop polygon_loop(std::span<const double> x, std::span<const double> y) {
  Loop loop;
  const std::size_t n = std::min(x.size(), y.size());
  if (n < 3) return loop;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    loop.area += 0.5 * (y[i] + y[j]) * (x[j] - x[i]);
  }
  const auto [x_low, x_high] = std::minmax_element(x.begin(), x.begin() + std::ptrdiff_t(n));
  const auto [y_low, y_high] = std::minmax_element(y.begin(), y.begin() + std::ptrdiff_t(n));
  loop.width = *x_high - *x_low;
  loop.height = *y_high - *y_low;
  if (loop.height > 0.0) loop.closing_error = std::abs(y[n - 1] - y[0]) / loop.height;
  return loop;
}

Loop last_loop(const Trajectory& run, std::span<const double> x, std::span<const double> y,
               double period, double end) {
  const double slack = 1e-9 * period;
  const auto first = std::lower_bound(run.time.begin(), run.time.end(), end - period - slack);
  const auto last = std::upper_bound(run.time.begin(), run.time.end(), end + slack);
  const auto from = std::size_t(first - run.time.begin());
  const auto count = std::size_t(last - first);
  return polygon_loop(x.subspan(from, count), y.subspan(from, count));
}

double sample_at(std::span<const double> time, std::span<const double> column, double t) {
  const std::size_t n = time.size();
  if (n == 0) return 0.0;
  const auto after = std::size_t(std::lower_bound(time.begin(), time.end(), t) - time.begin());
  if (after < n && time[after] == t) return column[after];
  if (n < 4) return column[std::min(after, n - 1)];
  const std::size_t from = std::min(after < 2 ? 0 : after - 2, n - 4);
  double sum = 0.0;
  for (std::size_t i = from; i < from + 4; ++i) {
    double weight = 1.0;
    for (std::size_t j = from; j < from + 4; ++j)
      if (j != i) weight *= (t - time[j]) / (time[i] - time[j]);
    sum += weight * column[i];
  }
  return sum;
}

double work_between(const Trajectory& run, double from, double to) {
  // At the end of a period the solver stopped: no interpolation there.
  const auto work = [&](double t) {
    for (const auto& mark : run.periods)
      if (std::abs(mark.time - t) <= 1e-9 * std::abs(t)) return mark.work_in;
    return sample_at(run.time, run.work_in, t);
  };
  return work(to) - work(from);
}

Range range_of(std::span<const double> column) {
  if (column.empty()) return {};
  const auto [low, high] = std::minmax_element(column.begin(), column.end());
  // The vertex of the parabola through an extreme sample and its neighbours, where it is smooth.
  const auto refined = [&](std::span<const double>::iterator at) {
    if (at - column.begin() < 2 || column.end() - at < 3) return *at;
    const auto bend = [](auto i) { return *(i - 1) - 2.0 * *i + *(i + 1); };
    const double before = bend(at - 1), here = bend(at), after = bend(at + 1);
    const bool smooth = std::abs(before - here) < 0.05 * std::abs(here) &&
                        std::abs(after - here) < 0.05 * std::abs(here);
    if (!smooth) return *at;
    const double slope = *(at + 1) - *(at - 1);
    return *at - slope * slope / (8.0 * here);
  };
  return {refined(low), refined(high)};
}

}  // namespace bristle
