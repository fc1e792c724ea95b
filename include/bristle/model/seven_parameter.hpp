// SPDX-License-Identifier: MIT
// The seven-parameter model: a spring in stick, a delayed Stribeck curve in slip, and a break-away
// that rises with the time at rest.
//
//   stick   F = F1 + stiffness (x - x1),    F1 the force and x1 the place at which the slip ended
//   slip    F = sign(v) (coulomb_force + viscous |v| + Fs(td) / (1 + (v(t - delay) / vs)^2))
//   Fs(td)  = Fe + (static_rise - Fe) td / (td + dwell_time)
//
// Parameters: stiffness, coulomb_force, viscous, vs stribeck_velocity, delay, static_rise (of the
// break-away over the Coulomb force after long rest) and dwell_time (gamma). td is how long the
// stick lasted, Fe = static_rise / (1 + (v(t - delay) / vs)^2) as the slip before it ended: a short
// rest leaves friction low. Slip begins when the spring carries coulomb_force + Fs, and ends when
// the velocity reaches zero; both rules, the spring that begins with the force of the slip, and Fe
// are choices, which the source leaves open ("a major problem"). States: F1, x1, the time at which
// the stick began, Fe and Fs. Limits: without viscous part the
// force in slip lies between coulomb_force and coulomb_force + static_rise. Does not show: creep
// before break-away. Source: hysteretic effects of dry friction (3.9)-(3.10).
#pragma once

#include <array>
#include <cmath>

#include "bristle/model/block_law.hpp"

namespace bristle {

struct SevenParameter {
  using Number = double;
  static constexpr std::string_view name = "seven_parameter";
  static constexpr std::string_view summary =
      "spring in stick, delayed Stribeck curve in slip, break-away that rises with the dwell time";

  double stiffness = 1e6;
  double coulomb_force = 8.75;
  double viscous = 0.0;
  double static_rise = 2.45;
  double stribeck_velocity = 0.02;
  double delay = 0.002;
  double dwell_time = 0.01;

  static constexpr auto fields() {
    using S = SevenParameter;
    using F = Field<S>;
    return std::array{
        F{"stiffness", "N/m", "stiffness of the contact in stick", positive, &S::stiffness},
        F{"coulomb_force", "N", "force at high speed without the viscous part", positive,
          &S::coulomb_force},
        F{"viscous", "N s/m", "viscous coefficient", non_negative, &S::viscous},
        F{"static_rise", "N", "break-away force less Coulomb force after long rest", non_negative,
          &S::static_rise},
        F{"stribeck_velocity", "m/s", "speed over which the force falls", positive,
          &S::stribeck_velocity},
        F{"delay", "s", "lag of the force behind the velocity", non_negative, &S::delay},
        F{"dwell_time", "s", "time at rest in which half the break-away comes back", positive,
          &S::dwell_time}};
  }

  // What is left of the Stribeck effect at a velocity (that of a delay ago).
  template <class S>
  S fall(const S& velocity) const {
    return S(1.0) / (S(1.0) + square(S(velocity / stribeck_velocity)));
  }
  // The force against a slip, for the rise of its break-away.
  template <class S>
  S slipping(const S& speed, const S& delayed, const S& rise) const {
    return coulomb_force + viscous * speed + rise * fall(delayed);
  }
  // The rise after a rest, for that with which the slip before it ended.
  double rise_after(double ended, double rest) const {
    return ended + (static_rise - ended) * rest / (rest + dwell_time);
  }

  // As a block law with a memory (block_memory.hpp).
  static constexpr int dimension = 1;
  struct Piece {
    static constexpr double sticks = 0.0, slips = 1.0;
  };
  enum State : int { held_force, anchor, since, ended_rise, rise };

  int states() const { return 5; }
  double state_scale(int) const { return 1e30; }  // remembered, without error
  double force_scale(double) const { return coulomb_force + static_rise; }
  double stored(const double*, const BlockMotion<double>&) const { return 0.0; }
  double looks_back() const { return delay; }

  template <class S>
  void respond(const S* z, const BlockMotion<S>& m, const Branch<>& b,
               BlockResponse<S>& out) const {
    for (int i = 0; i < states(); ++i) out.rate[i] = S(0.0);
    const S v = m.velocity[0];
    out.force[0] = b.cell == Piece::sticks
                       ? spring(z, m)
                       : S(b.direction * slipping(S(b.direction * v), past(m), z[rise]));
    out.dissipation = out.force[0] * v;
  }
  double steady(const Motion<double>& m) const {
    return sign(m.velocity) * slipping(std::abs(m.velocity), m.velocity, static_rise);
  }

  double margin(const double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    if (b.cell != Piece::sticks) return 1.0;
    const double rested = std::max(m.time - z[since], 0.0);
    return coulomb_force + rise_after(z[ended_rise], rested) - std::abs(spring(z, m));
  }
  Branch<> crossed(double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    if (b.cell != Piece::sticks) return b;
    z[rise] = rise_after(z[ended_rise], std::max(m.time - z[since], 0.0));
    const double way = spring(z, m) > 0.0 ? 1.0 : -1.0;
    // A body that the contact lets go on its way back slips on backwards.
    return {way * m.velocity[0] < 0.0 ? -way : way, Piece::slips};
  }
  Branch<> reversed(double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    z[held_force] = b.direction * slipping(0.0, past(m), z[rise]);
    z[ended_rise] = z[rise] * fall(past(m));
    z[anchor] = m.position[0];
    z[since] = m.time;
    return {b.direction, Piece::sticks};
  }
  Branch<> begin(double* z, const BlockMotion<double>& m) const {
    z[held_force] = z[ended_rise] = 0.0;
    z[anchor] = m.position[0];
    z[since] = m.time;
    z[rise] = static_rise;
    const double v = m.velocity[0];
    if (v == 0.0) return {1.0, Piece::sticks};
    return {v < 0.0 ? -1.0 : 1.0, Piece::slips};
  }
  bool either_way(const Branch<>& b) const { return b.cell == Piece::sticks; }
  std::optional<bool> stuck(const Branch<>& b) const { return b.cell == Piece::sticks; }
  bool breaks_away(const Branch<>& before, const Branch<>& after) const {
    return before.cell == Piece::sticks && after.cell == Piece::slips;
  }

 private:
  template <class S>
  S spring(const S* z, const BlockMotion<S>& m) const {
    return z[held_force] + stiffness * (m.position[0] - z[anchor]);
  }
  template <class S>
  S past(const BlockMotion<S>& m) const {
    return delay > 0.0 ? m.past : m.velocity[0];
  }
};

}  // namespace bristle
