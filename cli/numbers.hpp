// SPDX-License-Identifier: MIT
// What options that take a number check, in the words of the fields of files.
#pragma once

#include <CLI/Validators.hpp>

#include "bristle/model/field.hpp"

namespace bristle::cli {

// "'abc' must be a number", "-1 must be greater than 0 Hz"; the parser puts the option before it.
CLI::Validator a_number(const Bounds& bounds = any_number, const std::string& unit = "");
CLI::Validator a_whole_number(double least, double most);
// "'red' must be one of same, start, did you mean 'start'?"
CLI::Validator one_of(const std::vector<std::string>& choices);

}  // namespace bristle::cli
