// SPDX-License-Identifier: MIT
// What is fitted of a servo pendulum, and from where, by the names of its parameters.
//
// Unless asked otherwise the gear is fitted and the motor is that of its data sheet: free are
//   mechanism.armature, mechanism.tilt, coulomb_torque, viscous, stribeck_velocity,
//   driving_rise, driving_growth, backdriving_rise
// and `driving`, `backdriving`, the parts of the load lost at speed, are held at zero: measured
// runs left nothing for them. All others are held at their defaults.
#pragma once

#include <map>

#include "bristle/identify/servo_fit.hpp"

namespace bristle {

struct ServoNames {
  std::map<std::string, double> fix;    // held at these values
  std::vector<std::string> free;        // fitted as well
  std::map<std::string, double> guess;  // where free ones start
};

struct ServoChoice {
  ServoModel<> start;
  std::vector<std::string> free;  // as ServoFitOptions has them
};

// A part of the load that is set free starts from 0.2, coulomb_rise from 0.02 N m. Throws
// InvalidInput for a name that is no parameter, that is both held and free, or a guess of one that
// is held, and for values out of range.
ServoChoice choose_servo(const ServoNames& names);

}  // namespace bristle
