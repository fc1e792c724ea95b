// SPDX-License-Identifier: MIT
// The reset integrator in the plane: a bristle that bends up to a range and is then dragged along.
//
//   stick   z' = v,                          F = stiffness (1 + gradient) z + damping(v) v
//   slip    z' = v - (v.z) z / range^2,      F = stiffness z
//
// with z, v and F vectors. It slips where |z| = range and v.z > 0, and sticks again as v.z turns
// negative. damping(v) = damping exp(-(s / damping_velocity)^2) with s the norm of the slip
// velocity or one component for each axis, or constant (damping_by). Stiffness, gradient and
// damping may differ along the axes (..._ratio: second axis over the first).
//
// Limits: on the circle |z| = range the slip is that of the source in polar coordinates, z_r' = 0
// and z_phi' = v_phi / z_r, without its division by zero, and leads back to the circle from beside
// it. Along one axis it is reset_integrator. The sliding force is an ellipse with the half axes
// stiffness range. The gradient acts in stick only: what it takes is not stored. An anisotropic
// bristle that turns on its circle stores and gives back energy. With damping by the norm a body on
// its stuck bristle hardly comes to rest, since the damping vanishes above damping_velocity. Does
// not show: Stribeck curve, viscous friction in sliding, an anisotropic range. Source: planar
// friction with dither (3.3)-(3.7), where the second line of (3.5) is deleted and the second row of
// the slipping force of (3.6) has its own stiffness.
#pragma once

#include <array>

#include "bristle/model/block_law.hpp"

namespace bristle {

struct PlanarReset {
  using Number = double;
  static constexpr std::string_view name = "planar_reset";
  static constexpr std::string_view summary =
      "spring to a stiction range, then constant force, in the plane; may differ along the axes";
  static constexpr int dimension = 2;
  static constexpr bool undirected = true;

  enum Damping : int { norm, component, constant };
  static constexpr std::array<std::string_view, 3> dampings{"norm", "component", "constant"};

  double stiffness = 100.0;
  double stiffness_ratio = 1.0;
  double gradient = 0.1;
  double gradient_ratio = 1.0;
  double damping = 74.15;
  double damping_ratio = 1.0;
  int damping_by = norm;
  double damping_velocity = 0.01;
  double range = 0.01;

  static constexpr auto fields() {
    using L = PlanarReset;
    using F = Field<L>;
    return std::array{
        F{"stiffness", "N/m", "stiffness of the bristle along the first axis", positive,
          &L::stiffness},
        F{"stiffness_ratio", "", "stiffness along the second axis over that of the first", positive,
          &L::stiffness_ratio},
        F{"gradient", "", "stiction gradient: extra stiffness in stick as a part", non_negative,
          &L::gradient},
        F{"gradient_ratio", "", "gradient along the second axis over that of the first",
          non_negative, &L::gradient_ratio},
        F{"damping", "N s/m", "damping in stick along the first axis", non_negative, &L::damping},
        F{"damping_ratio", "", "damping along the second axis over that of the first", non_negative,
          &L::damping_ratio},
        F{"damping_by",
          "norm: the damping falls with the speed; component: with each component; constant",
          dampings, &L::damping_by},
        F{"damping_velocity", "m/s", "speed over which the damping falls", positive,
          &L::damping_velocity},
        F{"range", "m", "stiction range: largest bend of the bristle", positive, &L::range}};
  }

  int states() const { return 2; }

  // Cell 1: slip.
  static bool slips(const Branch<>& branch) { return branch.cell > 0.5; }
  bool stuck(const Branch<>& branch) const { return !slips(branch); }

  template <class S>
  void respond(const S* z, const BlockMotion<S>& m, const Branch<>& b,
               BlockResponse<S>& out) const {
    const auto& v = m.velocity;
    const S squared = v[0] * v[0] + v[1] * v[1];
    const S dragged = (v[0] * z[0] + v[1] * z[1]) / (range * range);
    S kept(0.0);  // power that goes into the springs
    out.dissipation = S(0.0);
    for (std::size_t i = 0; i < 2; ++i) {
      const double stiff = i ? stiffness * stiffness_ratio : stiffness;
      const double extra = i ? gradient * gradient_ratio : gradient;
      const double damp = i ? damping * damping_ratio : damping;
      if (slips(b)) {
        out.rate[i] = v[i] - dragged * z[i];
        out.force[i] = stiff * z[i];
      } else {
        const S fall = damping_by == norm ? squared : S(v[i] * v[i]);
        const S part =
            damping_by == constant ? S(1.0) : S(exp(-fall / (damping_velocity * damping_velocity)));
        out.rate[i] = v[i];
        out.force[i] = stiff * (1.0 + extra) * z[i] + damp * part * v[i];
      }
      kept = kept + stiff * z[i] * out.rate[i];
      out.dissipation = out.dissipation + out.force[i] * v[i];
    }
    out.dissipation = out.dissipation - kept;
  }

  // On its circle within the error of a slip.
  double cell(const double* z, const BlockMotion<double>& m, double) const {
    const bool full = bend(z) >= range * (1.0 - 1e-9);
    return full && pull(z, m) > 0.0 ? 1.0 : 0.0;
  }
  // A bristle that comes from its slip is on the circle within rounding, and one that starts beyond
  // it sticks as long as it is unloaded.
  double margin(const double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    return slips(b) ? pull(z, m) : std::max(range * (1.0 + 1e-12) - bend(z), -pull(z, m));
  }
  Branch<> crossed(const double*, const BlockMotion<double>&, Branch<> b) const {
    b.cell = slips(b) ? 0.0 : 1.0;
    return b;
  }

  double stored(const double* z, const BlockMotion<double>&) const {
    return 0.5 * stiffness * (z[0] * z[0] + stiffness_ratio * z[1] * z[1]);
  }
  double state_scale(int) const { return range; }
  double force_scale(double) const {
    return stiffness * range *
           std::max(1.0 + gradient, stiffness_ratio * (1.0 + gradient * gradient_ratio));
  }

 private:
  static double bend(const double* z) { return std::hypot(z[0], z[1]); }
  // How fast the slip stretches the bristle.
  double pull(const double* z, const BlockMotion<double>& m) const {
    return (m.velocity[0] * z[0] + m.velocity[1] * z[1]) / range;
  }
};

}  // namespace bristle
