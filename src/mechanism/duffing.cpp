// SPDX-License-Identifier: MIT
#include "bristle/mechanism/duffing.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {

DuffingMotion::DuffingMotion(const Duffing& d, double end) : end_(end), frequency_(d.frequency) {
  validate(d);
  // Poles of the motion lie some 1.8 / sqrt(2 stiffness) off the real axis, nearer for wide swings.
  width_ = 0.07 / std::sqrt(2.0 * d.stiffness) /
           std::max(1.0, std::cbrt(std::abs(d.force) / d.stiffness) * 2.0);
  width_ = std::min(width_, 0.2 / d.frequency);
  const double count = std::ceil(end / width_) + 1.0;
  constexpr double most = 5e5;  // made within a tenth of a second or two
  if (!(end > 0.0) || !(count < most))
    throw InvalidInput("end", "duffing: a motion of " + words(end) +
                                  " s is not allowed, it must be greater than 0 s and at most " +
                                  words(most * width_) + " s");
  pieces_.resize(std::size_t(count));
  double q = 1.0, p = 0.0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    Piece& c = pieces_[i];
    c[0] = q;
    c[1] = p;
    const double angle = d.frequency * width_ * double(i);
    double wave = d.force * std::cos(angle), quadrature = d.force * std::sin(angle);
    Piece squared{};
    for (int n = 0; n + 2 <= order; ++n) {
      // Coefficient n of q^2, then of q^3.
      for (int j = 0; j <= n; ++j) squared[n] += c[j] * c[n - j];
      double cubed = 0.0;
      for (int j = 0; j <= n; ++j) cubed += squared[j] * c[n - j];
      const double push = wave + d.stiffness * (c[n] - cubed) - d.damping * (n + 1) * c[n + 1];
      c[n + 2] = push / ((n + 1.0) * (n + 2.0));
      const double next = -d.frequency * quadrature / (n + 1.0);
      quadrature = d.frequency * wave / (n + 1.0);
      wave = next;
    }
    // At the right end of this piece.
    double value = 0.0, slope = 0.0;
    for (int n = order; n >= 0; --n) value = value * width_ + c[n];
    for (int n = order; n >= 1; --n) slope = slope * width_ + n * c[n];
    q = value;
    p = slope;
    scale_ = std::max(scale_, std::abs(q));
  }
}

DuffingMotion::At DuffingMotion::at(double t) const {
  const double last = double(pieces_.size()) - 1.0;
  const double index = std::clamp(std::floor(t / width_), 0.0, last);
  const Piece& c = pieces_[std::size_t(index)];
  const double s = t - index * width_;
  double value = 0.0, slope = 0.0, curvature = 0.0, third = 0.0;
  for (int n = order; n >= 0; --n) {
    third = third * s + 3.0 * curvature;
    curvature = curvature * s + 2.0 * slope;
    slope = slope * s + value;
    value = value * s + c[n];
  }
  return {value, slope, curvature, third};
}

}  // namespace bristle
