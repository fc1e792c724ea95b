// SPDX-License-Identifier: MIT
// Static friction that knows the acceleration: the hysteretic family, as measured on a rig.
//
// With the speed |v| and the acceleration along the motion b = a sign(v) the coefficient is
//   speeding up  (b > 0)   f+ = fC + (fS(v) - fC) (g + fR)
//   slowing down (b < 0)   f- = fC - (fS - fC) (g + fR)
// and at constant speed (b = 0) any coefficient between f- and f+: the solver holds the speed there
// as it holds a body at rest. The force is load * f against the motion.
//
//   hysteretic      g = 1 / (1 + ((|v| - delay b) / stribeck_velocity)^2),
//                   fS(v) = fS + breakaway_range / (1 + |v| / stribeck_velocity); after a reversal
//                   at x_rev the contact yields first, f = contact_stiffness |x - x_rev| / load -
//                   f0, until that reaches f+
//   non_reversible  g = exp(-decay |v|)
//   acceleration    g = exp(-decay |v| / (|b| + acceleration_offset))
// The last two stick at rest, with any force up to load * fS, and use fS where fS(v) stands.
//
// fS static_coefficient, fC coulomb_coefficient, fR the random part over the velocity
// (roughness.hpp), f0 = 2 fC - fS (start = printed) or the coefficient f- at which the motion ended
// (start = consistent), which leaves no jump. As printed the yielding contact reads f =
// contact_stiffness v^2 / (2 load |b|) - f0, which holds for a constant acceleration only and has
// several solutions or none (analysis/literal_form.hpp lists them). States: the place and the f0 of
// the last reversal. Limits: valid for wide sliding; a yielding contact that turns back begins
// anew, so small motions about rest gain energy. A body must be heavier than steepest(load), or the
// delay leaves several accelerations to choose from. Does not know the dwell time; break-away rises
// with it all the same, as the acceleration at the reversal decides both. Source: hysteretic
// effects of dry friction (3.2), (3.8), (3.11), (4.1)-(4.7), (5.5)-(5.6).
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "bristle/model/block_law.hpp"
#include "bristle/model/roughness.hpp"

namespace bristle {

template <class T = double>
struct HystereticStatic {
  using Number = T;
  static constexpr std::string_view name = "hysteretic_static";
  static constexpr std::string_view summary =
      "static friction by speed and acceleration, with a contact that yields after a reversal";

  enum Kind : int { hysteretic, non_reversible, acceleration };
  static constexpr std::array<std::string_view, 3> kinds{"hysteretic", "non_reversible",
                                                         "acceleration"};
  enum Start : int { printed, consistent };
  static constexpr std::array<std::string_view, 2> starts{"printed", "consistent"};

  int kind = hysteretic;
  T static_coefficient = T(0.32);
  T coulomb_coefficient = T(0.25);
  T breakaway_range = T(0.03);
  T stribeck_velocity = T(0.02);
  T contact_stiffness = T(1e6);
  T delay = T(0.002);
  int start = printed;
  T decay = T(20.0);
  T acceleration_offset = T(1.0);
  double roughness = 0.0;
  double roughness_decay = 10.0;
  double roughness_terms = 1000.0;
  double roughness_spacing = 0.1;
  double roughness_seed = 1.0;
  int roughness_spectrum = 0;
  std::shared_ptr<const RoughSurface> surface{};  // made by prepare()

  static constexpr auto fields() {
    using H = HystereticStatic;
    using F = Field<H>;
    return std::array{
        F{"kind", "hysteretic: yields, lags and is not reversible; non_reversible; acceleration",
          kinds, &H::kind},
        F{"static_coefficient", "", "fS, friction at rest over the load", positive,
          &H::static_coefficient},
        F{"coulomb_coefficient", "", "fC, friction at high speed over the load", positive,
          &H::coulomb_coefficient},
        F{"breakaway_range", "", "what break-away gains on slow loading", non_negative,
          &H::breakaway_range},
        F{"stribeck_velocity", "m/s", "speed over which hysteretic falls", positive,
          &H::stribeck_velocity},
        F{"contact_stiffness", "N/m", "stiffness of the yielding contact", positive,
          &H::contact_stiffness},
        F{"delay", "s", "lag of the friction behind the velocity", non_negative, &H::delay},
        F{"start", "coefficient with which the contact begins to yield", starts, &H::start},
        F{"decay", "s/m", "decay of non_reversible (alpha); of acceleration (a1) in 1/s",
          non_negative, &H::decay},
        F{"acceleration_offset", "m/s2", "a2 of acceleration", positive, &H::acceleration_offset},
        F{"roughness", "", "standard deviation of the random part, 0: none", non_negative,
          &H::roughness},
        F{"roughness_decay", "s/m", "one over its correlation length", positive,
          &H::roughness_decay},
        F{"roughness_terms", "", "number of its terms", Bounds{1.0, 1e6, false, true},
          &H::roughness_terms},
        F{"roughness_spacing", "s/m", "distance of their frequencies", positive,
          &H::roughness_spacing},
        F{"roughness_seed", "", "seed of their phases", Bounds{0.0, 9e15, false, true},
          &H::roughness_seed},
        F{"roughness_spectrum", "as it gives the autocorrelation, or as the source prints it",
          Roughness::spectra, &H::roughness_spectrum}};
  }

