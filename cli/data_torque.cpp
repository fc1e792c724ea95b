// SPDX-License-Identifier: MIT
#include "data_torque.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/io/errors.hpp"
#include "numbers.hpp"

namespace bristle::cli {
namespace {

void check_factor(const std::optional<double>& factor, const char* option) {
  if (factor && (!std::isfinite(*factor) || *factor == 0.0))
    throw io::InputError(fmt::format("{} {}: must be finite and not 0", option, *factor));
}

}  // namespace

void add_torque_options(CLI::App& command, DataArguments& a) {
  command
      .add_option("--terms", a.terms,
                  "the measured torque is not friction alone: what it consists of, a list of "
                  "friction and any of inertia, gravity, offset, viscous")
      ->type_name("LIST");
  command
      .add_option("--motor-constant", a.motor_constant,
                  "the column of --force is a current: torque or force per ampere")
      ->type_name("N m/A")
      ->check(a_number());
  command
      .add_option("--gear", a.gear,
                  "gear ratio: motion and torque were measured at the motor; motion is divided by "
                  "it, torque multiplied")
      ->type_name("N")
      ->check(a_number());
}

TermOptions terms_of(const DataArguments& a, bool* offset) {
  TermOptions t;
  *offset = false;
  if (a.terms.empty()) return t;
  bool friction = false;
  for (std::size_t at = 0; at <= a.terms.size();) {
    const auto comma = std::min(a.terms.find(',', at), a.terms.size());
    const std::string name = a.terms.substr(at, comma - at);
    at = comma + 1;
    if (name == "inertia") t.inertia = true;
    else if (name == "gravity") t.gravity = true;
    else if (name == "viscous") t.viscous = true;
    else if (name == "offset") *offset = true;
    else if (name == "friction") friction = true;
    else
      throw io::InputError(
          "--terms " + a.terms + ": " +
          not_found("term", name, {"inertia", "gravity", "offset", "viscous", "friction"}));
  }
  if (!friction)
    throw io::InputError("--terms " + a.terms +
                         ": friction is missing, it is the law that is fitted beside the others");
  t.payload = !a.choice.load.empty();
  return t;
}

void choose_torque(const DataArguments& a, io::MeasurementChoice& choice) {
  check_factor(a.gear, "--gear");
  check_factor(a.motor_constant, "--motor-constant");
  if (a.motor_constant) {
    if (choice.force.empty())
      throw io::InputError("--motor-constant: needs --force, the column of the current");
    choice.motor_constant = *a.motor_constant;
  }
  if (!a.mechanism.empty() && (!a.terms.empty() || a.gear || a.motor_constant))
    throw io::InputError(
        "--terms, --gear and --motor-constant are for a measured force or torque, --mechanism is "
        "for motion under an input");
}

void apply_gear(const DataArguments& a, io::Measurement& m) {
  if (!a.gear) return;
  for (Record& r : m.records) {
    for (auto* column : {&r.position, &r.velocity})
      for (double& x : *column) x /= *a.gear;
    for (double& f : r.force) f *= *a.gear;
  }
  m.notes.push_back(fmt::format(
      "gear ratio {}: the motion of the motor is divided by it, its torque multiplied", *a.gear));
}

}  // namespace bristle::cli
