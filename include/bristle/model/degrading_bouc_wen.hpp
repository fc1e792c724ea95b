// SPDX-License-Identifier: MIT
// Hysteresis of structures: the normalised Bouc-Wen law beside a spring, with degradation of
// strength and stiffness and with pinching.
//
//   F  = elastic x + yield_force w,                  rho = stiffness / yield_force
//   w' = (h rho / eta) (v - nu (shape |v| |w|^(n-1) w + (1 - shape) v |w|^n))
//   e' = rho w v,      nu = 1 + strength_loss e,      eta = 1 + stiffness_loss e
//   h  = 1 - p exp(-((w sign(v) - pinching_place wu) / s)^2),         wu = nu^(-1/n)
//   p  = pinching (1 - exp(-pinching_rate e)),   s = (pinching_width + pinching_spread e)
//                                                    (pinching_mix + p)
//
// n is the field `exponent`; e is the hysteretic energy in units of yield_force^2 / stiffness. A
// loop begins with the slope stiffness + elastic and ends along the line elastic x +- yield_force.
// The normalised form has no redundant parameter, unlike A, alpha, beta and gamma: with rise = 1
// and without losses and pinching it is bouc_wen with beta + gamma = rho^n, beta = shape rho^n.
// Rate-independent, local memory. Limits: |w| stays below wu; no losses and no pinching give w of
// bouc_wen; e may fall while a loop is unloaded. The spring and the losses are counted as friction,
// so the law stores nothing in the ledger and its power may be negative while it unloads. Sources:
// Ikhouane and Rodellar, Systems with Hysteresis (2007), for the normalised form; Baber and Noori,
// Journal of Engineering Mechanics 111 (1985) 1010 and Foliente (1995) for losses and pinching.
#pragma once

#include <array>

#include "bristle/model/block_law.hpp"
#include "bristle/model/curve.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

template <class T = double>
struct DegradingBoucWen {
  using Number = T;
  static constexpr std::string_view name = "degrading_bouc_wen";
  static constexpr std::string_view summary =
      "loops of structures: Bouc-Wen beside a spring, with degradation and pinching";
  static constexpr int dimension = 1;
  // It contains Dahl's law and bouc_wen; a comparison takes it only if it is named.
  static constexpr bool compared = false;

  T stiffness = T(1e5);
  T yield_force = T(1.0);
  T elastic = T(0.0);
  T exponent = T(1.0);
  T shape = T(0.5);
  T strength_loss = T(0.0);
  T stiffness_loss = T(0.0);
  T pinching = T(0.0);
  T pinching_rate = T(0.1);
  T pinching_place = T(0.1);
  T pinching_width = T(0.2);
  T pinching_spread = T(0.0);
  T pinching_mix = T(0.5);

  static constexpr auto fields() {
    using L = DegradingBoucWen;
    using F = Field<L>;
    return std::array{
        F{"stiffness", "N/m", "initial slope of the hysteretic part", positive, &L::stiffness},
        F{"yield_force", "N", "force at which the hysteretic part yields", positive,
          &L::yield_force},
        F{"elastic", "N/m", "stiffness of the spring beside it, the slope after yield",
          non_negative, &L::elastic},
        F{"exponent", "", "n, sharpness of the knee", Bounds{1.0, 20.0}, &L::exponent},
        F{"shape", "", "sigma, 0.5: unloads along a straight line, more: along a bulged one",
          Bounds{0.5, 10.0}, &L::shape},
        F{"strength_loss", "", "fall of the yield force per unit of energy", Bounds{0.0, 0.5},
          &L::strength_loss}
            .held_in_fits(),
        F{"stiffness_loss", "", "fall of the stiffness per unit of energy", Bounds{0.0, 0.5},
          &L::stiffness_loss}
            .held_in_fits(),
        F{"pinching", "", "largest fraction of the slope that is lost in the middle of a loop",
          Bounds{0.0, 0.99}, &L::pinching}
            .held_in_fits(),
        F{"pinching_rate", "", "rate at which pinching develops per unit of energy",
          Bounds{0.0, 0.5}, &L::pinching_rate}
            .held_in_fits(),
        F{"pinching_place", "", "place of the pinching as a part of the yield force",
          Bounds{-1.0, 1.0}, &L::pinching_place}
            .held_in_fits(),
        F{"pinching_width", "", "width of the pinching", Bounds{0.02, 1.0}, &L::pinching_width}
            .held_in_fits(),
        F{"pinching_spread", "", "rise of the width per unit of energy", Bounds{0.0, 0.05},
          &L::pinching_spread}
            .held_in_fits(),
        F{"pinching_mix", "", "width at which pinching begins, beside its strength",
          Bounds{0.01, 2.0}, &L::pinching_mix}
            .held_in_fits()};
  }

  static constexpr int count = 2;  // w and e
  int states() const { return count; }
  double state_scale(int) const { return 1.0; }
  double force_scale(double) const { return value_of(yield_force); }
  double stored(const double*, const BlockMotion<double>&) const { return 0.0; }

  template <class S>
  void respond(const S* z, const BlockMotion<S>& m, const Branch<>& b,
               BlockResponse<S>& out) const {
    const S v = m.velocity[0], travel = b.direction * v;
    const S bent = b.direction * z[0];
    out.rate[0] = b.direction * slope(bent, z[1]) * travel;
    out.rate[1] = stiffness / yield_force * z[0] * v;
    out.force[0] = force(z, m.position[0]);
    out.dissipation = out.force[0] * v;
  }
  double steady(const Motion<double>& m) const {
    return elastic * m.position + sign(m.velocity) * yield_force;
  }

  // The force for the states w and e at a position.
  template <class S>
  S force(const S* z, const S& position) const {
    return elastic * position + yield_force * z[0];
  }
  // The states after a way; w by the exponential formula with its slope, never past its limit, and
  // e by the trapezoid rule. Second order, and bounded at any step.
  template <class S>
  void advance(S* z, const S& way) const {
    const S direction = sign(way), distance = abs(way), bent = direction * z[0];
    using D = Dual<S, 1>;
    const D flow = slope(variable<1>(bent, 0), D(z[1]));
    const S next = bent + flow.value * decay_integral(S(-flow.slope[0]), distance);
    const S most = limit(z[1]);
    const S confined = select(next > most, select(bent < most, most, next), next);
    const S after = select(direction * direction > S(0.5), S(direction * confined), z[0]);
    z[1] = z[1] + 0.5 * (stiffness / yield_force) * (z[0] + after) * way;
    z[0] = after;
  }

 private:
  template <class S>
  S strength(const S& energy) const {
    return 1.0 + strength_loss * energy;
  }
  // Where w ends while it grows.
  template <class S>
  S limit(const S& energy) const {
    return exp(S(-log(strength(energy)) / exponent));
  }
  // dw over the travel, for w counted along the motion.
  template <class S>
  S slope(const S& bent, const S& energy) const {
    const S size = magnitude_power(bent, exponent);
    const S flow = 1.0 - strength(energy) * size * (shape * sign(bent) + (1.0 - shape));
    const S developed = pinching * (1.0 - exp(S(-pinching_rate * energy)));
    const S width = (pinching_width + pinching_spread * energy) * (pinching_mix + developed);
    const S off = (bent - pinching_place * limit(energy)) / width;
    const S open = 1.0 - developed * exp(S(-off * off));
    return open * (stiffness / yield_force) * flow / (1.0 + stiffness_loss * energy);
  }
};

}  // namespace bristle