  void check() const {
    if (!(double(static_coefficient) >= double(coulomb_coefficient)))
      throw InvalidInput(
          "static_coefficient",
          "hysteretic_static: static_coefficient = " + words(double(static_coefficient)) +
              " must be at least coulomb_coefficient = " + words(double(coulomb_coefficient)));
  }

  // Whether the contact yields after a reversal; else it sticks at rest.
  bool yields() const { return kind == hysteretic; }

  // Draws the random part.
  void prepare() {
    if (roughness > 0.0)
      surface = std::make_shared<const RoughSurface>(Roughness{roughness, roughness_decay,
                                                               roughness_terms, roughness_spacing,
                                                               roughness_seed, roughness_spectrum});
  }
  template <class S>
  S rough(const S& velocity) const {
    if (!surface) return S(0.0);
    const auto [value, slope] = surface->with_slope(value_of(velocity));
    return S(value) + slope * (velocity - S(value_of(velocity)));
  }

  // How much of the Stribeck effect is left, at a speed and an acceleration along the motion.
  template <class S>
  S fall(const S& speed, const S& along) const {
    switch (kind) {
      case non_reversible: return exp(-(decay * speed));
      case acceleration: return exp(-(decay * speed) / (abs(along) + acceleration_offset));
      default: return T(1.0) / (T(1.0) + square(S((speed - delay * along) / stribeck_velocity)));
    }
  }

  // fS(v), to which break-away can rise at a speed.
  template <class S>
  S breakaway(const S& speed) const {
    if (kind != hysteretic) return S(static_coefficient);
    return static_coefficient + breakaway_range / (T(1.0) + speed / stribeck_velocity);
  }

  // f+ for way = 1, f- for way = -1.
  template <class S>
  S kinetic(const S& speed, const S& along, double way,
            const std::type_identity_t<S>& rough = S(0.0)) const {
    const S rise = (way > 0.0 ? breakaway(speed) : S(static_coefficient)) - coulomb_coefficient;
    // A branch goes on beyond its border as at constant speed, so that it has one acceleration.
    const S own = S(way * along);
    const S size = kind == acceleration ? S(way * select(own > S(0.0), own, S(0.0))) : along;
    return coulomb_coefficient + way * rise * (fall(speed, size) + rough);
  }

  // The coefficient of the contact that yields, at a distance from the reversal.
  template <class S>
  S compliant(const S& distance, const S& load, const S& start_value) const {
    return contact_stiffness / load * distance - start_value;
  }

  // f0, for the coefficient with which the motion ended.
  double start_coefficient(double ended) const {
    return start == consistent ? ended : double(T(2.0) * coulomb_coefficient - static_coefficient);
  }

  // The largest slope of load * f over the acceleration; a mass above it has one acceleration only.
  double steepest(double load) const {
    const double rise = double(static_coefficient - coulomb_coefficient + breakaway_range);
    return kind == hysteretic ? load * rise * 0.6495190528383290 * double(delay / stribeck_velocity)
                              : 0.0;
  }

  // As a block law with a memory (block_memory.hpp): states are the place of the last reversal and
  // f0 there.
  static constexpr int dimension = 1;
  static constexpr bool by_load = true, by_acceleration = true;
  struct Piece {
    static constexpr double yields = 0.0, speeds_up = 1.0, holds = 2.0, slows_down = 3.0,
                            sticks = 4.0;
  };
  static constexpr double far_away = 1e12;  // where a contact that slid before the start began [m]

  int states() const { return 2; }
  double state_scale(int) const { return 1e30; }  // remembered, without error
  double force_scale(double load) const {
    return load * double(static_coefficient + breakaway_range);
  }
  double stored(const double*, const BlockMotion<double>&) const { return 0.0; }

  template <class S>
  void respond(const S* z, const BlockMotion<S>& m, const Branch<>& b,
               BlockResponse<S>& out) const {
    out.rate[0] = out.rate[1] = S(0.0);
    const S v = m.velocity[0];
    const double way = b.cell == Piece::slows_down ? -1.0 : 1.0;
    const S f = b.cell == Piece::yields
                    ? compliant(S(b.direction * (m.position[0] - z[0])), m.load, z[1])
                    : kinetic(S(b.direction * v), S(b.direction * m.acceleration), way, rough(v));
    out.force[0] = b.direction * m.load * f;
    out.dissipation = out.force[0] * v;
  }

  // The upper of the forces at constant velocity.
  double steady(const Motion<double>& m) const {
    return sign(m.velocity) * m.load * kinetic(std::abs(m.velocity), 0.0, 1.0, rough(m.velocity));
  }

