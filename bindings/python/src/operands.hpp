// SPDX-License-Identifier: MIT
// The arguments of calls on many joints: numbers and arrays, checked.
#pragma once

#include <optional>

#include "batch_law.hpp"
#include "values.hpp"

namespace bristle::python {

// A number for all joints, or one for each.
struct Operand {
  std::optional<py::array> array;  // contiguous, of float64 or float32
  double number = 0.0;
};

// State, velocity, step, position and load, in this order.
struct Operands {
  std::array<Operand, 5> each;
  const py::array* like = nullptr;  // the first array, null if all are numbers
  bool narrow = true;               // all arrays are float32

  std::size_t size() const { return like ? std::size_t(like->size()) : 1; }
};

// Throws TypeError for what is no number or array of numbers; InvalidInput for shapes that differ,
// NaN, infinity, a step that is not positive, and a load below 0 unless the law allows it.
void read_operands(const std::array<py::handle, 5>& given, bool signed_load, Operands& operands);

// An array for a result: `out` if it fits, a new one if it is None.
py::array output_array(const py::handle& out, const Operands& operands);

// Whether two arrays overlap in memory.
bool share_memory(const py::array& a, const py::array& b);

// Copies what the results would overwrite before it is read: arrays that share a part of their
// memory with one of them. Throws InvalidInput where results share memory with each other.
void keep_apart(Operands& operands, const std::vector<py::array>& results);

}  // namespace bristle::python
