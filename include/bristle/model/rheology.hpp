// SPDX-License-Identifier: MIT
// Friction laws from rheologies: any bristle, any friction curve.
//
// A rheology says what force a bristle takes, f(z', z, v) per load. The sliding tip takes
// mu(v - z') sgn(v - z'). Equating both gives an implicit equation for z'; its first Picard step
// from z' = 0 is the law
//   z' = -|v|_e / g(v, z) (f(0, z, v) - mu(v) sgn_e(v)),   g = df/dz'(0, z, v) |v|_e + mu(v)
//   F  = load f(z', z, v)
// with the derivative taken automatically. exact_rate() is the root itself, to see what the first
// step leaves out. A rheology is ten lines:
//
//   template <class T = double>
//   struct HardeningSpring {
//     T stiffness = T(1e4), hardening = T(1e-4), damping = T(64.5);
//     template <class S> S force(const S& rate, const S& z, const S&) const {
//       return stiffness * z * (1.0 + square(S(z / hardening))) + damping * rate;
//     }
//     template <class S> S energy(const S& z) const;   // of f(0, z), per load
//     T scale(const T& force) const;                   // a deflection of about that force
//   };
//   using MyLaw = Constructed<HardeningSpring<>>;
//
// A spring and a damper give FrBD. Limits: df/dz' is taken at the state itself, which is its steady
// value z*(v) in steady sliding, where (12) takes it. Passive with a linear damper; one that thins
// with its rate need not be, since g has the damping at rest. Does not show: true stick. Source:
// friction with bristle dynamics (2)-(12).
#pragma once

#include <array>

#include "bristle/model/curve.hpp"
#include "bristle/model/model.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

// A linear spring and a linear damper: FrBD.
template <class T = double>
struct LinearBristle {
  static constexpr std::string_view law_name = "frbd_spring_damper";
  static constexpr std::string_view law_summary = "spring and damper as a rheology: FrBD";
  T stiffness = T(1e4), damping = T(64.5);

  template <class S>
  S force(const S& rate, const S& z, const S&) const {
    return stiffness * z + damping * rate;
  }
  template <class S>
  S energy(const S& z) const {
    return 0.5 * stiffness * z * z;
  }
  T scale(const T& force) const { return force / stiffness; }
};

// A spring that hardens: f = stiffness z (1 + (z / hardening)^2) + damping z'.
template <class T = double>
struct HardeningSpring {
  static constexpr std::string_view law_name = "frbd_hardening_spring";
  static constexpr std::string_view law_summary = "FrBD with a spring that hardens";
  T stiffness = T(1e4), hardening = T(1e-4), damping = T(64.5);

  template <class S>
  S force(const S& rate, const S& z, const S&) const {
    return stiffness * z * (1.0 + square(S(z / hardening))) + damping * rate;
  }
  template <class S>
  S energy(const S& z) const {
    return stiffness * z * z * (0.5 + 0.25 * square(S(z / hardening)));
  }
  T scale(const T& force) const { return force / stiffness; }
};

// A damper that thins with its rate: f = stiffness z + damping z' / sqrt(1 + (z' / thinning)^2).
template <class T = double>
struct ThinningDamper {
  static constexpr std::string_view law_name = "frbd_thinning_damper";
  static constexpr std::string_view law_summary = "FrBD with a damper that thins with its rate";
  T stiffness = T(1e4), damping = T(64.5), thinning = T(0.01);

  template <class S>
  S force(const S& rate, const S& z, const S&) const {
    return stiffness * z + damping * rate / sqrt(S(1.0 + square(S(rate / thinning))));
  }
  template <class S>
  S energy(const S& z) const {
    return 0.5 * stiffness * z * z;
  }
  T scale(const T& force) const { return force / stiffness; }
};

template <class Rheology>
struct Constructed {
  using Number = double;
  static constexpr std::string_view name = Rheology::law_name;
  static constexpr std::string_view summary = Rheology::law_summary;

  Rheology bristle{};
  double dynamic_coefficient = 1.0;
  double static_coefficient = 1.5;
  double stribeck_velocity = 0.01;
  double stribeck_exponent = 2.0;
  double viscous = 0.04;
  double regularisation = 0.0;

