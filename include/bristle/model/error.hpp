// SPDX-License-Identifier: MIT
// What set-up throws: one sentence that names the field, its value, what is allowed and the unit.
// Stepping never throws.
#pragma once

#include <stdexcept>
#include <string>

namespace bristle {

struct InvalidInput : std::runtime_error {
  std::string field;  // the parameter at fault, so that a reader of files can add the line

  InvalidInput(std::string field_name, const std::string& sentence)
      : std::runtime_error(sentence), field(std::move(field_name)) {}
};

}  // namespace bristle
