// SPDX-License-Identifier: MIT
// A motion as a polynomial in time: x(s) = sum_k x[k] s^k, read and searched without evaluating
// anything else.
#pragma once

#include <algorithm>
#include <array>

namespace bristle {

class MotionPolynomial {
 public:
  static constexpr int highest = 20;
  using Coefficients = std::array<double, highest + 1>;

  // Displacement and velocity, a time s after the start.
  struct Moved {
    double displacement, velocity;
  };
  Moved moved(double s) const {
    double d = x_[order_], v = 0.0;
    for (int k = order_ - 1; k > 0; --k) {
      v = v * s + d;
      d = d * s + x_[k];
    }
    return {d * s, v * s + d};
  }
  // Velocity in the direction of motion, and its slope, at several times.
  template <std::size_t Count>
  struct Pace {
    std::array<double, Count> velocity{}, slope{};
  };
  template <std::size_t Count>
  Pace<Count> pace(const std::array<double, Count>& s) const {
    Pace<Count> p;
    for (int k = order_; k > 0; --k) {
      const double term = direction_ * k * x_[k];
      for (std::size_t i = 0; i < Count; ++i) {
        p.slope[i] = p.slope[i] * s[i] + p.velocity[i];
        p.velocity[i] = p.velocity[i] * s[i] + term;
      }
    }
    return p;
  }
  // True if the velocity keeps its direction up to s even with its falling terms alone.
  bool surely_moves_on(double s) const {
    double fall = 0.0;
    for (int k = order_; k > 1; --k) fall = (fall + std::min(0.0, direction_ * k * x_[k])) * s;
    return direction_ * x_[1] + fall > 0.0;
  }

 protected:
  Coefficients x_{};
  int order_ = 4;
  double direction_ = 1.0;  // of the motion
};

}  // namespace bristle
