// SPDX-License-Identifier: MIT
// The simplified bristle model (SBM): a body that rises with speed presses its bristles less.
//
//   z' = v - |v| stiffness z / g(v),     F = stiffness z
//   g(v) = bristle_stiffness (free_height - y1 + y2 d(v)),   d = sech(v / vs) or exp(-(v / vs)^2)
//
// y1 maximum_height, y2 height_drop, vs stribeck_velocity: the mean height of the body is
// y1 - y2 d(v). Limits: the exponential form is LuGre without damping with
// Fc = bristle_stiffness (free_height - y1) and Fs - Fc = bristle_stiffness y2. Does not show:
// damping of the stick vibration, viscous friction, the vertical motion itself (only its mean).
// Source: compressed bristle model (72)-(77), where h1, h2 mean y1, y2 and k means the bristle
// stiffness.
#pragma once

#include <array>

#include "bristle/model/model.hpp"

namespace bristle {

template <class T = double>
struct Sbm {
  using Number = T;
  static constexpr std::string_view name = "sbm";
  static constexpr std::string_view summary =
      "compressed bristles by their mean height, LuGre-like";

  enum Curve : int { exponential, sech };
  static constexpr std::array<std::string_view, 2> curves{"exponential", "sech"};

  T stiffness = T(1e5);
  T bristle_stiffness = T(1.0);
  T free_height = T(2.0);
  T maximum_height = T(1.0);
  T height_drop = T(0.5);
  T stribeck_velocity = T(0.1);
  int curve = exponential;

  static constexpr auto fields() {
    return std::array{
        Field<Sbm>{"stiffness", "N/m", "force per bristle state", positive, &Sbm::stiffness},
        Field<Sbm>{"bristle_stiffness", "N/m", "total stiffness of the compressed bristles",
                   positive, &Sbm::bristle_stiffness},
        Field<Sbm>{"free_height", "m", "height of the bristles when free", positive,
                   &Sbm::free_height}
            .held_in_fits(),
        Field<Sbm>{"maximum_height", "m", "mean height of the body at high speed", non_negative,
                   &Sbm::maximum_height}
            .held_in_fits(),
        Field<Sbm>{"height_drop", "m", "how much lower the body is at rest", non_negative,
                   &Sbm::height_drop},
        Field<Sbm>{"stribeck_velocity", "m/s", "speed over which the body rises", positive,
                   &Sbm::stribeck_velocity},
        Field<Sbm>{"curve", "shape of the rise", curves, &Sbm::curve}};
  }

  void check() const {
    if (!(double(free_height) > double(maximum_height)))
      throw InvalidInput("maximum_height",
                         "sbm: maximum_height = " + words(double(maximum_height)) +
                             " m must be less than free_height = " + words(double(free_height)) +
                             " m, or the bristles do not press at high speed");
  }

  template <class S>
  S force_curve(const S& velocity) const {
    const S ratio = velocity / stribeck_velocity;
    const S drop = curve == sech ? hyperbolic_secant(ratio) : S(exp(-square(ratio)));
    return bristle_stiffness * (free_height - maximum_height + height_drop * drop);
  }

  template <class S, class V>
  Affine<S> affine(const Motion<S>& motion, const Branch<V>& branch) const {
    const S speed = branch.direction * motion.velocity;
    return {stiffness * speed / force_curve(motion.velocity), motion.velocity};
  }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    const Affine<S> bristle = affine(motion, branch);
    const S rate = bristle.drive - bristle.decay * z;
    return spring_response(rate, S(stiffness * z), motion.velocity, stiffness, z);
  }

  template <class S, class V>
  S steady(const Motion<S>& motion, const Branch<V>& branch) const {
    return branch.direction * force_curve(motion.velocity);
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 0.5 * stiffness * z * z;
  }
  T state_scale() const {
    return bristle_stiffness * (free_height - maximum_height + height_drop) / stiffness;
  }

 private:
  // 2 e / (1 + e^2) with e = exp(-|x|), which cannot overflow; even and smooth at zero.
  template <class S>
  static S hyperbolic_secant(const S& x) {
    const S e = exp(select(x < S(0.0), x, S(-x)));
    return 2.0 * e / (1.0 + e * e);
  }
};

}  // namespace bristle
