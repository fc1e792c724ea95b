// SPDX-License-Identifier: MIT
// Steps of a law on numbers and arrays.
#pragma once

#include <string>

#include "law_object.hpp"

namespace bristle::python {

void bind_batch(py::class_<LawObject>& law);
// Which kernels are in use: "baseline", "avx2" or "avx512".
std::string batch_lanes();

}  // namespace bristle::python
