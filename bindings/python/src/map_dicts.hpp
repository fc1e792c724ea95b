// SPDX-License-Identifier: MIT
// Input-output maps and what they tell, as dictionaries.
#pragma once

#include "bristle/analysis/io_map.hpp"
#include "values.hpp"

namespace bristle::python {

py::dict dict_of(const PeriodicMap& map);
py::dict dict_of(const MapProperties& properties);

}  // namespace bristle::python
