// SPDX-License-Identifier: MIT
#include "bristle/analysis/fit_quality.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/model/field.hpp"

namespace bristle {
namespace {

// Four digits are enough for a sentence.
std::string rounded(double value) {
  if (value == 0.0 || !std::isfinite(value)) return words(value);
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3.0);
  return words(unit < 1.0 ? std::round(value / unit) / std::round(1.0 / unit)
                          : std::round(value / unit) * unit);
}

}  // namespace

FitQuality fit_quality(std::span<const MeasuredRun> runs, double rms) {
  FitQuality q;
  q.rms = rms;
  // Moments about the first row, so that offsets cost no digits.
  double x0 = 0.0, y0 = 0.0, n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
  double least = INFINITY, most = -INFINITY;
  for (const auto& run : runs)
    for (std::size_t i = 0; i < run.input.size(); ++i) {
      if (n == 0.0) x0 = run.input[i], y0 = run.output[i];
      const double u = run.input[i] - x0, v = run.output[i] - y0;
      n += 1.0, x += u, y += v, xx += u * u, xy += u * v, yy += v * v;
      least = std::min(least, run.output[i]), most = std::max(most, run.output[i]);
    }
  if (n == 0.0) return q;
  const double input = xx - x * x / n, both = xy - x * y / n,
               output = std::max(0.0, yy - y * y / n);
  const double line = input > 0.0 ? std::max(0.0, output - both * both / input) : output;
  q.rows = std::size_t(n);
  q.range = most - least;
  q.line_rms = std::sqrt(line / n);
  q.r_squared = output > 0.0 ? 1.0 - n * rms * rms / output : 0.0;
  return q;
}

std::string FitQuality::why_not() const {
  if (rms > most_of_line * line_rms)
    return "its residual of " + rounded(rms) + " rms is not 20 % below the " + rounded(line_rms) +
           " of the best straight line";
  if (rms > most_of_range * range)
    return "its residual of " + rounded(rms) + " rms is more than 25 % of the range " +
           rounded(range) + " of the output";
  return "";
}

}  // namespace bristle
