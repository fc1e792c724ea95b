// SPDX-License-Identifier: MIT
// Equations that are written in Python, called from the engine.
//
// They are called with numbers that carry their derivatives, so that these are exact. An exception
// stays the pending error of the thread, or the one kept for the threads of the engine; answers are
// NaN from then on, and the run that asked raises it (interrupt.hpp).
#pragma once

#include "bristle/scalar/dual.hpp"
#include "interrupt.hpp"
#include "values.hpp"

namespace bristle::python {

// Keeps the Python object, and lets go of it with the lock of the interpreter.
struct OwnObject {
  explicit OwnObject(py::object given) : object(std::move(given)) {}
  ~OwnObject() {
    const py::gil_scoped_acquire lock;
    object = py::object();
  }
  OwnObject(const OwnObject&) = delete;
  OwnObject& operator=(const OwnObject&) = delete;

  bool has(const char* name) const {
    if (PyObject* found = PyObject_GetAttrString(object.ptr(), name)) {
      Py_DECREF(found);
      return true;
    }
    // A property that fails says why.
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw py::error_already_set();
    PyErr_Clear();
    return false;
  }
  // Throws TypeError unless it has a method; `words` show how it is called.
  void require(const char* method, const char* words) const {
    if (!has(method))
      throw py::type_error(std::string(py::repr(object)) + " needs a method " + method + words);
  }

  // What a method answers; NaN after an exception.
  template <class S, class... Arguments>
  S call(const char* method, const Arguments&... arguments) const {
    const bool of_engine = PyGILState_GetThisThreadState() == nullptr;
    const py::gil_scoped_acquire lock;
    if (!PyErr_Occurred() && !(of_engine && engine_error != nullptr)) {
      try {
        return number<S>(object.attr(method)(arguments...), method);
      } catch (py::error_already_set& error) {
        error.restore();
      } catch (const py::builtin_exception& error) {
        error.set_error();
      }
      if (of_engine) engine_error = new py::error_already_set();
    }
    return S(std::numeric_limits<double>::quiet_NaN());
  }

  py::object object;

 private:
  template <class S>
  static S number(const py::object& answer, const char* method) {
    if (PyFloat_Check(answer.ptr())) return S(PyFloat_AS_DOUBLE(answer.ptr()));
    if constexpr (!std::same_as<S, double>)
      if (py::isinstance<S>(answer)) return answer.cast<S>();
    if (PyNumber_Check(answer.ptr()) && !PyComplex_Check(answer.ptr()) &&
        !py::hasattr(answer, "slope")) {
      return S(number_from(answer));
    }
    throw py::type_error(std::string(method) + "() must return a number, not " +
                         std::string(py::repr(answer)));
  }
};

}  // namespace bristle::python
