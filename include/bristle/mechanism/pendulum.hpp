// SPDX-License-Identifier: MIT
// A pendulum or a joint of an arm under a torque, with friction in its bearing.
//
//   q' = v,    J v' = u(t) - W sin(q - q0) - F
//
// States: angle q, velocity v; W = mass gravity length is the torque that holds the arm level, W =
// 0 a rotor in balance. Laws take rad for m and N m for N. A servo with motor, controller and a
// gear whose friction depends on the load is a machine, see machine/servo.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/mechanism/mechanism.hpp"
#include "bristle/mechanism/signal.hpp"

namespace bristle {

struct Pendulum {
  using Number = double;
  static constexpr std::string_view name = "pendulum";
  static constexpr std::string_view summary = "pendulum or joint of an arm under a torque";
  static constexpr std::string_view input_name = "input_torque";
  static constexpr std::string_view input_unit = "N m";
  static constexpr int size = 2;
  static constexpr int velocity_state = 1;

  double inertia = 0.01;
  double weight = 1.0;
  double tilt = 0.0;
  double load = 1.0;
  Signal signal{};

  static constexpr auto fields() {
    using P = Pendulum;
    using F = Field<P>;
    return std::array{
        F{"inertia", "kg m2", "moment of inertia about the axis", positive, &P::inertia},
        F{"weight", "N m", "mass gravity length, the torque that holds it level", non_negative,
          &P::weight},
        F{"tilt", "rad", "angle at which it hangs", any_number, &P::tilt},
        F{"load", "N", "normal force, for laws normalised by it", positive, &P::load}};
  }

  template <class S>
  using State = std::array<S, size>;

  template <class S>
  Motion<S> motion(const S& t, const State<S>& y, int) const {
    return {y[0], y[1], S(load), t};
  }
  template <class S, class Rates>
  void rates(const S& t, const State<S>& y, const S& friction, int piece, Rates& dydt) const {
    dydt[0] = y[1];
    dydt[1] = (hold(t, y, piece) - friction) * (1.0 / inertia);
  }
  template <class S>
  S hold(const S& t, const State<S>& y, int piece) const {
    return signal.value(t, piece) - weight * sin(S(y[0] - tilt));
  }
  template <class S>
  S power_in(const S& t, const State<S>& y, const S&, int piece) const {
    return signal.value(t, piece) * y[1];
  }
  template <class S>
  S energy(const S&, const State<S>& y, int) const {
    return 0.5 * inertia * y[1] * y[1] + weight * (1.0 - cos(S(y[0] - tilt)));
  }
  template <class S>
  S input(const S& t, int piece) const {
    return signal.value(t, piece);
  }

  State<double> scales(double force) const {
    const double push = std::max({force, signal.scale(), 0.01 * weight});
    const double pull = std::max(weight, inertia * square(std::max(signal.frequency, 1e-3)));
    return {push / pull, push / sqrt(pull * inertia)};
  }
  double section() const { return 0.0; }
  double drive_period() const { return signal.period(); }
  int piece(double t) const { return signal.piece(t); }
  double next_kink(double t) const { return signal.next_kink(t); }
  double longest_step() const { return signal.longest_step(); }
  // A step spans at most two radians of a pendulum that spins: over whole turns its weight would be
  // met at the same angle again and again, and the error of a step would not show what that adds.
  double longest_step_at(double velocity) const {
    return weight > 0.0 ? 2.0 / std::abs(velocity) : std::numeric_limits<double>::infinity();
  }
};

}  // namespace bristle
