// SPDX-License-Identifier: MIT
// A mass on springs over a base that moves, which rubs by a tongue between two pads.
//
//   (mass - tongue_mass) y'' = -spring (y - e) - damping (y' - e') - link
//   tongue_mass yt''         = link - F,      link = tongue_spring (y - yt) + tongue_damping (y' -
//   yt') 2 pad_mass yp''          = -2 pad_spring (yp - e) + F,               F against v = yt' -
//   yp'
//
// e is the motion of the base; position and velocity are those of the tongue against the pads. It
// is a machine of three bodies (machine/short_forms.hpp) and has no states of its own. With stiff
// and light tongue and pads it moves as base_excited_mass does. Source: hysteretic effects of dry
// friction (5.1); the numbers of tongue and pads are not in the source.
#pragma once

#include "bristle/mechanism/signal.hpp"

namespace bristle {

struct Rig {
  using Number = double;
  static constexpr std::string_view name = "rig";
  static constexpr std::string_view summary =
      "mass on springs over a base that moves, rubbing by a tongue between two pads";
  static constexpr std::string_view input_name = "base_position";
  static constexpr std::string_view input_unit = "m";

  double mass = 3.35;
  double spring = 5040.0;
  double damping = 16.85;
  double load = 35.0;
  double tongue_mass = 0.5;
  double tongue_spring = 1e6;
  double tongue_damping = 50.0;
  double pad_mass = 0.5;
  double pad_spring = 5e5;
  Signal signal{};

  static constexpr auto fields() {
    using F = Field<Rig>;
    return std::array{
        F{"mass", "kg", "mass that oscillates, with its tongue", positive, &Rig::mass},
        F{"spring", "N/m", "stiffness of its springs", non_negative, &Rig::spring},
        F{"damping", "N s/m", "viscous damping", non_negative, &Rig::damping},
        F{"load", "N", "normal force, for laws normalised by it", positive, &Rig::load},
        F{"tongue_mass", "kg", "mass of the tongue", positive, &Rig::tongue_mass},
        F{"tongue_spring", "N/m", "stiffness of its force transducer", positive,
          &Rig::tongue_spring},
        F{"tongue_damping", "N s/m", "damping of its force transducer", non_negative,
          &Rig::tongue_damping},
        F{"pad_mass", "kg", "mass of each of the two pads", positive, &Rig::pad_mass},
        F{"pad_spring", "N/m", "stiffness of each pad", positive, &Rig::pad_spring}};
  }
  void check() const {
    if (!(mass > tongue_mass))
      throw InvalidInput("tongue_mass", "rig: tongue_mass = " + words(tongue_mass) +
                                            " kg must be less than mass = " + words(mass) + " kg");
    if (signal.shape == Signal::triangle)
      throw InvalidInput("shape",
                         "rig: a base that moves along a triangle has no acceleration at its "
                         "corners, it must be smooth");
  }

  double link(double stretch, double rate) const {
    return tongue_spring * stretch + tongue_damping * rate;
  }
  double input(double t, int piece) const { return signal.value(t, piece); }
  double section() const { return 0.0; }
  double drive_period() const { return signal.period(); }
  int piece(double t) const { return signal.piece(t); }
};

}  // namespace bristle
