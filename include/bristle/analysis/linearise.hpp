// SPDX-License-Identifier: MIT
// Friction around a constant velocity: pole, gains, frequency response from velocity to force.
//
//   z~' = pole z~ + input v~,    F~ = output z~ + direct v~
//
// The derivatives are automatic, so this works for every law with a state and, bristle by bristle,
// for a rolling contact. Source: friction with bristle dynamics (28)-(32), (55)-(59), whose last
// term of (30a) and (57a) lacks a factor z.
#pragma once

#include <complex>

#include "bristle/model/any_law.hpp"
#include "bristle/system/contact_patch.hpp"

namespace bristle {

struct Linearised {
  double velocity = 0.0, state = 0.0, force = 0.0;  // around which
  double pole = 0.0;                                // [1/s]
  double input = 0.0, output = 0.0, direct = 0.0;

  // F~ / v~ at an angular frequency [N s/m].
  std::complex<double> at(double frequency) const;
};

// Throws InvalidInput for a law without a state, and where none is steady (a velocity of zero).
Linearised linearise(const AnyLaw& law, double velocity, double load = 1.0);

// F~ / v~ of a contact that rolls with a constant slip velocity. At frequency 0 it is the slope of
// the steady force over slip.
std::complex<double> patch_response(const ContactPatch& patch, double slip, double frequency);

// What can be drawn of it: one section of a file.
struct BodeSweep {
  using Number = double;
  static constexpr std::string_view name = "bode";
  static constexpr std::string_view summary =
      "frequency response from velocity to force around a constant velocity";

  double velocity = 0.05;
  double from = 0.1;
  double to = 1e4;
  double points = 201.0;
  double load = 1.0;

  static constexpr auto fields() {
    using F = Field<BodeSweep>;
    using B = BodeSweep;
    return std::array{
        F{"velocity", "m/s", "velocity around which", any_number, &B::velocity},
        F{"from", "rad/s", "lowest frequency", positive, &B::from},
        F{"to", "rad/s", "highest frequency", positive, &B::to},
        F{"points", "", "number of frequencies", Bounds{2.0, 1e6, false, true}, &B::points},
        F{"load", "N", "normal force", positive, &B::load}};
  }
  void check() const {
    if (!(from < to))
      throw InvalidInput("to", "bode: to = " + words(to) +
                                   " rad/s must be greater than from = " + words(from) + " rad/s");
    if (velocity == 0.0)
      throw InvalidInput("velocity", "bode: velocity = 0 m/s is not allowed, friction has no slope "
                                     "there");
  }
};

}  // namespace bristle
