// SPDX-License-Identifier: MIT
// Linkages: couplings of several bodies whose inertia depends on where they are (linkage.hpp).
#pragma once

#include <array>

#include "bristle/model/field.hpp"

namespace bristle {

// Two links in a plane. The bodies are the joints: the first one is the angle of the upper link
// from hanging straight down, the second one the angle of the lower link from the upper one.
//
//   T = (J1 + m1 c1^2) w1^2 / 2 + J2 (w1 + w2)^2 / 2
//       + m2 (l1^2 w1^2 + c2^2 (w1 + w2)^2 + 2 l1 c2 cos(q2) w1 (w1 + w2)) / 2
//   V = (m1 c1 + m2 l1) g (1 - cos q1) + m2 c2 g (1 - cos(q1 + q2))
//
// The inertia of each body adds to that of its joint: a rotor that turns with it, by the square of
// its gear. Gravity 0 is an arm that moves level.
struct TwoLinkArm {
  using Number = double;
  static constexpr std::string_view name = "two_link_arm";
  static constexpr std::string_view summary = "arm of two links, its bodies are the joints";
  static constexpr int joints = 2;

  double upper_mass = 1.0;
  double upper_length = 1.0;
  double upper_centre = 0.5;
  double upper_inertia = 0.0;
  double lower_mass = 1.0;
  double lower_centre = 0.5;
  double lower_inertia = 0.0;
  double gravity = 9.81;

  static constexpr auto fields() {
    using C = TwoLinkArm;
    using F = Field<C>;
    return std::array{
        F{"upper_mass", "kg", "mass of the upper link", non_negative, &C::upper_mass},
        F{"upper_length", "m", "from joint to joint", positive, &C::upper_length},
        F{"upper_centre", "m", "from the first joint to the centre of mass of the upper link",
          any_number, &C::upper_centre},
        F{"upper_inertia", "kg m2", "moment of inertia of the upper link about its centre of mass",
          non_negative, &C::upper_inertia},
        F{"lower_mass", "kg", "mass of the lower link, with what it carries", non_negative,
          &C::lower_mass},
        F{"lower_centre", "m", "from the second joint to the centre of mass of the lower link",
          any_number, &C::lower_centre},
        F{"lower_inertia", "kg m2", "moment of inertia of the lower link about its centre of mass",
          non_negative, &C::lower_inertia},
        F{"gravity", "m/s2", "gravity, 0 for an arm that moves level", non_negative, &C::gravity}};
  }

  template <class S>
  S kinetic(const std::array<S, 2>& q, const std::array<S, 2>& w) const {
    const double l1 = upper_length, c1 = upper_centre, c2 = lower_centre;
    const S lower = w[0] + w[1];
    return 0.5 * (upper_inertia + upper_mass * c1 * c1 + lower_mass * l1 * l1) * w[0] * w[0] +
           0.5 * (lower_inertia + lower_mass * c2 * c2) * lower * lower +
           lower_mass * l1 * c2 * cos(q[1]) * w[0] * lower;
  }
  template <class S>
  S potential(const std::array<S, 2>& q) const {
    return (upper_mass * upper_centre + lower_mass * upper_length) * gravity * (1.0 - cos(q[0])) +
           lower_mass * lower_centre * gravity * (1.0 - cos(S(q[0] + q[1])));
  }
};

// A pendulum on a cart. The first body is the cart, with its own inertia, the second one the angle
// of the pendulum from hanging straight down.
//
//   T = m (x'^2 + 2 l x' w cos(q) + l^2 w^2) / 2 + J w^2 / 2,   V = m g l (1 - cos q)
struct CartPendulum {
  using Number = double;
  static constexpr std::string_view name = "cart_pendulum";
  static constexpr std::string_view summary = "pendulum on a body that moves along a line";
  static constexpr int joints = 2;

  double mass = 1.0;
  double centre = 0.5;
  double inertia = 0.0;
  double gravity = 9.81;

  static constexpr auto fields() {
    using C = CartPendulum;
    using F = Field<C>;
    return std::array{
        F{"mass", "kg", "mass of the pendulum", non_negative, &C::mass},
        F{"centre", "m", "from the pivot to the centre of mass", positive, &C::centre},
        F{"inertia", "kg m2", "moment of inertia about the centre of mass", non_negative,
          &C::inertia},
        F{"gravity", "m/s2", "gravity", non_negative, &C::gravity}};
  }

  template <class S>
  S kinetic(const std::array<S, 2>& q, const std::array<S, 2>& w) const {
    return 0.5 * mass * w[0] * w[0] + mass * centre * cos(q[1]) * w[0] * w[1] +
           0.5 * (inertia + mass * centre * centre) * w[1] * w[1];
  }
  template <class S>
  S potential(const std::array<S, 2>& q) const {
    return mass * gravity * centre * (1.0 - cos(q[1]));
  }
};

}  // namespace bristle
