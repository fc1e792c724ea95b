// SPDX-License-Identifier: MIT
#include "bristle/analysis/mean_curve.hpp"

#include <algorithm>
#include <cmath>

#include "search.hpp"

namespace bristle {

MeanCurve mean_curve(std::span<const double> velocity, std::span<const double> value, int bins) {
  double top = 0.0;
  for (const double v : velocity)
    if (std::isfinite(v)) top = std::max(top, std::abs(v));
  struct Bin {
    double sum[2] = {0.0, 0.0};
    int count[2] = {0, 0};
  };
  std::vector<Bin> all(static_cast<std::size_t>(bins));
  for (std::size_t i = 1; i + 1 < velocity.size(); ++i) {
    const double speed = std::abs(velocity[i]);
    const double change = std::abs(velocity[i + 1]) - std::abs(velocity[i - 1]);
    if (!(speed > 0.0 && speed <= top) || change == 0.0) continue;
    const int k = std::min(bins - 1, int(speed / top * bins));
    const int way = change > 0.0 ? 0 : 1;
    all[std::size_t(k)].sum[way] += value[i];
    ++all[std::size_t(k)].count[way];
  }
  MeanCurve curve;
  for (int k = 0; k < bins; ++k) {
    const Bin& bin = all[std::size_t(k)];
    if (bin.count[0] == 0 || bin.count[1] == 0) continue;
    curve.velocity.push_back(top * (k + 0.5) / bins);
    curve.value.push_back(0.5 * (bin.sum[0] / bin.count[0] + bin.sum[1] / bin.count[1]));
  }
  return curve;
}

double MeanCurve::at(double speed) const {
  const auto after = std::lower_bound(velocity.begin(), velocity.end(), speed);
  if (after == velocity.end() || speed < velocity.front()) return NAN;
  const auto i = std::size_t(after - velocity.begin());
  if (i == 0) return value[0];
  const double part = (speed - velocity[i - 1]) / (velocity[i] - velocity[i - 1]);
  return value[i - 1] + part * (value[i] - value[i - 1]);
}

namespace {

double fall(double ratio, FallShape shape) {
  return shape == FallShape::sech ? 1.0 / std::cosh(std::min(std::abs(ratio), 700.0))
                                  : std::exp(-ratio * ratio);
}

// The root of the mean square of the distances from the curve.
double misfit(const FallFit& fit, const MeanCurve& curve, FallShape shape) {
  double sum = 0.0;
  for (std::size_t i = 0; i < curve.velocity.size(); ++i) {
    const double off = curve.value[i] - fit.at(curve.velocity[i], shape);
    sum += off * off;
  }
  return std::sqrt(sum / double(curve.velocity.size()));
}

// For a given velocity the fit is linear in limit and drop.
FallFit fit_at(const MeanCurve& curve, FallShape shape, double scale) {
  double n = 0.0, s = 0.0, ss = 0.0, y = 0.0, sy = 0.0;
  for (std::size_t i = 0; i < curve.velocity.size(); ++i) {
    const double f = fall(curve.velocity[i] / scale, shape);
    n += 1.0, s += f, ss += f * f, y += curve.value[i], sy += f * curve.value[i];
  }
  FallFit fit;
  fit.velocity = scale;
  const double det = n * ss - s * s;
  if (det > 1e-14 * n * ss) {
    const double slope = (n * sy - s * y) / det;
    fit.limit = (y - slope * s) / n;
    fit.drop = -slope;
  } else {
    fit.limit = y / n;
  }
  fit.residual = misfit(fit, curve, shape);
  return fit;
}

// The fit of the least residual among those of all velocities: the best of a scan over two decades,
// then a golden section around it.
template <class FitAt>
FallFit best_velocity(const MeanCurve& curve, const FitAt& fit_at) {
  if (curve.velocity.size() < 4) return {};
  const double top = curve.velocity.back();
  double best = top, least = INFINITY;
  for (int i = 0; i <= 120; ++i) {
    const double scale = top * std::pow(10.0, -1.5 + 2.0 * i / 120.0);
    if (const double residual = fit_at(scale).residual; residual < least)
      least = residual, best = scale;
  }
  return fit_at(golden_section([&](double scale) { return fit_at(scale).residual; }, best / 1.05,
                               best * 1.05, 80));
}

}  // namespace

double FallFit::at(double v, FallShape shape) const {
  return limit - drop * fall(v / velocity, shape);
}

FallFit fit_fall(const MeanCurve& curve, FallShape shape) {
  return best_velocity(curve, [&](double scale) { return fit_at(curve, shape, scale); });
}

FallFit fit_pinned_fall(const MeanCurve& curve, FallShape shape) {
  return best_velocity(curve, [&](double scale) {
    FallFit fit{curve.value.back(), curve.value.back() - curve.value.front(), scale, 0.0};
    fit.residual = misfit(fit, curve, shape);
    return fit;
  });
}

std::vector<double> moving_average(std::span<const double> values, double beta) {
  std::vector<double> mean(values.begin(), values.end());
  for (std::size_t i = 1; i < mean.size(); ++i)
    mean[i] = beta * values[i] + (1.0 - beta) * mean[i - 1];
  return mean;
}

}  // namespace bristle
