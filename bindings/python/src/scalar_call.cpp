// SPDX-License-Identifier: MIT
// Calls of a law on single numbers, without the cost of a general dispatch: positional floats are
// answered here, everything else goes on to the method of batch.cpp with an underscore before its
// name.
#include "scalar_call.hpp"

#include <algorithm>

namespace bristle::python {
namespace {

// The answer to allowed numbers; null without an exception where the general call has to look.
template <BatchTask task>
PyObject* answer(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
  py::detail::type_caster_base<LawObject> caster;
  if (!caster.load(self, false)) return nullptr;
  const auto* object = static_cast<LawObject*>(caster);
  if (!object->batch || (task == BatchTask::advance && object->law->set_valued())) return nullptr;
  std::array<double, 5> x{0.0, 0.0, 1.0, 0.0, 1.0};  // position 0 m, load 1 N
  for (Py_ssize_t k = 0; k < count; ++k) {
    x[std::size_t(k)] = PyFloat_AS_DOUBLE(arguments[k]);
    if (!(k == 2 ? positive : any_number).contain(x[std::size_t(k)])) return nullptr;
  }
  std::array<double, most_outputs> y{};
  BatchCall call;
  for (std::size_t k = 0; k < x.size(); ++k) call.in[k] = &x[k];
  for (std::size_t k = 0; k < y.size(); ++k) call.out[k] = &y[k];
  object->batch->run_one(task, call);
  if constexpr (outputs(task) == 1) {
    return PyFloat_FromDouble(y[0]);
  } else {
    PyObject* all = PyTuple_New(outputs(task));
    for (Py_ssize_t k = 0; all && k < outputs(task); ++k)
      PyTuple_SET_ITEM(all, k, PyFloat_FromDouble(y[std::size_t(k)]));
    return all;
  }
}

// `name` is that of the general method, an interned string that lives for ever.
PyObject* general(PyObject* name, PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                  PyObject* names) {
  const auto all = std::size_t(count + (names ? PyTuple_GET_SIZE(names) : 0));
  std::vector<PyObject*> with_self{self};
  with_self.insert(with_self.end(), arguments, arguments + all);
  return PyObject_VectorcallMethod(name, with_self.data(), std::size_t(count) + 1, names);
}

template <BatchTask task>
PyObject* general_name = nullptr;

template <BatchTask task, int numbers>
PyObject* call(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
  if (!names && count == numbers &&
      std::all_of(arguments, arguments + count, [](PyObject* one) { return PyFloat_Check(one); }))
    if (PyObject* found = answer<task>(self, arguments, count); found || PyErr_Occurred())
      return found;
  return general(general_name<task>, self, arguments, count, names);
}

template <BatchTask task, int numbers>
void define(py::class_<LawObject>& law, const char* name, const char* text) {
  const auto function =
      reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call<task, numbers>));
  static PyMethodDef method{name, function, METH_FASTCALL | METH_KEYWORDS, text};
  general_name<task> = PyUnicode_InternFromString((std::string("_") + name).c_str());
  auto* const type = reinterpret_cast<PyTypeObject*>(law.ptr());
  law.attr(name) = py::reinterpret_steal<py::object>(PyDescr_NewMethod(type, &method));
}

}  // namespace

void bind_scalar_calls(py::class_<LawObject>& law) {
  define<BatchTask::advance, 3>(
      law, "advance",
      "advance($self, z, v, dt, *, position=0.0, load=1.0, out=None)\n--\n\n"
      "The state after a step dt [s] at velocity v [m/s], best that of the middle of the step:\n"
      "exact for constant velocity, bounded at any step. Numbers or arrays of joints.");
  define<BatchTask::step, 3>(
      law, "step",
      "step($self, z, v, dt, *, position=0.0, load=1.0, out=None)\n--\n\n"
      "(state, force): advance(), and the force at the new state and the same velocity.");
  define<BatchTask::slopes, 3>(
      law, "slopes",
      "slopes($self, z, v, dt, *, position=0.0, load=1.0, out=None)\n--\n\n"
      "(state, force, dstate/dz, dstate/dv, dforce/dz, dforce/dv) of step(), derivatives exact.");
  define<BatchTask::force, 2>(law, "force",
                              "force($self, z, v, *, position=0.0, load=1.0, out=None)\n--\n\n"
                              "The friction force [N] at state z and velocity v [m/s].");
  define<BatchTask::force_slopes, 2>(
      law, "force_slopes",
      "force_slopes($self, z, v, *, position=0.0, load=1.0, out=None)\n--\n\n"
      "(force, dforce/dz, dforce/dv) of force(), derivatives exact.");
  define<BatchTask::rate, 2>(law, "rate",
                             "rate($self, z, v, *, position=0.0, load=1.0, out=None)\n--\n\n"
                             "The rate of the state [1/s] at state z and velocity v [m/s].");
}

}  // namespace bristle::python
