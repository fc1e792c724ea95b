// SPDX-License-Identifier: MIT
// How quantities are defined; measure.hpp is how they are asked for.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "bristle/io/measure.hpp"

namespace bristle::io {

using Quantity = std::function<Measured(const Case&, const CaseResult&, double)>;

// The weight of the newest value in the column moving_average: beta of thesis (3.79).
inline constexpr double moving_average_weight = 0.05;

// The last whole period of the drive that fits in the run.
bool last_period(const Case& c, const Trajectory& t, double& from, double& to);

// Those of rows of bristles: events, releases, heights, mean curves.
void add_row_quantities(std::map<std::string, Quantity>& q);

}  // namespace bristle::io
