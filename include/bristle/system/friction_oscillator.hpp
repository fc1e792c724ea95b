// SPDX-License-Identifier: MIT
// A mass on springs over a base that moves, with friction between them that knows the acceleration.
//
//   single   mass y'' = -spring (y - e) - damping (y' - e') - F,     F against v = y' - e'
//   prescribed   x = e: the force over a given motion, nothing moves in return
//   rig      (mass - tongue_mass) y'' = -spring (y - e) - damping (y' - e') - link
//            tongue_mass yt'' = link - F,      link = tongue_spring (y - yt) + tongue_damping (y' -
//            yt') 2 pad_mass yp'' = -2 pad_spring (yp - e) + F,           F against v = yt' - yp'
//
// e is the motion of the base, position and velocity are relative: x = y - e, or yt - yp.
// As F depends on the acceleration, each evaluation solves m a = push - F(v, a) for it, m and push
// those of the relative motion. The solver knows five modes: the contact yields, the motion speeds
// up, holds its speed, slows down, sticks; their changes are located to rounding. A mass that is
// too small for the lag of the friction has several accelerations; it is refused.
// The first equation is (5.2); (5.4) as printed has the signs of damping and friction turned.
// Source: hysteretic effects of dry friction (5.1)-(5.4).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bristle/mechanism/signal.hpp"
#include "bristle/model/hysteretic_static.hpp"
#include "bristle/model/roughness.hpp"
#include "bristle/model/seven_parameter.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/status.hpp"

namespace bristle {

struct FrictionOscillator {
  using Number = double;
  static constexpr std::string_view name = "oscillator";
  static constexpr std::string_view summary =
      "mass on springs over a moving base, with friction between them";
  static constexpr std::array<std::string_view, 3> kinds{"single", "rig", "prescribed"};
  enum Kind { single, rig, prescribed };

  int kind = 0;
  double mass = 3.35;
  double spring = 5040.0;
  double damping = 16.85;
  double load = 35.0;
  double position = 0.0;
  double velocity = 0.0;
  double tongue_mass = 0.5;
  double tongue_spring = 1e6;
  double tongue_damping = 50.0;
  double pad_mass = 0.5;
  double pad_spring = 5e5;
  Signal base{};

  static constexpr auto fields() {
    using O = FrictionOscillator;
    using F = Field<O>;
    return std::array{
        F{"kind", "one degree of freedom, the rig with tongue and pads, or a given motion", kinds,
          &O::kind},
        F{"mass", "kg", "mass that oscillates, with its tongue", positive, &O::mass},
        F{"spring", "N/m", "stiffness of both springs together (2 k)", non_negative, &O::spring},
        F{"damping", "N s/m", "viscous damping", non_negative, &O::damping},
        F{"load", "N", "normal force", positive, &O::load},
        F{"position", "m", "relative position at the start", any_number, &O::position},
        F{"velocity", "m/s", "relative velocity at the start", any_number, &O::velocity},
        F{"tongue_mass", "kg", "rig: mass of the tongue", positive, &O::tongue_mass},
        F{"tongue_spring", "N/m", "rig: stiffness of its force transducer", positive,
          &O::tongue_spring},
        F{"tongue_damping", "N s/m", "rig: damping of its force transducer", non_negative,
          &O::tongue_damping},
        F{"pad_mass", "kg", "rig: mass of each of the two pads", positive, &O::pad_mass},
        F{"pad_spring", "N/m", "rig: stiffness of each pad", positive, &O::pad_spring}};
  }

  void check() const {
    if (kind == 1 && !(mass > tongue_mass))
      throw InvalidInput("tongue_mass", "oscillator: tongue_mass = " + words(tongue_mass) +
                                            " kg must be less than mass = " + words(mass) + " kg");
    if (base.shape == Signal::triangle)
      throw InvalidInput("shape",
                         "oscillator: a base that moves along a triangle has no acceleration at "
                         "its corners, it must be smooth");
  }

  double natural_frequency() const;  // [Hz], without friction
  double damping_ratio() const;
  // The mass that friction accelerates: the whole, or tongue against pads.
  double contact_mass() const {
    return kind != 1 ? mass : 1.0 / (1.0 / tongue_mass + 0.5 / pad_mass);
  }
};

// A law of the hysteretic family and its random part.
struct MeasuredFriction {
  HystereticStatic<> law{};
  std::optional<Roughness> roughness{};  // over the velocity, as in the source
};

enum class ContactMode : int { yields, speeds_up, holds, slows_down, sticks };
std::string_view words(ContactMode mode);

struct ContactEvent {
  double time = 0.0;
  ContactMode mode = ContactMode::slows_down;  // that begins
  double position = 0.0, velocity = 0.0, force = 0.0;
};

// Where a run stands, so that it can go on from there.
struct OscillatorState {
  double time = 0.0;
  std::vector<double> states;  // of the body; empty: as the body says
  ContactMode mode = ContactMode::slows_down;
  double side = 1.0;  // the sign standing for that of the velocity
  double anchor = 0.0, start_coefficient = 0.0;
};

// Samples at equal distances in time.
struct OscillatorRun {
  std::vector<double> time, base, position, velocity, acceleration, force;
  std::vector<double> body_acceleration;  // y'' of the mass, as an accelerometer on it measures it
  // Of the rig: what a displacement and a velocity transducer between mass and base measure, and
  // the force transducer between mass and tongue. Of one degree of freedom x and v are those.
  std::vector<double> body_position, body_velocity, transducer;
  std::vector<double> mode, work_in, friction_work, dissipated, stored;
  std::vector<double> solutions;  // accelerations to choose from, literal form only
  std::vector<ContactEvent> events;
  Status status = Status::done;
  NotFinite not_finite{};  // with the status of that name: what became so, and when
  std::string message;
  long steps = 0, rejected = 0;
  long turned_back = 0;  // times at which the body could not pass rest and turned
  // Of the literal form: evaluations, those with several accelerations to choose from, and with
  // none.
  long evaluations = 0, several = 0, none = 0;
  double ledger_error = 0.0;  // relative
  double seconds = 0.0;
  OscillatorState last;

  bool ok() const { return status == Status::done; }
};

// By DOP853 with the changes of mode located. Uses end, tolerance, samples, record_from, step_limit
// and progress of the options. Starts from `from` if that has states.
OscillatorRun simulate_oscillator(const MeasuredFriction& friction, const FrictionOscillator& body,
                                  const Options& options, const OscillatorState& from = {});
OscillatorRun simulate_oscillator(const SevenParameter& law, const FrictionOscillator& body,
                                  const Options& options);

}  // namespace bristle
