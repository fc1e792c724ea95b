// SPDX-License-Identifier: MIT
// The friction force of a measured oscillator, from signals that can be measured.
//
//   F = -(mass y'' + spring x + damping v)
//
// x is the displacement against the base, v its velocity, y'' the acceleration of the mass. What
// was not measured is differentiated: v from x, and y'' from x + e with the motion e of the base.
// The differentiator fits a polynomial to 2 half_width + 1 samples by least squares and takes the
// slope (or curvature) of it in the middle (Savitzky and Golay): exact for polynomials up to its
// degree, without delay. Its pass band ends near (degree + 1) / (3.2 half_width) of the Nyquist
// frequency; what the friction does faster than that is smoothed away. At the ends the outermost
// polynomial is read off its middle, and is less certain. Source: hysteretic effects of dry
// friction (5.3), which does not say how the signals were filtered.
#pragma once

#include <span>
#include <vector>

#include "bristle/mechanism/base_excited_mass.hpp"

namespace bristle {

struct SmoothingOptions {
  using Number = double;
  static constexpr std::string_view name = "smoothing";
  static constexpr std::string_view summary = "differentiation by local polynomials";

  double half_width = 8.0;
  double degree = 4.0;

  static constexpr auto fields() {
    using S = SmoothingOptions;
    using F = Field<S>;
    return std::array{
        F{"half_width", "", "samples on either side", Bounds{1.0, 1000.0, false, true},
          &S::half_width},
        F{"degree", "", "degree of the polynomial", Bounds{1.0, 10.0, false, true}, &S::degree}};
  }
  void check() const {
    if (!(degree <= 2.0 * half_width))
      throw InvalidInput("degree", "smoothing: degree = " + words(degree) +
                                       " must be at most twice half_width = " + words(half_width));
  }
};

// The signal itself (0), its slope (1) or curvature (2), smoothed; samples `step` apart.
std::vector<double> smoothed(std::span<const double> signal, double step, int derivative,
                             const SmoothingOptions& options = {});

// Columns of one measurement; empty where not measured. Without body_acceleration, base is needed.
struct MeasuredSignals {
  std::vector<double> time, position, velocity, body_acceleration, base;
};

struct IndirectForce {
  std::vector<double> time, velocity, body_acceleration, force;
};

// Throws InvalidInput for no samples, uneven times, columns of unequal length, or a window that
// does not fit.
IndirectForce indirect_force(const BaseExcitedMass& body, const MeasuredSignals& signals,
                             const SmoothingOptions& options = {});

}  // namespace bristle
