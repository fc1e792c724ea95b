// SPDX-License-Identifier: MIT
// A body whose motion is given: its signal is a position, or a velocity that starts at position
// zero.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "bristle/mechanism/signal.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

struct DriveSettings {
  using Number = double;
  static constexpr std::string_view name = "drive";
  static constexpr std::string_view summary = "body whose motion is given";

  enum Gives : int { position, velocity };
  static constexpr std::array<std::string_view, 2> kinds{"position", "velocity"};

  int gives = position;

  static constexpr auto fields() {
    return std::array{Field<DriveSettings>{
        "gives", "what the signal is: the position, or the velocity, from position zero on", kinds,
        &DriveSettings::gives}};
  }
};

struct DrivePart {
  std::string name;
  Signal signal{};
  DriveSettings settings{};

  bool by_velocity() const { return settings.gives == DriveSettings::velocity; }

  // The position and its derivatives in time, the third one only on request.
  struct Motion {
    double value, slope, curvature, third;
  };
  Motion at(double t, int piece, bool with_third) const {
    const Signal& e = signal;
    if (by_velocity())
      return {e.integral(t), e.value(t, piece), e.slope(t, piece),
              with_third ? e.curvature(t, piece) : 0.0};
    return {e.value(t, piece), e.slope(t, piece), e.curvature(t, piece),
            with_third ? e.curvature(variable<1>(t, 0), piece).slope[0] : 0.0};
  }
  // Whether it accelerates within a piece.
  bool bends() const {
    if (!by_velocity()) return signal.bends();
    return signal.rate != 0.0 || signal.shape == Signal::triangle || signal.bends();
  }
  // The size of its velocity, for error control.
  double speed() const {
    const Signal& e = signal;
    if (by_velocity()) return std::abs(e.offset) + (e.shape == Signal::ramp ? 0.0 : e.scale());
    return std::abs(e.rate) + std::abs(e.amplitude * e.frequency) +
           std::abs(e.second_amplitude * e.second_frequency);
  }
};

}  // namespace bristle
