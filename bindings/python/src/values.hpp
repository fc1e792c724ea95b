// SPDX-License-Identifier: MIT
// Between Python's dictionaries and the tables of parameters: classes, checks and documents are
// made from the tables, so that a new field needs no line here.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "bristle/mechanism/signal.hpp"
#include "bristle/model/describe.hpp"

namespace bristle::python {

namespace py = pybind11;

// A text as C++ has it. TypeError for what is none, ValueError for one that UTF-8 cannot hold.
std::string text_from(const py::handle& value, const std::string& what);
// A number of Python; a whole number beyond all of float64 is infinite.
double number_from(const py::handle& value);
// TypeError for a masked array that hides numbers: they would be taken as they stand.
void refuse_masked(const py::handle& value, const std::string& what);
// Numbers as an array of floats or integers. TypeError for anything else.
py::array number_array(const py::handle& given, const std::string& what);
// A number within bounds. Throws InvalidInput.
double within(const Bounds& bounds, double value, const char* name, const char* unit = "");
// A copy as an array of NumPy.
py::array array_of(const std::vector<double>& values);
// The given values, checked for their kind: TypeError for what is neither number, text nor list,
// InvalidInput for a name that is no field.
Values values_from(const py::dict& given, const Description& description);
// In the order of the table.
py::dict dict_of(const Values& values, const Description& description);
// Name, summary and fields, each a dictionary.
py::dict table_of(const Description& description);

// "LuGre" of bristle::LuGre<double>.
template <class T>
std::string type_name() {
  std::string name = py::type_id<T>();
  name = name.substr(0, name.find('<'));
  return name.substr(name.rfind(':') + 1);
}

// A column that belongs to `owner`, without a copy and not to be written to.
py::array view_of(const std::vector<double>& values, const py::handle& owner);

// The points of a signal or a record: a float64 array of one dimension, finite. Throws
// InvalidInput.
std::vector<double> numbers_from(const py::handle& given, const std::string& what);

// An owner with the given values. `signal`, where it has one, stands beside its fields.
template <Described T>
T make_from(py::dict given) {
  T owner{};
  given = py::dict(**given);  // a copy: what is no field is taken out
  if constexpr (requires { owner.signal; })
    if (given.contains("signal")) {
      if (!py::isinstance<Signal>(given["signal"]))
        throw py::type_error(std::string(T::name) +
                             ": signal = " + std::string(py::repr(given["signal"])) +
                             " is not allowed, it must be a bristle.Signal");
      owner.signal = given["signal"].cast<Signal>();
      given.attr("pop")("signal");
    }
  static const Description description = describe<T>();
  assign(owner, description, values_from(given, description));
  validate(owner);
  return owner;
}

// Binds a struct with a table of fields under the name of its type.
template <Described T>
py::class_<T> bind_described(py::module_& module) {
  return py::class_<T>(module, type_name<T>().c_str())
      .def(py::init([](const py::dict& values) { return make_from<T>(values); }))
      .def("_values",
           [](const T& owner) {
             py::dict values = dict_of(values_of(owner), describe<T>());
             if constexpr (requires { owner.signal; }) values["signal"] = owner.signal;
             return values;
           })
      .def_static("_table", [] {
        py::dict table = table_of(describe<T>());
        table["signal"] = requires(T owner) { owner.signal; };
        return table;
      });
}

}  // namespace bristle::python
