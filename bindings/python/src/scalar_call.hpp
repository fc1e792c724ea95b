// SPDX-License-Identifier: MIT
// The methods of a law on numbers and arrays as Python sees them.
#pragma once

#include "law_object.hpp"

namespace bristle::python {

// Needs the methods of bind_batch(), which take everything but positional floats.
void bind_scalar_calls(py::class_<LawObject>& law);

}  // namespace bristle::python
