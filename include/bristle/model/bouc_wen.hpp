// SPDX-License-Identifier: MIT
// The Bouc-Wen law: smooth hysteresis loops of tunable shape.
//
//   z' = rise v - |z|^n (beta |v| sign(z) + gamma v),      F = stiffness z
//
// n is the field `exponent`. On the way up the slope dz/dx falls from `rise` to zero as |z|^n goes
// to rise / (beta + gamma); on the way back it starts steeper for gamma < beta and equal to `rise`
// for gamma = beta. A large n gives a sharp knee: a spring that slips. Limits: |z| stays below
// (rise / (beta + gamma))^(1/n) if it starts there; steady sliding gives stiffness times that. With
// n = 1, gamma = 0 and rise = 1 it is Dahl's law of exponent one with the Coulomb force stiffness /
// beta. Rate-independent, local memory; with |gamma| <= beta it never gives back more than the
// stiffness z^2 / (2 rise) that it stores. Does not show: Stribeck effect, viscous friction,
// return-point memory: small loops drift. The elastic part alpha k x of the textbook form
// alpha k x + (1 - alpha) k z is a spring beside the contact (spring_damper), with stiffness =
// (1 - alpha) k here. Sources: Bouc (1967); Wen, Journal of the Engineering Mechanics Division 102
// (1976) 249; thesis (1.10)-(1.11) for the form as a Duhem system.
#pragma once

#include <array>

#include "bristle/model/curve.hpp"
#include "bristle/model/model.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

// z' of Bouc and Wen; speed is |v|.
template <class S, class T>
S bouc_wen_rate(const S& z, const S& velocity, const S& speed, const T& rise, const T& beta,
                const T& gamma, const T& exponent) {
  const S size = magnitude_power(z, exponent);
  return velocity * (rise - gamma * size) - beta * speed * size * sign(z);
}

template <class T = double>
struct BoucWen {
  using Number = T;
  static constexpr std::string_view name = "bouc_wen";
  static constexpr std::string_view summary = "smooth loops of tunable shape, rate-independent";
  // Its parameters are redundant; degrading_bouc_wen is the form that is fitted.
  static constexpr bool not_fitted = true;

  T stiffness = T(1e5);
  T rise = T(1.0);
  T beta = T(5e4);
  T gamma = T(5e4);
  T exponent = T(1.0);

  static constexpr auto fields() {
    using L = BoucWen;
    return std::array{
        Field<L>{"stiffness", "N/m", "force per unit of the state", positive, &L::stiffness},
        Field<L>{"rise", "", "A, slope of the state where it is zero", positive, &L::rise},
        Field<L>{"beta", "1/m^exponent", "beta, the part that tells loading from unloading",
                 positive, &L::beta},
        Field<L>{"gamma", "1/m^exponent", "gamma, between -beta and beta", any_number, &L::gamma},
        Field<L>{"exponent", "", "n, sharpness of the knee", Bounds{1.0, 100.0}, &L::exponent}};
  }

  void check() const {
    const double most = double(value_of(beta)), part = double(value_of(gamma));
    if (!(part > -most && part <= most))
      throw InvalidInput("gamma", "bouc_wen: gamma = " + words(part) +
                                      " must be greater than -beta and at most beta = " +
                                      words(most) + ", or loops would give energy away");
  }

  // |z| in steady sliding.
  T saturation() const { return pow(T(rise / (beta + gamma)), T(T(1.0) / exponent)); }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    const S& v = motion.velocity;
    const S rate = bouc_wen_rate(z, v, S(branch.direction * v), rise, beta, gamma, exponent);
    return spring_response(rate, S(stiffness * z), v, T(stiffness / rise), z);
  }

  template <class S, class V>
  S steady(const Motion<S>&, const Branch<V>& branch) const {
    return S(stiffness * saturation() * branch.direction);
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 0.5 * (stiffness / rise) * z * z;
  }
  T state_scale() const { return saturation(); }

  // A step at constant velocity by the exponential formula with the slope of the rate, never past
  // the saturation. Second order; |z| stays bounded at any step.
  template <class S>
  S advance(const S& z, const Motion<S>& middle, const S& step) const {
    const S direction = sign(middle.velocity);
    const S bent = direction * z, distance = abs(middle.velocity) * step;
    using D = Dual<S, 1>;
    const D flow =
        bouc_wen_rate(variable<1>(bent, 0), D(S(1.0)), D(S(1.0)), rise, beta, gamma, exponent);
    const S next = bent + flow.value * decay_integral(S(-flow.slope[0]), distance);
    const S most = S(saturation());
    const S confined = select(next > most, select(bent < most, most, next), next);
    return select(direction * direction > S(0.5), S(direction * confined), z);
  }
};

}  // namespace bristle
