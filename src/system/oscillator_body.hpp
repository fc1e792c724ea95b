// SPDX-License-Identifier: MIT
// The equations of a friction oscillator for a given friction force, as the solver of contacts sees
// them: the mass and the push of the relative motion, rates, powers and energy.
#pragma once

#include <array>
#include <cmath>

#include "bristle/system/friction_oscillator.hpp"

namespace bristle::detail {

// x and v relative to the base.
class SingleBody {
 public:
  static constexpr int size = 2;
  using State = std::array<double, size>;

  explicit SingleBody(const FrictionOscillator& o) : o_(o) {}
  int piece = 0;  // of the base's motion

  double mass() const { return o_.mass; }
  double position(const State& y) const { return y[0]; }
  double velocity(const State& y) const { return y[1]; }
  State start() const { return {o_.position, o_.velocity}; }
  State scales(double reach, double pace) const { return {reach, pace}; }

  double push(double t, const State& y) const {
    return -o_.spring * y[0] - o_.damping * y[1] - o_.mass * o_.base.curvature(t, piece);
  }
  void rates(double, const State& y, double acceleration, double, State& dy) const {
    dy = {y[1], acceleration};
  }
  double body_acceleration(double, const State& y, double friction) const {
    return -(o_.spring * y[0] + o_.damping * y[1] + friction) / o_.mass;
  }
  // Work of the base, friction, and the damper, per second.
  std::array<double, 3> powers(double t, const State& y, double friction) const {
    const double force = o_.spring * y[0] + o_.damping * y[1] + friction;
    return {-force * o_.base.slope(t, piece), friction * y[1], o_.damping * y[1] * y[1]};
  }
  double energy(double t, const State& y) const {
    const double v = y[1] + o_.base.slope(t, piece);
    return 0.5 * (o_.mass * v * v + o_.spring * y[0] * y[0]);
  }

 private:
  const FrictionOscillator& o_;
};

// Mass, tongue and pads, each by displacement and velocity against the base.
class RigBody {
 public:
  static constexpr int size = 6;
  using State = std::array<double, size>;

  explicit RigBody(const FrictionOscillator& o)
      : o_(o), main_(o.mass - o.tongue_mass), pads_(2.0 * o.pad_mass), mass_(o.contact_mass()) {}
  int piece = 0;

  double mass() const { return mass_; }
  double position(const State& y) const { return y[2] - y[4]; }
  double velocity(const State& y) const { return y[3] - y[5]; }
  State start() const { return {o_.position, o_.velocity, o_.position, o_.velocity, 0.0, 0.0}; }
  State scales(double reach, double pace) const { return {reach, pace, reach, pace, reach, pace}; }

  // The acceleration of the base falls out of the difference.
  double push(double, const State& y) const {
    return mass_ * (link(y) / o_.tongue_mass + 2.0 * o_.pad_spring * y[4] / pads_);
  }
  void rates(double t, const State& y, double, double friction, State& dy) const {
    const double shake = o_.base.curvature(t, piece);
    dy[0] = y[1];
    dy[1] = -(o_.spring * y[0] + o_.damping * y[1] + link(y)) / main_ - shake;
    dy[2] = y[3];
    dy[3] = (link(y) - friction) / o_.tongue_mass - shake;
    dy[4] = y[5];
    dy[5] = (friction - 2.0 * o_.pad_spring * y[4]) / pads_ - shake;
  }
  double body_acceleration(double, const State& y, double) const {
    return -(o_.spring * y[0] + o_.damping * y[1] + link(y)) / main_;
  }
  // Of the mass against the base, and what the force transducer of the tongue carries.
  double body_position(const State& y) const { return y[0]; }
  double body_velocity(const State& y) const { return y[1]; }
  double transducer(const State& y) const { return link(y); }
  std::array<double, 3> powers(double t, const State& y, double friction) const {
    const double from_base = -o_.spring * y[0] - o_.damping * y[1] - 2.0 * o_.pad_spring * y[4];
    const double slip = y[1] - y[3];
    return {from_base * o_.base.slope(t, piece), friction * velocity(y),
            o_.damping * y[1] * y[1] + o_.tongue_damping * slip * slip};
  }
  double energy(double t, const State& y) const {
    const double e = o_.base.slope(t, piece);
    const auto kinetic = [&](double m, double v) { return 0.5 * m * (v + e) * (v + e); };
    const double stretch = y[0] - y[2];
    return kinetic(main_, y[1]) + kinetic(o_.tongue_mass, y[3]) + kinetic(pads_, y[5]) +
           0.5 * (o_.spring * y[0] * y[0] + o_.tongue_spring * stretch * stretch) +
           o_.pad_spring * y[4] * y[4];
  }

 private:
  double link(const State& y) const {
    return o_.tongue_spring * (y[0] - y[2]) + o_.tongue_damping * (y[1] - y[3]);
  }

  const FrictionOscillator& o_;
  double main_, pads_, mass_;
};

}  // namespace bristle::detail
