// SPDX-License-Identifier: MIT
// A mechanism whose body is carried by bristles: its height moves too.
//
//   RaisedBody<M>       the height is free:  m y'' = -m g + tangent |F| + stiffness (level - y)
//   PrescribedHeight<M> the height is a given sine of time
//
// Everything but the height is that of the mechanism M. While the body sticks, the vertical force
// of the slant is the mean of both sides that holds it (System). Source: compressed bristle model
// (21)-(25), (48)-(49); the equation printed as -m g + F_y is divided by m here.
#pragma once

#include <cmath>
#include <numbers>

#include "bristle/mechanism/mechanism.hpp"
#include "bristle/model/lift.hpp"

namespace bristle {

// What both share with the mechanism they wrap.
template <class M, int Extra>
struct Wrapped {
  using Number = double;
  static constexpr std::string_view name = M::name;
  static constexpr std::string_view summary = M::summary;
  static constexpr std::string_view input_name = M::input_name;
  static constexpr std::string_view input_unit = M::input_unit;
  static constexpr int size = M::size + Extra;
  static constexpr int velocity_state = M::velocity_state;
  static constexpr auto fields() { return M::fields(); }

  M base;
  Lift lift;

  template <class S>
  using State = std::array<S, size>;

  template <class S>
  static std::array<S, M::size> own(const State<S>& y) {
    std::array<S, M::size> mine{};
    for (int i = 0; i < M::size; ++i) mine[i] = y[i];
    return mine;
  }
  template <class S>
  S hold(const S& t, const State<S>& y, int piece) const {
    return base.hold(t, own(y), piece);
  }
  template <class S>
  S power_in(const S& t, const State<S>& y, const S& friction, int piece) const {
    return base.power_in(t, own(y), friction, piece);
  }
  template <class S>
  S input(const S& t, int piece) const {
    return base.input(t, piece);
  }
  double section() const { return base.section(); }
  int piece(double t) const { return base.piece(t); }
  double next_kink(double t) const { return base.next_kink(t); }
  double drive_period() const {
    if constexpr (requires { base.drive_period(); }) return base.drive_period();
    else return 0.0;
  }
};

template <class M>
struct RaisedBody : Wrapped<M, 2> {
  using Base = Wrapped<M, 2>;
  template <class S>
  using State = typename Base::template State<S>;
  static constexpr int y_state = M::size, rate_state = M::size + 1;

  template <class S>
  Motion<S> motion(const S& t, const State<S>& y, int piece) const {
    Motion<S> m = this->base.motion(t, Base::own(y), piece);
    m.height = y[y_state];
    return m;
  }
  template <class S, class Rates>
  void rates(const S& t, const State<S>& y, const S& friction, int piece, Rates& dydt) const {
    this->base.rates(t, Base::own(y), friction, piece, dydt);
    const Lift& l = this->lift;
    dydt[y_state] = y[rate_state];
    dydt[rate_state] = (l.tangent * abs(friction) + l.stiffness * (l.level - y[y_state])) *
                           (1.0 / this->base.mass) -
                       l.gravity;
  }
  // What the slant gives to the vertical motion.
  template <class S>
  S lift_power(const State<S>& y, const S& friction) const {
    return this->lift.tangent * abs(friction) * y[rate_state];
  }
  template <class S>
  S energy(const S& t, const State<S>& y, int piece) const {
    const Lift& l = this->lift;
    return this->base.energy(t, Base::own(y), piece) +
           this->base.mass * (0.5 * square(y[rate_state]) + l.gravity * y[y_state]) +
           0.5 * l.stiffness * square(S(l.level - y[y_state]));
  }
  State<double> scales(double force) const {
    const auto own = this->base.scales(force);
    State<double> all{};
    std::copy(own.begin(), own.end(), all.begin());
    all[y_state] = this->lift.ceiling;
    all[rate_state] = this->lift.ceiling * std::sqrt(this->lift.stiffness / this->base.mass);
    return all;
  }
  // Above the ceiling the bristles of the slant would pull.
  double margin(double, const State<double>& y) const { return this->lift.ceiling - y[y_state]; }
  double longest_step() const { return this->base.longest_step(); }
};

template <class M>
struct PrescribedHeight : Wrapped<M, 0> {
  using Base = Wrapped<M, 0>;
  template <class S>
  using State = typename Base::template State<S>;

  template <class S>
  Motion<S> motion(const S& t, const State<S>& y, int piece) const {
    Motion<S> m = this->base.motion(t, y, piece);
    m.height = this->lift.amplitude * sin(this->lift.frequency * t);
    return m;
  }
  template <class S, class Rates>
  void rates(const S& t, const State<S>& y, const S& friction, int piece, Rates& dydt) const {
    this->base.rates(t, y, friction, piece, dydt);
  }
  template <class S>
  S energy(const S& t, const State<S>& y, int piece) const {
    return this->base.energy(t, y, piece);
  }
  State<double> scales(double force) const { return this->base.scales(force); }
  double longest_step() const {
    return std::min(this->base.longest_step(), std::numbers::pi / (4.0 * this->lift.frequency));
  }
};

}  // namespace bristle
