// SPDX-License-Identifier: MIT
// The units that the header of a column may speak of.
#pragma once

#include <string>
#include <vector>

#include "bristle/io/units.hpp"

namespace bristle::io {

struct HeaderUnit {
  Unit unit;
  bool certain;  // it cannot be a word of another meaning
};

struct HeaderUnits {
  std::vector<HeaderUnit> units;  // the likeliest first
  std::string unknown;            // in square brackets, but no known unit
};

HeaderUnits header_units(const std::string& name);

}  // namespace bristle::io