  double margin(const double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    const double along = b.direction * m.acceleration;
    if (b.cell == Piece::yields)
      return std::min(branch_at(m, b.direction, along, 1.0) - yielding(z, m, b.direction), along);
    return b.cell == Piece::speeds_up ? along : b.cell == Piece::slows_down ? -along : 1.0;
  }

  Branch<> crossed(double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    const double d = b.direction, along = d * m.acceleration;
    const double low = branch_at(m, d, 0.0, -1.0);
    if (b.cell == Piece::yields) {
      const double f = yielding(z, m, d);
      if (branch_at(m, d, along, 1.0) - f <= along) return {d, Piece::speeds_up};
      return f < low || passes(z, m, d) ? Branch<>{d, Piece::slows_down} : hold(m, d);
    }
    if (b.cell == Piece::speeds_up)
      return passes(z, m, d) ? Branch<>{d, Piece::slows_down} : hold(m, d);
    if (b.cell != Piece::slows_down) return b;
    if (yields() && yielding(z, m, d) < low) return {d, Piece::yields};
    return passes(z, m, d) ? faster(z, m, d) : hold(m, d);
  }

  Branch<> reversed(double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    const double ended = kinetic(0.0, b.direction * m.acceleration, -1.0, rough(0.0));
    return rest(z, m, -b.direction, ended);
  }

  // A body that moves at the start is taken to have slid before; at rest it begins as after a
  // reversal, towards where it is pushed.
  Branch<> begin(double* z, const BlockMotion<double>& m) const {
    const double v = m.velocity[0], a = m.acceleration;
    const double ended = kinetic(0.0, -std::abs(a), -1.0, rough(0.0));
    const double d = v < 0.0 || (v == 0.0 && a < 0.0) ? -1.0 : 1.0;
    if (v == 0.0) return rest(z, m, d, ended);
    z[0] = m.position[0] - d * far_away;
    z[1] = start_coefficient(ended);
    if (!m.given) return hold(m, d);
    return {d, d * a < 0.0 ? Piece::slows_down : Piece::speeds_up};
  }

  bool held(const Branch<>& b) const { return b.cell == Piece::holds || b.cell == Piece::sticks; }
  Interval<double> bounds(const double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    const double d = b.direction;
    if (b.cell == Piece::sticks) {
      const double most = m.load * kinetic(0.0, 0.0, 1.0, rough(0.0));
      return {-most, most};
    }
    const double low = branch_at(m, d, 0.0, -1.0);
    double high = branch_at(m, d, 0.0, 1.0);
    if (yields()) high = std::min(high, yielding(z, m, d));
    high = std::max(high, low);
    return d > 0.0 ? Interval<double>{m.load * low, m.load * high}
                   : Interval<double>{-m.load * high, -m.load * low};
  }
  Branch<> left(const double* z, const BlockMotion<double>& m, const Branch<>& b,
                double way) const {
    if (b.cell == Piece::sticks) return {way, Piece::speeds_up};
    return way == b.direction ? faster(z, m, way) : Branch<>{b.direction, Piece::slows_down};
  }

  std::optional<bool> stuck(const Branch<>& b) const {
    return b.cell == Piece::yields || b.cell == Piece::sticks;
  }
  bool breaks_away(const Branch<>& before, const Branch<>& after) const {
    return *stuck(before) && after.cell == Piece::speeds_up;
  }

 private:
  double branch_at(const BlockMotion<double>& m, double d, double along, double way) const {
    const double v = m.velocity[0];
    return kinetic(d * v, along, way, rough(v));
  }
  double yielding(const double* z, const BlockMotion<double>& m, double d) const {
    return compliant(d * (m.position[0] - z[0]), m.load, z[1]);
  }
  // Whether a speed cannot be held: the motion is given, or both branches are the same there.
  bool passes(const double* z, const BlockMotion<double>& m, double d) const {
    const Interval<double> f = bounds(z, m, hold(m, d));
    return m.given || f.upper - f.lower <= 1e-11 * m.load * double(static_coefficient);
  }
  Branch<> hold(const BlockMotion<double>& m, double d) const {
    return {d, Piece::holds, {}, {m.velocity[0], 0.0}};
  }
  Branch<> faster(const double* z, const BlockMotion<double>& m, double d) const {
    const bool first = yields() && yielding(z, m, d) < branch_at(m, d, 0.0, 1.0);
    return {d, first ? Piece::yields : Piece::speeds_up};
  }
  // At rest, on the way to a direction.
  Branch<> rest(double* z, const BlockMotion<double>& m, double d, double ended) const {
    z[0] = m.position[0];
    z[1] = start_coefficient(ended);
    if (yields()) return {d, Piece::yields};
    return {d, m.given ? Piece::speeds_up : Piece::sticks};
  }
};

}  // namespace bristle
