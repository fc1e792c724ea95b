// SPDX-License-Identifier: MIT
#include "values.hpp"

#include <cmath>

namespace bristle::python {
namespace {

const FieldInfo& find_field(const Description& description, const std::string& name) {
  for (const auto& field : description.fields)
    if (field.name == name) return field;
  refuse_unknown(description, {{name, 0.0}});
  throw InvalidInput(name, description.name + ": there is no field '" + name + "'");
}

// A choice between no and yes may be made by False and True.
bool is_yes_or_no(const FieldInfo& field) {
  return field.choices.size() == 2 && field.choices[0] == "no" && field.choices[1] == "yes";
}

// A number as NumPy and Python have them; a truth value is none.
bool is_number(const py::handle& value) {
  if (PyBool_Check(value.ptr())) return false;
  if (PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr())) return true;
  if (py::isinstance<py::array>(value)) return py::cast<py::array>(value).ndim() == 0;
  return !PyComplex_Check(value.ptr()) && PyNumber_Check(value.ptr()) &&
         !PySequence_Check(value.ptr());
}

Value value_from(const py::handle& value, const std::string& owner, const FieldInfo& field) {
  if (py::isinstance<py::str>(value)) return text_from(value, field.name);
  if (PyBool_Check(value.ptr()) && is_yes_or_no(field))
    return std::string(value.ptr() == Py_True ? "yes" : "no");
  if (is_number(value)) return number_from(value);
  if (field.list && (py::isinstance<py::sequence>(value) || py::isinstance<py::array>(value))) {
    refuse_masked(value, owner + ": " + field.name);
    std::vector<double> numbers;
    numbers.reserve(py::len(value));
    bool all = true;
    for (const py::handle one : value) {
      all = all && is_number(one);
      if (!all) break;
      numbers.push_back(number_from(one));
    }
    if (all) return numbers;
  }
  throw py::type_error(owner + ": " + field.name + " = " + std::string(py::repr(value)) +
                       " is not allowed, it must be " +
                       (field.choices.empty() && !field.list ? "a number, " : "") +
                       field.allowed());
}

py::object object_of(const Value& value) {
  return std::visit([](const auto& one) -> py::object { return py::cast(one); }, value);
}

}  // namespace

double number_from(const py::handle& value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError)) {
    PyErr_Clear();
    return INFINITY;
  }
  if (number == -1.0 && PyErr_Occurred()) throw py::error_already_set();
  return number;
}

std::string text_from(const py::handle& value, const std::string& what) {
  if (!py::isinstance<py::str>(value))
    throw py::type_error(what + " must be a text, not " + std::string(py::repr(value)));
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (!text) throw py::error_already_set();  // UnicodeEncodeError, a ValueError
  return {text, std::size_t(size)};
}

void refuse_masked(const py::handle& value, const std::string& what) {
  if (!py::isinstance<py::array>(value) || !py::hasattr(value, "mask")) return;
  const auto hidden = value.attr("mask").attr("sum")();
  if (hidden.equal(py::int_(0))) return;
  throw py::type_error(what + " is a masked array in which " + std::string(py::str(hidden)) +
                       " numbers are hidden: give filled() or compressed() of it");
}

double within(const Bounds& bounds, double value, const char* name, const char* unit) {
  if (bounds.contain(value)) return value;
  const std::string behind = *unit ? std::string(" ") + unit : "";
  throw InvalidInput(name, std::string(name) + " = " + words(value) + behind +
                               " is not allowed, it must be " + words(bounds, unit, value));
}

py::array number_array(const py::handle& given, const std::string& what) {
  const py::array any = py::array::ensure(given);
  if (!any || std::string_view("fiu").find(any.dtype().kind()) == std::string_view::npos) {
    PyErr_Clear();
    throw py::type_error(what + " must be an array of numbers, not " +
                         std::string(py::repr(py::type::of(given))));
  }
  refuse_masked(given, what);
  return any;
}

py::array array_of(const std::vector<double>& values) {
  return py::array_t<double>(py::ssize_t(values.size()), values.data());
}

Values values_from(const py::dict& given, const Description& description) {
  Values values;
  for (const auto& [key, value] : given) {
    const auto name = text_from(key, description.name + ": a name");
    values[name] = value_from(value, description.name, find_field(description, name));
  }
  return values;
}

py::dict dict_of(const Values& values, const Description& description) {
  py::dict all;
  for (const auto& field : description.fields)
    if (const auto at = values.find(field.name); at != values.end())
      all[field.name.c_str()] = object_of(at->second);
  return all;
}

py::dict table_of(const Description& description) {
  py::list fields;
  for (const auto& field : description.fields) {
    const Value first = field.list ? Value(field.default_list)
                        : field.choices.empty()
                            ? Value(field.default_value)
                            : Value(field.choices[std::size_t(field.default_value)]);
    py::dict one;
    one["name"] = field.name;
    one["unit"] = field.unit;
    one["meaning"] = field.meaning;
    one["default"] = object_of(first);
    one["allowed"] = field.allowed();
    one["usual"] = field.usual_text();
    one["choices"] = field.choices;
    one["list"] = field.list;
    one["lower"] = field.bounds.lower;
    one["upper"] = field.bounds.upper;
    fields.append(one);
  }
  py::dict table;
  table["name"] = description.name;
  table["summary"] = description.summary;
  table["fields"] = fields;
  return table;
}

py::array view_of(const std::vector<double>& values, const py::handle& owner) {
  py::array_t<double> view({py::ssize_t(values.size())}, {py::ssize_t(sizeof(double))},
                           values.data(), owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

std::vector<double> numbers_from(const py::handle& given, const std::string& what) {
  const py::array any = number_array(given, what);
  if (any.ndim() != 1)
    throw InvalidInput(what,
                       what + " must have one dimension, it has " + std::to_string(any.ndim()));
  const auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>(any);
  std::vector<double> all(numbers.data(), numbers.data() + numbers.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!std::isfinite(all[i]))
      throw InvalidInput(what, what + "[" + std::to_string(i) + "] = " + words(all[i]) +
                                   " is not allowed, it must be finite");
  return all;
}

}  // namespace bristle::python
