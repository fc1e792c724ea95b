// SPDX-License-Identifier: MIT
// The kernels of batch_law.hpp compiled for wide lanes, as a module of their own: nothing compiled
// for them can be taken by mistake on a processor without them.
#include <pybind11/pybind11.h>

#include "batch_law.hpp"

PYBIND11_MODULE(BRISTLE_WIDE, module) {
  static constexpr bristle::python::BatchMaker maker = bristle::python::make_batch;
  module.attr("maker") = pybind11::capsule(reinterpret_cast<const void*>(&maker));
}
