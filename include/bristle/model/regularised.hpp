// SPDX-License-Identifier: MIT
// Regularised friction: the jump at rest replaced by a steep smooth curve. Memoryless.
//
//   F = (Fc + (Fs - Fc) exp(-(v / vs)^2)) tanh(v / width) + viscous v
//
// Fc coulomb_force, Fs static_force, vs stribeck_velocity. In the plane |v| takes the place of v
// and F points along v. Limits: for |v| much larger than width it is Stribeck's curve; for small
// |v| a damper of Fs / width. Does not show: stick. A body under a force below Fs creeps with width
// atanh(force / Fs) for ever, which is what this form is known for; it is here to compare with and
// for simulators that have nothing else. Take `stribeck` for true stick. Source: the usual
// regularisation by a hyperbolic tangent, as in many simulators.
#pragma once

#include <array>

#include "bristle/model/block_law.hpp"
#include "bristle/model/curve.hpp"

namespace bristle {

template <int Dimension = 1>
struct RegularisedIn {
  using Number = double;
  static constexpr std::string_view name = "regularised";
  static constexpr std::string_view summary =
      "steep smooth curve through rest (tanh), no stick, no memory";
  static constexpr int dimension = Dimension;

  double coulomb_force = 1.0;
  double static_force = 1.5;
  double stribeck_velocity = 0.001;
  double width = 1e-4;
  double viscous = 0.0;

  static constexpr auto fields() {
    using L = RegularisedIn;
    using F = Field<L>;
    return std::array{
        F{"coulomb_force", "N", "force at high speed without the viscous part", positive,
          &L::coulomb_force},
        F{"static_force", "N", "height of the peak without the fall", positive, &L::static_force},
        F{"stribeck_velocity", "m/s", "speed over which the force falls", positive,
          &L::stribeck_velocity},
        F{"width", "m/s", "speed over which the force rises from zero", positive, &L::width},
        F{"viscous", "N s/m", "viscous coefficient", non_negative, &L::viscous}};
  }

  int states() const { return 0; }
  RegularisedIn<2> in_plane() const {
    return {coulomb_force, static_force, stribeck_velocity, width, viscous};
  }

  // The force over the velocity, positive also at rest.
  template <class S>
  S resistance(const S& speed) const {
    const S g = stribeck_curve(coulomb_force, static_force, speed, stribeck_velocity, 2.0);
    const S x = speed / width;
    // tanh(x) / x by its series near zero, which is exact to rounding there.
    const S x2 = x * x;
    const S rise = value_of(abs(x)) < 0.02
                       ? S(1.0 - x2 * (1.0 / 3 - x2 * (2.0 / 15 - x2 * (17.0 / 315))))
                       : S(tanh(x) / x);
    return g * rise / width + viscous;
  }

  template <class S>
  void respond(const S*, const BlockMotion<S>& m, const Branch<>& b, BlockResponse<S>& out) const {
    S speed = m.velocity[0];
    if constexpr (Dimension == 2) speed = plane_speed(m.velocity, b.along);
    const S c = resistance(speed);
    out.dissipation = S(0.0);
    for (std::size_t i = 0; i < std::size_t(Dimension); ++i) {
      out.force[i] = c * m.velocity[i];
      out.dissipation = out.dissipation + out.force[i] * m.velocity[i];
    }
  }

  double steady(const Motion<double>& m) const { return resistance(m.velocity) * m.velocity; }
  double stored(const double*, const BlockMotion<double>&) const { return 0.0; }
  double force_scale(double) const { return std::max(coulomb_force, static_force); }
};

using Regularised = RegularisedIn<1>;

}  // namespace bristle
