// SPDX-License-Identifier: MIT
// The stem of a pneumatic diaphragm valve, moved by a pressure that follows a command.
//
//   mass x'' = area P - spring x - preload - F,    time_constant P' = gain OP + least_pressure - P
//
// OP is the command in percent. The run starts with the pressure that belongs to the command then.
// Source: friction with bristle dynamics (61), Table III.
#pragma once

#include "bristle/mechanism/mechanism.hpp"
#include "bristle/mechanism/signal.hpp"

namespace bristle {

struct DiaphragmValve {
  using Number = double;
  static constexpr std::string_view name = "diaphragm_valve";
  static constexpr std::string_view summary = "stem of a pneumatic valve; the input is its command";
  static constexpr std::string_view input_name = "command";
  static constexpr std::string_view input_unit = "%";
  static constexpr int size = 3;
  static constexpr int velocity_state = 1;

  double mass = 1.6;
  double spring = 203495.8;
  double preload = 2578.3;
  double area = 0.0445;
  double gain = 1666.49;
  double least_pressure = 41276.40;
  double time_constant = 0.933;
  double load = 1.0;
  Signal signal{};

  static constexpr auto fields() {
    using F = Field<DiaphragmValve>;
    using V = DiaphragmValve;
    return std::array{
        F{"mass", "kg", "mass of the stem", positive, &V::mass},
        F{"spring", "N/m", "stiffness of the return spring", positive, &V::spring},
        F{"preload", "N", "force of the spring at position zero", any_number, &V::preload},
        F{"area", "m2", "area of the diaphragm", positive, &V::area},
        F{"gain", "Pa", "pressure per percent of command", positive, &V::gain},
        F{"least_pressure", "Pa", "pressure without a command", any_number, &V::least_pressure},
        F{"time_constant", "s", "time in which the pressure follows the command", positive,
          &V::time_constant},
        F{"load", "N", "normal force, for laws normalised by it", positive, &V::load}};
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
    dydt[2] = (gain * signal.value(t, piece) + least_pressure - y[2]) * (1.0 / time_constant);
  }
  template <class S>
  S hold(const S&, const State<S>& y, int) const {
    return area * y[2] - spring * y[0] - preload;
  }
  template <class S>
  S power_in(const S&, const State<S>& y, const S&, int) const {
    return area * y[2] * y[1];
  }
  template <class S>
  S energy(const S&, const State<S>& y, int) const {
    return 0.5 * mass * y[1] * y[1] + y[0] * (0.5 * spring * y[0] + preload);
  }
  template <class S>
  S input(const S& t, int piece) const {
    return signal.value(t, piece);
  }

  // The pressure that belongs to the command at the start.
  double first_pressure() const {
    return gain * signal.value(0.0, signal.piece(0.0)) + least_pressure;
  }
  State<double> scales(double force) const {
    const double pressure = std::max(std::abs(first_pressure()), gain * signal.scale());
    const double push = std::max(force, area * pressure);
    return {push / spring, force / sqrt(spring * mass), pressure};
  }
  double section() const { return 0.0; }
  double drive_period() const { return signal.period(); }
  int piece(double t) const { return signal.piece(t); }
  double next_kink(double t) const { return signal.next_kink(t); }
  double longest_step() const { return signal.longest_step(); }
};

}  // namespace bristle
