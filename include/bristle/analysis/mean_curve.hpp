// SPDX-License-Identifier: MIT
// A mean curve of a loop: the mean of the rising and the falling branch, and the Stribeck fall
// that fits it best.
#pragma once

#include <span>
#include <vector>

namespace bristle {

// A quantity over speed: the mean of its values while the speed grows and while it falls, each in
// equal bins of speed. Bins that are not visited both ways are left out.
struct MeanCurve {
  std::vector<double> velocity;
  std::vector<double> value;

  // The value at a speed, by straight lines between the bins; NaN outside of them.
  double at(double speed) const;
};
MeanCurve mean_curve(std::span<const double> velocity, std::span<const double> value,
                     int bins = 60);

enum class FallShape { sech, gaussian };

// value = limit - drop * shape(v / velocity): y1, y2 and v_s of the simplified bristle model, or
// with a negative drop the rise towards rest of a Stribeck curve. Source: compressed bristle model
// (68)-(71), thesis (3.81).
struct FallFit {
  double limit = 0.0;
  double drop = 0.0;
  double velocity = 0.0;
  double residual = 0.0;  // root of the mean square

  double at(double v, FallShape shape) const;
};
FallFit fit_fall(const MeanCurve& curve, FallShape shape);
// The same with the limits pinned to the curve: it runs from the mean of the slowest bin to that of
// the fastest, and only the velocity is fitted.
FallFit fit_pinned_fall(const MeanCurve& curve, FallShape shape);

// The exponentially weighted moving average: beta x_j + (1 - beta) mean_{j-1}, starting from the
// first value. Source: thesis (3.79).
std::vector<double> moving_average(std::span<const double> values, double beta);

}  // namespace bristle
