// SPDX-License-Identifier: MIT
#include "bristle/identify/servo_choice.hpp"

#include "servo_parameters.hpp"

namespace bristle {
namespace {

const std::vector<std::string>& usually_free() {
  static const std::vector<std::string> names{
      "mechanism.armature", "mechanism.tilt", "coulomb_torque", "viscous",
      "stribeck_velocity",  "driving_rise",   "driving_growth", "backdriving_rise"};
  return names;
}

bool among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

ServoChoice choose_servo(const ServoNames& names) {
  ServoChoice choice;
  GearFriction<>& gear = choice.start.friction;
  gear.driving = gear.backdriving = 0.0;
  const auto put = [&](const std::string& name, double value) {
    detail::servo_value(choice.start, detail::servo_parameter(name).index) = value;
  };

  // Those usually free come first, so that they meet the same starts whatever is added.
  for (const auto& name : usually_free())
    if (!names.fix.contains(name)) choice.free.push_back(name);
  for (const auto& name : names.free) {
    detail::servo_parameter(name);
    if (names.fix.contains(name))
      throw InvalidInput(name, name + " is both held and free, only one of them can be meant");
    if (among(choice.free, name)) continue;
    choice.free.push_back(name);
    if (name == "driving" || name == "backdriving") put(name, 0.2);
    if (name == "coulomb_rise") put(name, 0.02);
  }

  for (const auto& [name, value] : names.fix) put(name, value);
  for (const auto& [name, value] : names.guess) {
    detail::servo_parameter(name);
    if (!among(choice.free, name))
      throw InvalidInput(name, "a guess of " + name + " has no use, it is held and not fitted");
    put(name, value);
  }
  validate(choice.start.pendulum);
  validate(choice.start.friction);
  return choice;
}

}  // namespace bristle
