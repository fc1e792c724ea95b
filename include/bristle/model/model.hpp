// SPDX-License-Identifier: MIT
// The contract of a friction law, and the calls that work for every law.
//
// A law is an aggregate of named parameters with a table of fields and pure functions. There are
// two kinds:
//
//   State law (Dahl, LuGre, FrBD ...): has one internal state z, and gives
//     respond(z, motion, branch)   the rate of z, the force and the power dissipated
//     stored(z)                    the energy in the bristles [J]
//     steady(motion, branch)       the force at constant velocity
//     state_scale()                the size of z at break-away, for error control
//     affine(motion, branch)       optional: rate = drive - decay * z, if the law is linear in z
//     respond(z, motion, affine)   optional beside it: the response with drive and decay at hand
//     advance(z, displacement)     optional: the exact state after a monotone displacement
//
//   Set-valued law (Coulomb, bristle rows ...): has no state; at rest the force is an interval, and
//   gives
//     sliding(motion, branch)      the force while sliding in the direction of the branch
//     limits(motion)               the interval of forces at rest
//
// A law whose equations have more pieces than the sign of the velocity also gives
//     cell(z, motion, direction)   the number of the piece
//     margin(z, motion, branch)    positive inside the piece, negative outside
//     crossed(branch)              the piece that follows
//     released(branch)             optional: the energy set free as the piece ends [J]
// A set-valued law whose sliding force does not depend on the velocity says so by a static constant
// by_position = true; it is then stepped by a method for equations that are not stiff.
// It may also give expand(position, branch, allowed), its force as a power series (expansion.hpp).
// A law that remembers more than its state gives engage(motion, direction, before), the branch in a
// new direction after the branch `before`, and may give stored(z, motion, branch).
#pragma once

#include <algorithm>

#include "bristle/model/field.hpp"
#include "bristle/model/motion.hpp"

namespace bristle {

// z' = drive - decay * z
template <class S>
struct Affine {
  S decay{};  // [1/s]
  S drive{};  // state unit per second
};

template <class L>
concept StateLaw = Described<L> &&
    requires(const L& law, double z, Motion<double> motion, Branch<double> branch) {
  { law.respond(z, motion, branch) } -> std::same_as<Response<double>>;
  { law.stored(z, motion) } -> std::convertible_to<double>;
  { law.steady(motion, branch) } -> std::convertible_to<double>;
  { law.state_scale() } -> std::convertible_to<double>;
};

template <class L>
concept SetLaw = Described<L> &&
    requires(const L& law, Motion<double> motion, Branch<double> branch) {
  { law.sliding(motion, branch) } -> std::convertible_to<double>;
  { law.limits(motion) } -> std::same_as<Interval<double>>;
};

template <class L>
concept Law = StateLaw<L> || SetLaw<L>;

template <class L>
concept AffineLaw = StateLaw<L> && requires(const L& law, Motion<double> m, Branch<double> b) {
  { law.affine(m, b) } -> std::same_as<Affine<double>>;
};

// The state after a displacement does not depend on how fast it was made.
template <class L>
concept DisplacementLaw = StateLaw<L> && requires(const L& law, double z, double displacement) {
  { law.advance(z, displacement) } -> std::convertible_to<double>;
};

// The number of the piece of the equations for a given direction; zero for laws with one piece.
template <class L, class S, class V>
auto cell_of(const L& law, const S& z, const Motion<S>& motion, const V& direction) {
  if constexpr (requires { law.cell(z, motion, direction); }) {
    return law.cell(z, motion, direction);
  } else {
    return V(0.0);
  }
}

// The branch for a direction, of a law that remembers (engage) or of one that only looks (cell).
template <class L>
Branch<> engaged(const L& law, double z, const Motion<double>& motion, double direction,
                 const Branch<>& before) {
  if constexpr (requires { law.engage(motion, direction, before); }) {
    return law.engage(motion, direction, before);
  } else {
    return {direction, cell_of(law, z, motion, direction)};
  }
}

// The branch that follows the motion as it is.
template <class L, class S>
auto branch_of(const L& law, const S& z, const Motion<S>& motion) {
  if constexpr (PlainNumber<S> || !requires { motion.velocity.slope; }) {
    const S direction = sign(motion.velocity);
    return Branch<S>{direction, cell_of(law, z, motion, direction)};
  } else {
    using V = std::remove_cvref_t<decltype(z.value)>;
    const Motion<V> values{motion.position.value, motion.velocity.value, motion.load.value,
                           motion.time.value};
    return branch_of(law, z.value, values);
  }
}

// Rate, force and dissipation with the branch following the motion.
template <class L, class S>
Response<S> respond(const L& law, const S& z, const Motion<S>& motion) {
  const auto branch = branch_of(law, z, motion);
  if constexpr (requires { law.respond(z, motion, branch); }) {
    return law.respond(z, motion, branch);
  } else {
    const S force = law.sliding(motion, branch);
    return {S(0.0), force, force * motion.velocity};
  }
}

template <class L, class S>
S rate(const L& law, const S& z, const Motion<S>& motion) {
  return respond(law, z, motion).rate;
}

template <class L, class S>
S force(const L& law, const S& z, const Motion<S>& motion) {
  return respond(law, z, motion).force;
}

// The force at constant velocity: the curve a slow speed sweep measures.
template <class L, class S>
S steady_force(const L& law, const Motion<S>& motion) {
  const auto branch = branch_of(law, S(0.0), motion);
  if constexpr (requires { law.steady(motion, branch); }) {
    return law.steady(motion, branch);
  } else {
    return law.sliding(motion, branch);
  }
}

// The size of the force of a law, for error control: at break-away unless it says so itself.
template <class L>
double force_scale(const L& law, double load) {
  const Motion<double> rest{0.0, 0.0, load, 0.0};
  if constexpr (requires { law.force_scale(); }) return double(value_of(law.force_scale()));
  else if constexpr (SetLaw<L>)
    return std::max(std::abs(law.limits(rest).upper), std::abs(law.limits(rest).lower));
  else return std::abs(law.respond(double(law.state_scale()), rest, Branch<>{}).force);
}

// The response of a law whose bristles store stiffness * z^2 / 2.
template <class S, class K>
Response<S> spring_response(const S& rate, const S& force, const S& velocity, const K& stiffness,
                            const S& z) {
  return {rate, force, force * velocity - stiffness * z * rate};
}

}  // namespace bristle
