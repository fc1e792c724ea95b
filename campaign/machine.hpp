// SPDX-License-Identifier: MIT
// A law in a mechanism as a table of values: what an experiment file holds, made, run and written.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>

#include "bristle/mechanism/registry.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle::campaign {

// The sections of an experiment file: model, mechanism, input, initial, solve. Fields that are
// missing have their defaults.
using Machine = std::map<std::string, Values>;

// What a machine is made of. Throws InvalidInput for values that are refused.
struct Parts {
  std::shared_ptr<const AnyLaw> law;
  AnyMechanism mechanism;
  Options options;
};
Parts assemble(const Machine& machine);

Simulation run(const Parts& parts);

// The machine as an experiment file, with a title; fields at their defaults are left out.
std::string toml_text(const Machine& machine, const std::string& title);

double number(const Machine& machine, const std::string& section, const std::string& field,
              double otherwise);
std::string text(const Machine& machine, const std::string& section, const std::string& field);

}  // namespace bristle::campaign
