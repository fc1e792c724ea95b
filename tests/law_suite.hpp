// SPDX-License-Identifier: MIT
// What each law claims. The suites of tests/model run over the list of laws: a law that claims a
// property is held to it, a law that does not is shown to break it.
//
// To add a law: one specialisation of Claims and its name in StateLaws or SetLaws.
#pragma once

#include <sstream>
#include <vector>

#include "bristle/model/advance.hpp"
#include "bristle/model/bouc_wen.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/ffbm.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/mpabm.hpp"
#include "bristle/model/reset_integrator.hpp"
#include "bristle/model/sbm.hpp"
#include "bristle/model/stribeck.hpp"
#include "close.hpp"

namespace bristle::test {

using SetLaws = ::testing::Types<Coulomb<>, Stribeck<>>;
using StateLaws = ::testing::Types<Dahl<>, BoucWen<>, LuGre<>, ElastoPlastic<>, FrBD<>,
                                   ResetIntegrator<>, Ffbm<>, Mpabm<>, Sbm<>>;
using AllLaws = ::testing::Types<Coulomb<>, Stribeck<>, Dahl<>, BoucWen<>, LuGre<>, ElastoPlastic<>,
                                 FrBD<>, ResetIntegrator<>, Ffbm<>, Mpabm<>, Sbm<>>;

// Names the typed tests after the laws.
struct LawName {
  template <class L>
  static std::string GetName(int) {
    return std::string(L::name);
  }
};

// What most laws claim, besides being odd and dissipating over a closed cycle, which all do.
struct CommonClaims {
  static constexpr bool rate_independent = false;   // the path counts, not how fast it is run
  static constexpr bool passive = true;             // never gives back more than it stored
  static constexpr bool uniform = true;             // the same at every position
  static constexpr bool load_proportional = false;  // twice the load, twice the force
  static constexpr double speed = 1e-3;             // where it changes with speed, if so [m/s]
  // How far the force stays off the steady curve in a long run at constant velocity: rounding.
  static constexpr double steady_tolerance = 1e-13;
  // Restricts random parameters to those the claims are made for.
  template <class L>
  static void restrict(L&) {}
};

template <class L>
struct Claims;

// bound: what |z| cannot exceed at speeds up to `fastest`. stiffness: dF/dx from rest.
template <>
struct Claims<Coulomb<>> : CommonClaims {
  static constexpr bool rate_independent = true;
};
template <>
struct Claims<Stribeck<>> : CommonClaims {
  static constexpr double speed = 1e-2;
};
template <>
struct Claims<Dahl<>> : CommonClaims {
  static constexpr bool rate_independent = true;
  static double bound(const Dahl<>& l, double) { return l.coulomb_force / l.stiffness; }
  static double stiffness(const Dahl<>& l) { return l.stiffness; }
};
template <>
struct Claims<BoucWen<>> : CommonClaims {
  static constexpr bool rate_independent = true;
  // The unit of beta and gamma goes with the exponent: of such a length that the saturation is one.
  static void restrict(BoucWen<>& l) {
    l.exponent = std::max(1.0, l.exponent);
    const double scale = l.rise / (l.beta + l.gamma);
    l.beta *= scale, l.gamma *= scale;
  }
  static double bound(const BoucWen<>& l, double) { return l.saturation(); }
  static double stiffness(const BoucWen<>& l) { return l.stiffness * l.rise; }
};
template <>
struct Claims<LuGre<>> : CommonClaims {
  static constexpr bool passive = false;
  static double bound(const LuGre<>& l, double fastest) {
    const double viscous = l.viscous_form == LuGre<>::in_curve ? l.viscous * fastest : 0.0;
    return (std::max(l.coulomb_force, l.static_force) + viscous) / l.stiffness;
  }
  static double stiffness(const LuGre<>& l) { return l.stiffness; }
};
template <>
struct Claims<ElastoPlastic<>> : CommonClaims {
  static constexpr bool passive = false;
  static double bound(const ElastoPlastic<>& l, double) { return l.static_force / l.stiffness; }
  static double stiffness(const ElastoPlastic<>& l) { return l.stiffness; }
};
template <>
struct Claims<FrBD<>> : CommonClaims {
  static constexpr bool load_proportional = true;
  static constexpr double speed = 1e-2;
  // Passivity is claimed for a stiffness that does not change with speed.
  static void restrict(FrBD<>& l) { l.stiffness_ratio = 1.0; }
  static double bound(const FrBD<>& l, double fastest) {
    const double mu = std::max(l.dynamic_coefficient, l.static_coefficient) + l.viscous * fastest;
    return mu / (l.stiffness * std::min(1.0, l.stiffness_ratio));
  }
  static double stiffness(const FrBD<>& l) { return l.stiffness; }
};
template <>
struct Claims<ResetIntegrator<>> : CommonClaims {
  static constexpr bool rate_independent = true;  // without damping
  static void restrict(ResetIntegrator<>& l) { l.damping = 0.0; }
  static double bound(const ResetIntegrator<>& l, double) { return l.range; }
  static double stiffness(const ResetIntegrator<>& l) { return l.stiffness * (1.0 + l.gradient); }
};
template <>
struct Claims<Ffbm<>> : CommonClaims {
  static constexpr bool rate_independent = true;
  static constexpr bool uniform = false;
  // The bristle follows the sawtooth with a lag of g / stiffness, some 1e-5 m of a tooth of 0.05 m,
  // over which the force changes by half itself.
  static constexpr double steady_tolerance = 2e-4;
  static double bound(const Ffbm<>& l, double) {
    return std::max(l.minimum_force, l.maximum_force) / l.stiffness;
  }
  static double stiffness(const Ffbm<>& l) { return l.stiffness; }
};
template <>
struct Claims<Mpabm<>> : CommonClaims {
  static double bound(const Mpabm<>& l, double) {
    return std::max(l.minimum_angle, l.maximum_angle) / l.angle_gain;
  }
  static double stiffness(const Mpabm<>& l) { return l.stiffness; }
};
template <>
struct Claims<Sbm<>> : CommonClaims {
  static constexpr double speed = 1e-1;
  static double bound(const Sbm<>& l, double) { return l.state_scale(); }
  static double stiffness(const Sbm<>& l) { return l.stiffness; }
};

// The defaults, restricted to what the claims are made for.
template <class L>
L example() {
  L law{};
  Claims<L>::restrict(law);
  return law;
}

// A valid law with every number within a factor of three of its default and every choice open.
// Zero defaults stay zero: they switch an effect off.
template <class L>
L random_law(Random& random) {
  for (;;) {
    L law{};
    for (const auto& field : L::fields()) {
      if (field.number) law.*field.number *= random.log_uniform(1.0 / 3.0, 3.0);
      else law.*field.choice = random.below(int(field.choices.size()));
    }
    Claims<L>::restrict(law);
    try {
      validate(law);
      return law;
    } catch (const InvalidInput&) {
      // Numbers that do not go together, such as a static force below the Coulomb force.
    }
  }
}

// A motion in either direction over six decades of speed up to `fastest`.
inline Motion<double> random_motion(Random& random, double fastest = 1.0) {
  return {random.uniform(-0.2, 0.2), random.sign() * random.log_uniform(1e-6 * fastest, fastest),
          random.log_uniform(0.5, 2.0), 0.0};
}

// A state within the bound; zero for laws without one.
template <class L>
double random_state(Random& random, const L& law, double fastest = 1.0) {
  if constexpr (StateLaw<L>) {
    const double bound = Claims<L>::bound(law, fastest);
    return random.uniform(-bound, bound);
  } else {
    return 0.0;
  }
}

template <class L>
double stored_energy(const L& law, double z, const Motion<double>& motion) {
  if constexpr (StateLaw<L>) return law.stored(z, motion);
  else return 0.0;
}

template <class L>
double next_state(const L& law, double z, const Motion<double>& middle, double step) {
  if constexpr (StateLaw<L>) return advance(law, z, middle, step);
  else return z;
}

// The size of the terms the force is made of; they may cancel.
template <class L>
double force_terms(const L& law, double z, const Motion<double>& m) {
  const Motion<double> still{m.position, 0.0, m.load};
  return std::abs(force(law, z, m)) + std::abs(force(law, 0.0, m)) + std::abs(force(law, z, still));
}

// The law at all its parameters and the case, ready to paste into a test.
template <class L>
std::string paste(const L& law, double z, const Motion<double>& m) {
  std::ostringstream text;
  text << L::name << " law; ";
  for (const auto& field : L::fields()) {
    text << "law." << field.name << " = ";
    if (field.number) text << words(law.*field.number) << "; ";
    else text << law.*field.choice << "; ";
  }
  text << "z = " << words(z) << "; motion = {" << words(m.position) << ", " << words(m.velocity)
       << ", " << words(m.load) << ", 0.0};";
  return text.str();
}

// The states at which the equations have a kink or a jump for the given motion.
template <class L>
std::vector<double> kinks(const L& law, const Motion<double>& m) {
  std::vector<double> all;
  if constexpr (requires { law.exponent, law.reserve(0.0, 1.0); }) all = {law.state_scale()};
  if constexpr (requires { law.range; }) all = {law.range};
  if constexpr (requires { law.saturation(), law.rise; }) all = {0.0};
  if constexpr (requires { law.breakaway_fraction; })
    all = {0.0, law.breakaway_fraction * law.coulomb_force / law.stiffness,
           law.curve(m.velocity) / law.stiffness};
  const std::size_t half = all.size();
  for (std::size_t i = 0; i < half; ++i) all.push_back(-all[i]);
  return all;
}

// No kink within a twentieth of the break-away deflection, or a hundredth of a tooth, of the path
// from one state to another: differences can be taken.
template <class L>
bool smooth(const L& law, double from, double to, const Motion<double>& m) {
  if constexpr (StateLaw<L>) {
    const double margin = 0.05 * law.state_scale();
    for (const double kink : kinks(law, m))
      if (kink > std::min(from, to) - margin && kink < std::max(from, to) + margin) return false;
  }
  if constexpr (requires { law.spacing; }) {
    const double tooth = m.position / law.spacing;
    return std::abs(tooth - std::round(tooth)) > 0.01;
  }
  return true;
}

// The same law over another number type: rebind<LuGre<double>, Pack> is LuGre<Pack>.
template <class L, class T>
struct Rebound;
template <template <class> class L, class U, class T>
struct Rebound<L<U>, T> {
  using type = L<T>;
};
template <class L, class T>
using rebind = typename Rebound<L, T>::type;

// The law with every number converted.
template <class T, class L>
rebind<L, T> converted(const L& law) {
  rebind<L, T> other{};
  const auto from = L::fields();
  const auto to = rebind<L, T>::fields();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].number) other.*to[i].number = T(law.*from[i].number);
    else other.*to[i].choice = law.*from[i].choice;
  }
  return other;
}

}  // namespace bristle::test
