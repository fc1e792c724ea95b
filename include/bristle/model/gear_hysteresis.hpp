// SPDX-License-Identifier: MIT
// Friction of a gear in proportion to the torque it carries, with a hysteresis at reversals.
//
//   z' = (v - |v| z) / reversal,      F = proportional |W| z + directional W z^2
//
// W is the load (Motion::load), the torque through the gear, which may have either sign; z goes
// from -1 to 1 over a travel of some times `reversal` after the motion has turned. Limits: steady
// sliding gives F = proportional |W| sign(v) + directional W: the loss of driving and of being
// driven back differ by the second term. Rate-independent. It stores no energy, so what z gives
// back shortly after a reversal counts as negative loss. Does not show: friction without load,
// Stribeck effect, stick. Source: the form proposed in issue 3528 of MuJoCo.
#pragma once

#include <array>

#include "bristle/model/block_law.hpp"

namespace bristle {

struct GearHysteresis {
  using Number = double;
  static constexpr std::string_view name = "gear_hysteresis";
  static constexpr std::string_view summary =
      "in proportion to the torque of a gear, with hysteresis at reversals";
  static constexpr int dimension = 1;
  static constexpr bool signed_load = true;
  static constexpr bool by_load = true;

  double proportional = 0.1;
  double directional = 0.02;
  double reversal = 1e-3;

  static constexpr auto fields() {
    using L = GearHysteresis;
    using F = Field<L>;
    return std::array{
        F{"proportional", "", "friction over the torque that the gear carries", non_negative,
          &L::proportional},
        F{"directional", "", "part of the torque lost in one direction and gained in the other",
          any_number, &L::directional},
        F{"reversal", "rad", "travel over which the friction turns", positive, &L::reversal}};
  }

  void check() const {
    if (!(std::abs(directional) <= proportional))
      throw InvalidInput("directional", "gear_hysteresis: directional = " + words(directional) +
                                            " must not be greater in size than proportional = " +
                                            words(proportional) +
                                            ", or the gear would drive itself");
  }

  int states() const { return 1; }
  template <class S>
  void respond(const S* z, const BlockMotion<S>& m, const Branch<>& b,
               BlockResponse<S>& out) const {
    const S v = m.velocity[0];
    out.rate[0] = (v - b.direction * v * z[0]) / reversal;
    out.force[0] = proportional * abs(m.load) * z[0] + directional * m.load * z[0] * z[0];
    out.dissipation = out.force[0] * v;
  }
  double steady(const Motion<double>& m) const {
    return proportional * std::abs(m.load) * sign(m.velocity) + directional * m.load;
  }
  double stored(const double*, const BlockMotion<double>&) const { return 0.0; }
  double state_scale(int) const { return 1.0; }
  double force_scale(double load) const {
    return (proportional + std::abs(directional)) * std::abs(load);
  }
};

}  // namespace bristle
