// SPDX-License-Identifier: MIT
// Motion given as a signal of time: the friction force follows, nothing moves in return.
//
// The law acts on position and velocity of the signal (sine, triangle, ramp, or samples of a file).
// Source: the input-output maps of thesis chapter I.
#pragma once

#include "bristle/mechanism/mechanism.hpp"
#include "bristle/mechanism/signal.hpp"

namespace bristle {

struct PrescribedMotion {
  using Number = double;
  static constexpr std::string_view name = "prescribed_motion";
  static constexpr std::string_view summary = "position given as a signal of time";
  static constexpr std::string_view input_name = "input_position";
  static constexpr std::string_view input_unit = "m";
  static constexpr int size = 0;
  static constexpr int velocity_state = -1;

  double load = 1.0;
  Signal signal{};

  static constexpr auto fields() {
    using F = Field<PrescribedMotion>;
    return std::array{F{"load", "N", "normal force, for laws normalised by it", positive,
                        &PrescribedMotion::load}};
  }

  template <class S>
  using State = std::array<S, size>;

  template <class S>
  Motion<S> motion(const S& t, const State<S>&, int piece) const {
    return {signal.value(t, piece), signal.slope(t, piece), S(load), t};
  }
  template <class S, class Rates>
  void rates(const S&, const State<S>&, const S&, int, Rates&) const {}
  template <class S>
  S hold(const S&, const State<S>&, int) const {
    return S(0.0);
  }
  template <class S>
  S power_in(const S& t, const State<S>&, const S& friction, int piece) const {
    return friction * signal.slope(t, piece);
  }
  template <class S>
  S energy(const S&, const State<S>&, int) const {
    return S(0.0);
  }
  template <class S>
  S input(const S& t, int piece) const {
    return signal.value(t, piece);
  }

  State<double> scales(double) const { return {}; }
  double section() const { return 0.0; }
  double drive_period() const { return signal.period(); }
  int piece(double t) const { return signal.piece(t); }
  double next_kink(double t) const { return signal.next_kink(t); }
  double longest_step() const { return signal.longest_step(); }
};

}  // namespace bristle