  static constexpr auto fields() {
    using L = Constructed;
    return std::array{
        Field<L>{"dynamic_coefficient", "", "friction coefficient at high speed", positive,
                 &L::dynamic_coefficient},
        Field<L>{"static_coefficient", "", "friction coefficient as the speed goes to zero",
                 positive, &L::static_coefficient},
        Field<L>{"stribeck_velocity", "m/s", "speed over which the coefficient falls", positive,
                 &L::stribeck_velocity},
        Field<L>{"stribeck_exponent", "", "exponent of the fall", Bounds{0.0, 10.0, true},
                 &L::stribeck_exponent},
        Field<L>{"viscous", "s/m", "normalised viscous coefficient", non_negative, &L::viscous},
        Field<L>{"regularisation", "m2/s2", "square of the speed that rounds the kink of |v|",
                 non_negative, &L::regularisation}};
  }

  template <class S, class V>
  S speed(const S& v, const Branch<V>& branch) const {
    if (regularisation > 0.0) return sqrt(S(v * v + regularisation));
    return branch.direction * v;
  }
  // mu(v), the speed being |v|.
  template <class S>
  S coefficient(const S& v, const S& magnitude) const {
    return stribeck_curve(dynamic_coefficient, static_coefficient, v, stribeck_velocity,
                          stribeck_exponent) +
           viscous * magnitude;
  }
  // df/dz' at rest of the bristle.
  template <class S>
  S damping(const S& z, const S& v) const {
    using D = Dual<S, 1>;
    D rate(S(0.0));
    rate.slope[0] = S(1.0);
    return bristle.force(rate, D(z), D(v)).slope[0];
  }

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    const S& v = motion.velocity;
    const S magnitude = speed(v, branch), mu = coefficient(v, S(branch.direction * v));
    const S g = damping(z, v) * magnitude + mu;
    const S rate = (mu * v - magnitude * bristle.force(S(0.0), z, v)) / g;
    const S force = motion.load * bristle.force(rate, z, v);
    const S spring = motion.load * bristle.force(S(0.0), z, S(0.0));
    return {rate, force, force * v - spring * rate};
  }
  template <class S, class V>
  S steady(const Motion<S>& motion, const Branch<V>& branch) const {
    const S& v = motion.velocity;
    const S magnitude = speed(v, branch);
    const auto rest = magnitude <= S(0.0);
    const S direction = select(rest, S(0.0), S(v / select(rest, S(1.0), magnitude)));
    return motion.load * direction * coefficient(v, S(branch.direction * v));
  }
  template <class S>
  S stored(const S& z, const Motion<S>& motion) const {
    return motion.load * bristle.energy(z);
  }
  double state_scale() const { return bristle.scale(static_coefficient); }

  // The rate of a bristle whose force equals that of its tip, (6) itself: between no motion of the
  // tip and no motion of the bristle. A tip that the curve can hold sticks, z' = v.
  double exact_rate(double z, double v) const {
    const auto missing = [&](double rate) {  // of the tip's force over the bristle's
      const double tip = v - rate, size = std::sqrt(tip * tip + regularisation);
      const double mu = coefficient(tip, std::abs(tip));
      return mu * (size > 0.0 ? tip / size : 0.0) - bristle.force(rate, z, v);
    };
    const double held = bristle.force(v, z, v), most = coefficient(0.0, 0.0);
    if (regularisation <= 0.0 && std::abs(held) <= most) return v;
    // The tip slides the way the bristle pulls it too weakly to follow.
    double low = v, high = v;
    const double reach = std::abs(v) + most / std::max(1e-300, damping(z, v));
    if (held > most || (regularisation > 0.0 && missing(v) < 0.0)) low = v - 4.0 * reach;
    else high = v + 4.0 * reach;
    const double nudge = 1e-15 * reach;
    double a = low == v ? v + nudge : low, b = high == v ? v - nudge : high;
    for (int i = 0; i < 200; ++i) {
      const double middle = 0.5 * (a + b);
      if (middle == a || middle == b) break;
      (missing(middle) > 0.0 ? a : b) = middle;
    }
    return 0.5 * (a + b);
  }
};

}  // namespace bristle
