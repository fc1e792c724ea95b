// SPDX-License-Identifier: MIT
// The motion of a Duffing oscillator, as an irregular signal that can be made again.
//
//   q'' + damping q' - stiffness q (1 - q^2) = force cos(frequency t),   q(0) = 1, q'(0) = 0
//
// Integrated once by Taylor series of order 14 on equal pieces and kept as their coefficients, so
// that value, slope and curvature are read off to rounding at any time. Limits: a chaotic motion
// doubles an error every few hundredths of a second, so after a second or two it is one motion of
// the attractor and no longer the one of an exact computation. Source: hysteretic effects of dry
// friction, section 5c, which gives all numbers but the force.
#pragma once

#include <array>
#include <vector>

#include "bristle/model/field.hpp"

namespace bristle {

struct Duffing {
  using Number = double;
  static constexpr std::string_view name = "duffing";
  static constexpr std::string_view summary = "Duffing oscillator with two wells, driven";

  double damping = 0.1;
  double stiffness = 1e4;
  double force = 3000.0;
  double frequency = 90.0;

  static constexpr auto fields() {
    using F = Field<Duffing>;
    return std::array{
        F{"damping", "1/s", "damping", non_negative, &Duffing::damping},
        F{"stiffness", "1/s2", "stiffness of its wells", positive, &Duffing::stiffness},
        F{"force", "1/s2", "amplitude of its drive", any_number, &Duffing::force},
        F{"frequency", "rad/s", "angular frequency of its drive", positive, &Duffing::frequency}};
  }
};

class DuffingMotion {
 public:
  // Throws InvalidInput for parameters out of range or a motion longer than memory allows.
  DuffingMotion(const Duffing& duffing, double end);

  double end() const { return end_; }
  double frequency() const { return frequency_; }
  double scale() const { return scale_; }

  struct At {
    double value, slope, curvature, third;
  };
  // Before the start and after the end the outermost piece is continued.
  At at(double t) const;

 private:
  static constexpr int order = 14;
  using Piece = std::array<double, order + 1>;

  double end_, frequency_, width_, scale_ = 0.0;
  std::vector<Piece> pieces_;
};

}  // namespace bristle
