// SPDX-License-Identifier: MIT
// A mass tied to a wall by a spring and pushed by a force.
//
//   x' = v,    m v' = u(t) - K x - F
//
// States: position x, velocity v. The map from u to x at vanishing frequency is the hysteresis map
// of the friction law; spring = 0 leaves the mass free, as for presliding tests. Source: thesis
// (1.18), (3.40)-(3.41); compressed bristle model (26)-(27).
#pragma once

#include <algorithm>

#include "bristle/mechanism/mechanism.hpp"
#include "bristle/mechanism/signal.hpp"

namespace bristle {

struct WallSpringMass {
  using Number = double;
  static constexpr std::string_view name = "wall_spring_mass";
  static constexpr std::string_view summary = "mass on a wall spring under a force input";
  static constexpr std::string_view input_name = "input_force";
  static constexpr std::string_view input_unit = "N";
  static constexpr int size = 2;
  static constexpr int velocity_state = 1;

  double mass = 1.0;
  double spring = 1.0;
  double load = 1.0;
  Signal signal{};

  static constexpr auto fields() {
    using F = Field<WallSpringMass>;
    return std::array{
        F{"mass", "kg", "mass of the body", positive, &WallSpringMass::mass},
        F{"spring", "N/m", "stiffness of the wall spring", non_negative, &WallSpringMass::spring},
        F{"load", "N", "normal force, for laws normalised by it", positive, &WallSpringMass::load}};
  }

  template <class S>
  using State = std::array<S, size>;

  template <class S>
  Motion<S> motion(const S& t, const State<S>& y, int) const {
    return {y[0], y[1], S(load), t};
  }
  template <class S, class Rates>
  void rates(const S& t, const State<S>& y, const S& friction, int piece, Rates& dydt) const {
    rates_under(signal.value(t, piece), y, friction, dydt);
  }
  // The same and the power of the drive, with the drive at hand.
  template <class S, class Rates>
  void rates_under(const S& drive, const State<S>& y, const S& friction, Rates& dydt) const {
    dydt[0] = y[1];
    dydt[1] = (drive - spring * y[0] - friction) * (1.0 / mass);
  }
  template <class S>
  S power_under(const S& drive, const State<S>& y) const {
    return drive * y[1];
  }
  template <class S>
  S hold(const S& t, const State<S>& y, int piece) const {
    return signal.value(t, piece) - spring * y[0];
  }
  template <class S>
  S power_in(const S& t, const State<S>& y, const S&, int piece) const {
    return signal.value(t, piece) * y[1];
  }
  template <class S>
  S energy(const S&, const State<S>& y, int) const {
    return 0.5 * (mass * y[1] * y[1] + spring * y[0] * y[0]);
  }
  template <class S>
  S input(const S& t, int piece) const {
    return signal.value(t, piece);
  }
  // For a solution by series (mechanism.hpp).
  void expand_drive(double t, int piece, std::span<double> drive) const {
    signal.expand(t, piece, drive);
  }
  double power_term(int k, const double* drive, int terms, const double*, const double* v) const {
    double sum = 0.0;
    for (int j = 0; j <= k && j < terms; ++j) sum += drive[j] * v[k - j];
    return sum;
  }

  State<double> scales(double force) const {
    const double push = std::max(force, signal.scale());
    const double pull = std::max(spring, mass * square(std::max(signal.frequency, 1e-3)));
    return {push / pull, push / sqrt(pull * mass)};
  }
  double section() const { return 0.0; }
  double drive_period() const { return signal.period(); }
  int piece(double t) const { return signal.piece(t); }
  double next_kink(double t) const { return signal.next_kink(t); }
  double longest_step() const { return signal.longest_step(); }
};

}  // namespace bristle
