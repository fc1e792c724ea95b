// SPDX-License-Identifier: MIT
#include "operands.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::python {
namespace {

constexpr std::array<const char*, 5> names{"z", "v", "dt", "position", "load"};
constexpr std::array<const char*, 5> units{"", "m/s", "s", "m", "N"};

std::string shape_of(const py::array& array) {
  return py::str(array.attr("shape")).cast<std::string>();
}

[[noreturn]] void refuse_kind(const char* name, const py::handle& value) {
  const bool array = py::isinstance<py::array>(value);
  throw py::type_error(std::string(name) +
                       " must be a number or an array of float64 or float32, not " +
                       (array ? "an array of " + std::string(py::str(value.attr("dtype")))
                              : std::string(py::repr(py::type::of(value)))));
}

Operand operand_from(const py::handle& value, const char* name, bool& narrow) {
  if (PyFloat_Check(value.ptr())) return {{}, PyFloat_AS_DOUBLE(value.ptr())};
  if (PyBool_Check(value.ptr()) || py::isinstance<py::str>(value)) refuse_kind(name, value);
  const py::array any = py::array::ensure(value);
  if (!any || std::string_view("fiu").find(any.dtype().kind()) == std::string_view::npos) {
    PyErr_Clear();
    refuse_kind(name, value);
  }
  if (any.ptr() != value.ptr()) refuse_masked(value, name);
  if (any.ndim() == 0)
    return {{}, *py::array_t<double, py::array::c_style | py::array::forcecast>(any).data()};
  if (any.dtype().kind() == 'f' && any.itemsize() == sizeof(float))
    return {py::array_t<float, py::array::c_style | py::array::forcecast>(any), 0.0};
  narrow = false;
  return {py::array_t<double, py::array::c_style | py::array::forcecast>(any), 0.0};
}

// Whether all numbers are finite; sums of their own let the compiler use lanes.
template <class T>
bool all_finite(const T* x, std::size_t n) {
  std::array<T, 16> odd{};
  std::size_t i = 0;
  for (; i + odd.size() <= n; i += odd.size())
    for (std::size_t k = 0; k < odd.size(); ++k) odd[k] += x[i + k] * T(0);
  for (; i < n; ++i) odd[0] += x[i] * T(0);
  return std::all_of(odd.begin(), odd.end(), [](T sum) { return sum == T(0); });
}

template <class T>
void check(const T* x, std::size_t n, std::size_t which, const Bounds& bounds, bool single) {
  const auto allowed = [&](T one) { return bounds.contain(double(one)); };
  const bool free = bounds.lower == any_number.lower;
  if (!single && free ? all_finite(x, n) : std::all_of(x, x + n, allowed)) return;
  const auto at = std::find_if_not(x, x + n, allowed);
  const std::string unit = units[which], name = names[which];
  throw InvalidInput(name, name + (single ? "" : "[" + std::to_string(at - x) + "]") + " = " +
                               words(double(*at)) + (unit.empty() ? "" : " " + unit) +
                               " is not allowed, it must be " + words(bounds, unit, double(*at)));
}

void check(const Operand& o, std::size_t which, bool signed_load) {
  const Bounds& bounds = which == 2                   ? positive
                         : which == 4 && !signed_load ? non_negative
                                                      : any_number;
  if (!o.array) return check(&o.number, 1, which, bounds, true);
  const auto n = std::size_t(o.array->size());
  if (o.array->itemsize() == sizeof(float))
    check(static_cast<const float*>(o.array->data()), n, which, bounds, false);
  else check(static_cast<const double*>(o.array->data()), n, which, bounds, false);
}

bool same_shape(const py::array& a, const py::array& b) {
  return a.ndim() == b.ndim() && std::equal(a.shape(), a.shape() + a.ndim(), b.shape());
}

}  // namespace

bool share_memory(const py::array& a, const py::array& b) {
  const auto* const one = static_cast<const char*>(a.data());
  const auto* const other = static_cast<const char*>(b.data());
  return one < other + b.nbytes() && other < one + a.nbytes();
}

void read_operands(const std::array<py::handle, 5>& given, bool signed_load, Operands& operands) {
  std::size_t first = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    Operand& one = operands.each[k] = operand_from(given[k], names[k], operands.narrow);
    check(one, k, signed_load);
    if (!one.array) continue;
    if (!operands.like) operands.like = &*one.array, first = k;
    else if (!same_shape(*operands.like, *one.array))
      throw InvalidInput(names[k], std::string(names[k]) + " has the shape " +
                                       shape_of(*one.array) + " and " + names[first] +
                                       " the shape " + shape_of(*operands.like) +
                                       ": arrays must have one shape");
  }
}

py::array output_array(const py::handle& out, const Operands& operands) {
  const py::array& like = *operands.like;
  const py::dtype kind = operands.narrow ? py::dtype::of<float>() : py::dtype::of<double>();
  if (out.is_none())
    return py::array(kind, std::vector<py::ssize_t>(like.shape(), like.shape() + like.ndim()));
  if (!py::isinstance<py::array>(out)) throw py::type_error("out must be an array");
  const auto array = py::reinterpret_borrow<py::array>(out);
  if (!array.dtype().is(kind) && !array.dtype().equal(kind))
    throw py::type_error("out must be of " + std::string(py::str(py::handle(kind))) +
                         " as the result is, not "
                         "of " +
                         std::string(py::str(py::handle(array.dtype()))));
  if (!same_shape(array, like))
    throw InvalidInput(
        "out", "out has the shape " + shape_of(array) + ", the result has " + shape_of(like));
  if (!array.writeable() || !(array.flags() & py::array::c_style))
    throw InvalidInput("out", "out must be contiguous and writeable");
  return array;
}

void keep_apart(Operands& operands, const std::vector<py::array>& results) {
  for (std::size_t k = 0; k < results.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (share_memory(results[j], results[k]))
        throw InvalidInput("out", "out[" + std::to_string(j) + "] and out[" + std::to_string(k) +
                                      "] share memory: each result needs an array of its own");
  // A joint is read as a whole before it is written, so memory may be shared joint by joint.
  for (Operand& one : operands.each)
    for (const py::array& result : results)
      if (one.array && one.array->data() != result.data() && share_memory(*one.array, result))
        one.array = py::array(one.array->attr("copy")());
}

}  // namespace bristle::python
