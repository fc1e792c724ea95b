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
// fS static_coefficient, fC coulomb_coefficient, fR the random part (roughness.hpp), f0 = 2 fC - fS
// (start = printed) or the coefficient f- at which the motion ended (start = consistent), which
// leaves no jump. As printed the yielding contact reads f = contact_stiffness v^2 / (2 load |b|) -
// f0, which holds for a constant acceleration only and has several solutions or none (form =
// literal takes the nearest, at fixed steps, and counts; literal_form.hpp lists them). Limits:
// valid for wide sliding; a yielding contact that turns back begins anew, so small motions about
// rest gain energy. Does not know the dwell time; break-away rises with it all the same, as the
// acceleration at the reversal decides both. Source: hysteretic effects of dry friction (3.2),
// (3.8), (3.11), (4.1)-(4.7), (5.5)-(5.6).
#pragma once

#include <array>

#include "bristle/model/field.hpp"
#include "bristle/scalar/scalar.hpp"

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
  enum Form : int { well_posed, literal };
  static constexpr std::array<std::string_view, 2> forms{"well_posed", "literal"};
  enum Start : int { printed, consistent };
  static constexpr std::array<std::string_view, 2> starts{"printed", "consistent"};

  int kind = hysteretic;
  int form = well_posed;
  T static_coefficient = T(0.32);
  T coulomb_coefficient = T(0.25);
  T breakaway_range = T(0.03);
  T stribeck_velocity = T(0.02);
  T contact_stiffness = T(1e6);
  T delay = T(0.002);
  int start = printed;
  T decay = T(20.0);
  T acceleration_offset = T(1.0);

  static constexpr auto fields() {
    using H = HystereticStatic;
    using F = Field<H>;
    return std::array{
        F{"kind", "hysteretic: yields, lags and is not reversible; non_reversible; acceleration",
          kinds, &H::kind},
        F{"form", "yielding by the distance from the reversal, or as printed by v^2 / |a|", forms,
          &H::form},
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
        F{"decay", "s/m, or 1/s for acceleration",
          "decay of non_reversible (alpha) and of acceleration (a1)", non_negative, &H::decay},
        F{"acceleration_offset", "m/s2", "a2 of acceleration", positive, &H::acceleration_offset}};
  }

  void check() const {
    if (form == literal && kind != hysteretic)
      throw InvalidInput("form",
                         "hysteretic_static: form = \"literal\" is one of kind = "
                         "\"hysteretic\" only");
    if (!(double(static_coefficient) >= double(coulomb_coefficient)))
      throw InvalidInput(
          "static_coefficient",
          "hysteretic_static: static_coefficient = " + words(double(static_coefficient)) +
              " must be at least coulomb_coefficient = " + words(double(coulomb_coefficient)));
  }

  bool yields() const { return kind == hysteretic; }

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
  S kinetic(const S& speed, const S& along, double way, double rough = 0.0) const {
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
};

}  // namespace bristle
