// SPDX-License-Identifier: MIT
// A mass dragged over the ground by a spring whose free end moves at constant speed.
//
//   x' = v,    m v' = k (y - x) - F,    y = drag_velocity t
//
// States: position x, velocity v. Shows stick-slip if the friction falls with speed and the drag is
// slow. Source: compressed bristle model (18)-(20); friction with bristle dynamics (60).
#pragma once

#include <algorithm>
#include <span>

#include "bristle/mechanism/mechanism.hpp"

namespace bristle {

struct DraggedMass {
  using Number = double;
  static constexpr std::string_view name = "dragged_mass";
  static constexpr std::string_view summary = "mass pulled by a spring at constant speed";
  static constexpr std::string_view input_name = "drag_position";
  static constexpr std::string_view input_unit = "m";
  static constexpr int size = 2;
  static constexpr int velocity_state = 1;

  double mass = 1.0;
  double spring = 2.0;
  double drag_velocity = 0.1;
  double load = 1.0;

  static constexpr auto fields() {
    using F = Field<DraggedMass>;
    return std::array{
        F{"mass", "kg", "mass of the body", positive, &DraggedMass::mass},
        F{"spring", "N/m", "stiffness of the spring", positive, &DraggedMass::spring},
        F{"drag_velocity", "m/s", "speed of the free end of the spring", any_number,
          &DraggedMass::drag_velocity},
        F{"load", "N", "normal force, for laws normalised by it", positive, &DraggedMass::load}};
  }

  template <class S>
  using State = std::array<S, size>;

  template <class S>
  S stretch(const S& t, const State<S>& y) const {
    return drag_velocity * t - y[0];
  }
  template <class S>
  Motion<S> motion(const S& t, const State<S>& y, int) const {
    return {y[0], y[1], S(load), t};
  }
  template <class S, class Rates>
  void rates(const S& t, const State<S>& y, const S& friction, int, Rates& dydt) const {
    dydt[0] = y[1];
    dydt[1] = spring * stretch(t, y) * (1.0 / mass) - friction * (1.0 / mass);
  }
  template <class S>
  S hold(const S& t, const State<S>& y, int) const {
    return spring * stretch(t, y);
  }
  template <class S>
  S power_in(const S& t, const State<S>& y, const S&, int) const {
    return drag_velocity * spring * stretch(t, y);
  }
  template <class S>
  S energy(const S& t, const State<S>& y, int) const {
    return 0.5 * (mass * y[1] * y[1] + spring * square(stretch(t, y)));
  }
  template <class S>
  S input(const S& t, int) const {
    return drag_velocity * t;
  }
  // For a solution by series (mechanism.hpp).
  void expand_drive(double t, int, std::span<double> drive) const {
    std::fill(drive.begin(), drive.end(), 0.0);
    drive[0] = spring * drag_velocity * t;
    drive[1] = spring * drag_velocity;
  }
  double power_term(int k, const double* drive, int, const double* x, const double*) const {
    return drag_velocity * (drive[k] - spring * x[k]);
  }

  State<double> scales(double force) const {
    return {force / spring, std::max(abs(drag_velocity), force / sqrt(spring * mass))};
  }
  // The velocity whose upward crossings mark the cycles.
  double section() const { return 0.5 * drag_velocity; }
  int piece(double) const { return 0; }
  double next_kink(double) const { return std::numeric_limits<double>::infinity(); }
  double longest_step() const { return std::numeric_limits<double>::infinity(); }
};

}  // namespace bristle
