// SPDX-License-Identifier: MIT
// What goes into a friction law and what comes out of it.
#pragma once

#include <array>

#include "bristle/scalar/scalar.hpp"

namespace bristle {

// The relative motion on which a law acts.
template <class S>
struct Motion {
  S position{};     // [m]
  S velocity{};     // [m/s]
  S load = S(1.0);  // normal force [N], for laws whose coefficients are normalised by it
  S time{};         // [s]
  S height{};       // of the body above the ground [m], for laws that feel it
};

// Which smooth piece of its equations a law is on. Within a step of an event-driven solver the
// branch is frozen, so that the equations are smooth there; elsewhere it follows the motion.
template <class V = double>
struct Branch {
  V direction{};  // the sign standing for that of the velocity: |v| is direction * v; 0 is stick
  V cell{};       // a piece the law numbers itself (a cell of a sawtooth, 1 for a saturated spring)

  bool operator==(const Branch&) const = default;
};

// The bristles of a row that a body is on, by number: those from `first` to before `left_end` lean
// left, those up to `right_begin` stand upright, those up to `end` lean right. Bristles before
// `left_touch` are touched by the left corner of the body, those from `right_touch` on by the right
// one.
struct Contacts {
  long first = 0, left_end = 0, right_begin = 0, end = 0;
  long left_touch = 0, right_touch = 0;
  bool known = false;  // false before the start

  bool operator==(const Contacts&) const = default;
};

// A single body may also remember how it came to where it is, and a contact in the plane where it
// was going when the step began.
template <>
struct Branch<double> {
  double direction{};
  double cell{};
  Contacts contacts{};
  std::array<double, 2> along{};  // unit vector, of a contact in the plane

  bool operator==(const Branch&) const = default;
};

template <class S>
struct Response {
  S rate{};         // of the state, state unit per second
  S force{};        // opposing positive velocity [N]
  S dissipation{};  // power lost for good [W]: force * velocity - d(stored)/dt
};

// Set-valued friction at rest: any force of the interval.
template <class S>
struct Interval {
  S lower{};
  S upper{};
};

}  // namespace bristle
