// SPDX-License-Identifier: MIT
// The compiled part of the Python module: what the package in bristle/ is made from.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>

#include "bindings.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/model/error.hpp"
#include "bristle/version.hpp"
#include "interrupt.hpp"

namespace {

// The OSError that Python raises for the reason the system gives; the sentence ends with it.
PyObject* kind_of_trouble(const std::string& sentence) {
  const auto says = [&](int number) {
    return sentence.find(std::strerror(number)) != sentence.npos;
  };
  if (says(ENOENT)) return PyExc_FileNotFoundError;
  if (says(EACCES)) return PyExc_PermissionError;
  return says(EISDIR) ? PyExc_IsADirectoryError : PyExc_OSError;
}

// What goes wrong outside the engine, as Python calls it. InvalidInput has a class of its own.
void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const bristle::io::FileError& error) {
    PyErr_SetString(kind_of_trouble(error.what()), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "there is not enough memory for that");
  } catch (const bristle::Cancelled& error) {
    // The signal handler of Python may have set an error of its own.
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
  }
}

bool stop_wanted() {
  using namespace bristle::python;
  return stop_request || (asked_here && !(*asked_here)(0.0));
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using namespace bristle::python;
  module.attr("__version__") = bristle::version;
  module.attr("compiler") = bristle::compiler;
  module.attr("build_type") = bristle::build_type;
  py::register_exception_translator(translate);
  bristle::stop_when(stop_wanted);
  auto& invalid =
      py::register_exception<bristle::InvalidInput>(module, "InvalidInput", PyExc_ValueError);
  py::register_exception<bristle::io::InputError>(module, "InputError", invalid);

  bind_parts(module);
  bind_laws(module);
  bind_own_law(module);
  bind_result(module);
  bind_machine(module);
  bind_simulate(module);
  bind_run(module);
  bind_host(module);
  bind_rolling(module);
  bind_systems(module);
  bind_analysis(module);
  bind_part(module);
  bind_identify(module);
  bind_studies(module);
  bind_experiment(module);
  bind_sweep(module);
  bind_bifurcation(module);
  bind_loops(module);
  bind_series(module);
  bind_catalogue(module);
}
