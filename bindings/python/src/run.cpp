// SPDX-License-Identifier: MIT
// A machine in motion, stepped by Python.
#include "bristle/solve/run.hpp"

#include "bristle/solve/trajectory.hpp"
#include "interrupt.hpp"
#include "machine_object.hpp"
#include "values.hpp"

namespace bristle::python {
namespace {

struct Snapshot {
  RunSnapshot snapshot;
  std::shared_ptr<const Machine> machine;
};

struct RunObject {
  std::shared_ptr<const Machine> machine;
  Run run;
  bool busy = false;

  RunObject(const MachineObject& object, double tolerance)
      : machine(object.until(object.options.end)), run(*machine, {.tolerance = tolerance}) {}

  // Two threads must not use one run at once.
  Run& free() {
    if (busy) throw std::runtime_error("this Run is being stepped by another thread");
    return run;
  }
};

// The number of a part that is given by its name or its number.
template <class Parts>
std::size_t number_of(const Parts& parts, const char* kind, const py::object& which) {
  // Whole numbers of Python and of NumPy; what is too large for any is cut off.
  if (PyIndex_Check(which.ptr()) && !PyBool_Check(which.ptr())) {
    const Py_ssize_t number = PyNumber_AsSsize_t(which.ptr(), nullptr);
    if (number == -1 && PyErr_Occurred()) throw py::error_already_set();
    if (number >= 0 && std::size_t(number) < parts.size()) return std::size_t(number);
    throw InvalidInput(kind, std::string(kind) + " " + std::to_string(number) +
                                 " does not exist, there are " + std::to_string(parts.size()));
  }
  if (!py::isinstance<py::str>(which))
    throw py::type_error(std::string(kind) + " must be a name or a number, not " +
                         std::string(py::repr(which)));
  const auto name = text_from(which, kind);
  std::vector<std::string> known;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].name == name) return i;
    known.push_back(parts[i].name);
  }
  throw InvalidInput(kind, not_found(kind, name, known));
}

std::size_t body(const RunObject& o, const py::object& which) {
  return number_of(o.machine->parts().bodies, "body", which);
}
std::size_t contact(const RunObject& o, const py::object& which, int axis = 0) {
  const std::size_t i = number_of(o.machine->parts().contacts, "contact", which);
  const int axes = o.machine->contacts[i].dimension;
  if (axis < 0 || axis >= axes)
    throw InvalidInput("axis", "axis = " + std::to_string(axis) + " is not allowed, the contact " +
                                   "has " + std::to_string(axes));
  return i;
}

// While it lives, the run is taken and signals are heard; however the step ends.
struct Stepping {
  Stepping(RunObject& o, Progress& progress) : run(o) {
    run.busy = true;
    asked_here = &progress;
  }
  ~Stepping() {
    asked_here = nullptr;
    run.busy = false;
  }
  Stepping(const Stepping&) = delete;
  Stepping& operator=(const Stepping&) = delete;
  RunObject& run;
};

void step(RunObject& o, double h) {
  Run& run = o.free();
  within(positive, h, "h", "s");
  Progress progress{py::none()};
  Status status;
  {
    const Stepping stepping(o, progress);
    const py::gil_scoped_release unlocked;
    status = run.step(h);
  }
  progress.rethrow();
  if (status != Status::done)
    throw std::runtime_error("the step ended at t = " + words(run.time()) +
                             " s: " + std::string(words(status)));
}

}  // namespace

void bind_run(py::module_& module) {
  using py::arg;
  py::class_<Snapshot>(module, "Snapshot", "Where a Run was: made by save(), used by restore().")
      .def_property_readonly("time", [](const Snapshot& s) { return s.snapshot.time; });

  py::class_<RunObject>(module, "Run")
      .def(py::init([](const MachineObject& machine, double tolerance) {
             if (!Options::fields()[1].bounds.contain(tolerance))
               make<Options>({{"tolerance", tolerance}});  // says what is allowed
             RunObject made(machine, tolerance);
             raise_pending();
             return made;
           }),
           arg("machine"), arg("tolerance") = 1e-8)
      .def(
          "reset", [](RunObject& o) { o.free().reset(), raise_pending(); },
          "Back to the start of the machine.")
      .def("step", step, arg("h"),
           "Goes on by h [s]: adaptively, events located. Raises RuntimeError if that fails; the\n"
           "state is then that of the last good inner step.")
      .def_property_readonly(
          "time", [](RunObject& o) { return o.free().time(); }, "Now [s].")
      .def_property_readonly(
          "state",
          [](RunObject& o) {
            const auto state = o.free().state();
            return py::array_t<double>(py::ssize_t(state.size()), state.data());
          },
          "Coordinates, velocities, lagged forces, states of the laws, energies; a copy.")
      .def(
          "position",
          [](RunObject& o, const py::object& which) { return o.free().position(body(o, which)); },
          arg("body"), "Position of a body, by name or number [m or rad].")
      .def(
          "velocity",
          [](RunObject& o, const py::object& which) { return o.free().velocity(body(o, which)); },
          arg("body"), "Velocity of a body [m/s or rad/s].")
      .def(
          "force",
          [](RunObject& o, const py::object& which, int axis) {
            return o.free().force(contact(o, which, axis), axis);
          },
          arg("contact"), arg("axis") = 0, "Friction of a contact [N or N m].")
      .def(
          "slip",
          [](RunObject& o, const py::object& which, int axis) {
            return o.free().slip(contact(o, which, axis), axis);
          },
          arg("contact"), arg("axis") = 0, "Relative velocity of a contact, exactly 0 in stick.")
      .def(
          "mode",
          [](RunObject& o, const py::object& which) { return o.free().mode(contact(o, which)); },
          arg("contact"), "1 slides forward, -1 backward, 0 sticks.")
      .def_property_readonly(
          "stored", [](RunObject& o) { return o.free().stored(); }, "[J]")
      .def_property_readonly(
          "work_in", [](RunObject& o) { return o.free().work_in(); }, "[J]")
      .def_property_readonly(
          "dissipated", [](RunObject& o) { return o.free().dissipated(); }, "[J]")
      .def(
          "set_input",
          [](RunObject& o, const py::object& which, double force) {
            const auto i = number_of(o.machine->parts().inputs, "input", which);
            o.free().set_input(i, within(any_number, force, "force", "N"));
            raise_pending();
          },
          arg("input"), arg("force"),
          "A force beside the signal of an input, until it is set again.")
      .def(
          "save",
          [](RunObject& o) {
            Snapshot saved{{}, o.machine};
            o.free().save(saved.snapshot);
            return saved;
          },
          "A place to go back to.")
      .def(
          "restore",
          [](RunObject& o, const Snapshot& saved) {
            if (saved.machine != o.machine)
              throw InvalidInput("snapshot", "the snapshot is of a Run of another machine");
            o.free().restore(saved.snapshot);
            raise_pending();
          },
          arg("snapshot"), "Back to a saved place, bit for bit.")
      .def(
          "copy", [](RunObject& o) { return o.free(), RunObject(o); },
          "A Run that goes on from here independently.");
}

}  // namespace bristle::python
