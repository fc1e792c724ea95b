// SPDX-License-Identifier: MIT
// Where a parameter is looked for: what its unit says, in the scales of the data.
#pragma once

#include <string_view>
#include <utility>

#include "bristle/identify/record.hpp"
#include "bristle/model/field.hpp"

namespace bristle {

// Powers of newton, metre and second. Radians count as metres: a torque over an angle is a
// stiffness.
struct Dimensions {
  int force = 0, length = 0, time = 0;
};
Dimensions dimensions_of(std::string_view unit);

std::pair<double, double> search_range(std::string_view name, std::string_view unit,
                                       const Bounds& bounds, const DataScales& data);

}  // namespace bristle
