// SPDX-License-Identifier: MIT
#include "bristle/analysis/decay.hpp"

#include <cmath>

namespace bristle {

Decay find_decay(const std::vector<double>& time, const std::vector<double>& signal,
                 double smallest) {
  Decay d;
  for (std::size_t i = 1; i + 1 < signal.size(); ++i) {
    const double a = signal[i - 1], b = signal[i], c = signal[i + 1];
    if (!((b >= a && b > c) || (b <= a && b < c))) continue;
    // The top of the parabola through three samples.
    const double bend = a - 2.0 * b + c, shift = bend != 0.0 ? 0.5 * (a - c) / bend : 0.0;
    d.time.push_back(time[i] + shift * (time[i + 1] - time[i]));
    d.size.push_back(std::abs(b - 0.25 * (a - c) * shift));
  }
  while (!d.size.empty() && d.size.back() < smallest * d.size.front())
    d.size.pop_back(), d.time.pop_back();
  const auto n = double(d.size.size());
  if (n < 3.0) return d;
  // Straight lines through the sizes and through their logarithms.
  const auto fit = [&](const auto& value, double& slope) {
    double st = 0.0, sy = 0.0, stt = 0.0, sty = 0.0;
    for (std::size_t i = 0; i < d.size.size(); ++i) {
      const double t = d.time[i], y = value(d.size[i]);
      st += t, sy += y, stt += t * t, sty += t * y;
    }
    slope = (n * sty - st * sy) / (n * stt - st * st);
    return (sy - slope * st) / n;
  };
  double line = 0.0, power = 0.0;
  const double level = fit([](double y) { return y; }, line);
  const double log_level = fit([](double y) { return std::log(y); }, power);
  for (std::size_t i = 0; i < d.size.size(); ++i) {
    d.line_residual += std::pow(level + line * d.time[i] - d.size[i], 2) / n;
    d.exponential_residual += std::pow(std::exp(log_level + power * d.time[i]) - d.size[i], 2) / n;
  }
  d.line_residual = std::sqrt(d.line_residual) / d.size.front();
  d.exponential_residual = std::sqrt(d.exponential_residual) / d.size.front();
  d.rate = -power;
  d.fall = -line;
  return d;
}

}  // namespace bristle
