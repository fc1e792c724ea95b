// SPDX-License-Identifier: MIT
// The contract of a mechanism: what friction acts on.
//
// A mechanism is an aggregate of parameters with `size` states of its own and
//   motion(t, y, piece)                the relative motion of the contact
//   rates(t, y, friction, piece, dydt) the equations of motion for a given friction force
//   hold(t, y, piece)                  the friction force that would keep the body at rest
//   power_in(t, y, friction, piece)    the power the drive delivers
//   energy(t, y, piece)                the energy in mass and springs
//   input(t, piece)                    the drive itself, for the record
//   scales(force)                      the size of each state for a friction force of the given
//   size
// and, for the drive, piece(t), next_kink(t), longest_step(). `velocity_state` is the index of the
// velocity among the states; if the motion is prescribed it is -1 and the mechanism has a `signal`.
//
// A body with the equation mass x'' = drive(t) - spring x - F may offer what its solution as a
// power series in time needs:
//   expand_drive(t, piece, drive)          the coefficients of the drive about t
//   power_term(k, drive, terms, x, v)      the coefficient k of the power of the drive, from those
//   of
//                                          drive (zero from `terms` on), position and velocity
#pragma once

#include <array>
#include <limits>
#include <span>

#include "bristle/model/field.hpp"
#include "bristle/model/motion.hpp"

namespace bristle {

template <class M>
concept Mechanism = Described<M> && requires(const M& m, std::array<double, M::size> y) {
  { M::velocity_state } -> std::convertible_to<int>;
  { m.motion(0.0, y, 0) } -> std::same_as<Motion<double>>;
  { m.hold(0.0, y, 0) } -> std::convertible_to<double>;
  { m.power_in(0.0, y, 0.0, 0) } -> std::convertible_to<double>;
  { m.energy(0.0, y, 0) } -> std::convertible_to<double>;
  { m.input(0.0, 0) } -> std::convertible_to<double>;
  { m.next_kink(0.0) } -> std::convertible_to<double>;
  { m.longest_step() } -> std::convertible_to<double>;
  { m.piece(0.0) } -> std::convertible_to<int>;
};

template <class M>
concept SeriesBody = Mechanism<M> && M::size == 2 && M::velocity_state == 1 &&
                     requires(const M& m, std::span<double> drive, const double* terms) {
  m.expand_drive(0.0, 0, drive);
  { m.power_term(0, terms, 1, terms, terms) } -> std::convertible_to<double>;
  { m.mass* m.spring } -> std::convertible_to<double>;
};

// Whether the drive of a mechanism can be expanded as it is set.
template <Mechanism M>
bool drive_has_series(const M& mechanism) {
  if constexpr (requires { mechanism.signal.has_series(); }) return mechanism.signal.has_series();
  else return true;
}

}  // namespace bristle
