// SPDX-License-Identifier: MIT
// A mass on springs over a base that moves, in coordinates relative to the base.
//
//   x' = v,    mass v' = -mass e''(t) - spring x - damping v - F,     x = y - e
//
// States: relative position x and velocity v, so that stick is v = 0. The input is the motion e of
// the base. The signs are those of (5.2); (5.4) as printed turns those of damping and friction.
// Source: hysteretic effects of dry friction (5.2)-(5.4).
#pragma once

#include <algorithm>

#include "bristle/mechanism/mechanism.hpp"
#include "bristle/mechanism/signal.hpp"

namespace bristle {

struct BaseExcitedMass {
  using Number = double;
  static constexpr std::string_view name = "base_excited_mass";
  static constexpr std::string_view summary = "mass on springs over a base that moves";
  static constexpr std::string_view input_name = "base_position";
  static constexpr std::string_view input_unit = "m";
  static constexpr int size = 2;
  static constexpr int velocity_state = 1;

  double mass = 3.35;
  double spring = 5040.0;
  double damping = 16.85;
  double load = 35.0;
  Signal signal{};

  static constexpr auto fields() {
    using B = BaseExcitedMass;
    using F = Field<B>;
    return std::array{
        F{"mass", "kg", "mass of the body", positive, &B::mass},
        F{"spring", "N/m", "stiffness of its springs", non_negative, &B::spring},
        F{"damping", "N s/m", "viscous damping", non_negative, &B::damping},
        F{"load", "N", "normal force, for laws normalised by it", positive, &B::load}};
  }
  void check() const {
    if (signal.shape == Signal::triangle)
      throw InvalidInput("shape",
                         "base_excited_mass: a base that moves along a triangle has no "
                         "acceleration at its corners, it must be smooth");
    if (signal.change_time > 0.0 && signal.amplitude_after != signal.amplitude)
      throw InvalidInput("change_time",
                         "base_excited_mass: a base whose amplitude changes from " +
                             words(signal.amplitude) + " m to " + words(signal.amplitude_after) +
                             " m at change_time = " + words(signal.change_time) +
                             " s jumps there, it must be smooth (set change_time = 0)");
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
    dydt[1] = (hold(t, y, piece) - friction) * (1.0 / mass);
  }
  template <class S>
  S hold(const S& t, const State<S>& y, int piece) const {
    return -spring * y[0] - damping * y[1] - mass * signal.curvature(t, piece);
  }
  // The base works against spring, damper and friction.
  template <class S>
  S power_in(const S& t, const State<S>& y, const S& friction, int piece) const {
    const S slope = signal.slope(t, piece);
    return -(spring * y[0] + damping * y[1] + friction) * slope - damping * y[1] * y[1];
  }
  template <class S>
  S energy(const S& t, const State<S>& y, int piece) const {
    const S v = y[1] + signal.slope(t, piece);
    return 0.5 * (mass * v * v + spring * y[0] * y[0]);
  }
  template <class S>
  S input(const S& t, int piece) const {
    return signal.value(t, piece);
  }

  State<double> scales(double force) const {
    const double stiff = std::max(spring, 1e-3 * mass);
    const double reach = std::max(signal.scale(), force / stiff);
    return {reach, reach * sqrt(stiff / mass)};
  }
  double section() const { return 0.0; }
  double drive_period() const { return signal.period(); }
  int piece(double t) const { return signal.piece(t); }
  double next_kink(double t) const { return signal.next_kink(t); }
  double longest_step() const { return signal.longest_step(); }
};

}  // namespace bristle
