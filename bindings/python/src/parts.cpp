// SPDX-License-Identifier: MIT
// What friction acts on: mechanisms, signals, couplings, and the settings of parts of a machine.
#include "bristle/mechanism/registry.hpp"
#include "bristle/solve/simulate.hpp"
#include "machine_object.hpp"
#include "values.hpp"

namespace bristle::python {
namespace {

// A signal from its fields, and `times` and `values` for one that goes through points.
Signal make_signal(py::dict given) {
  given = py::dict(**given);
  Signal signal;
  if (given.contains("times") != given.contains("values"))
    throw InvalidInput("times", "input: times and values belong together, both must be given");
  if (given.contains("times")) {
    signal.curve = std::make_shared<const SampledCurve>(numbers_from(given["times"], "times"),
                                                        numbers_from(given["values"], "values"));
    given.attr("pop")("times");
    given.attr("pop")("values");
    if (!given.contains("shape")) given["shape"] = "samples";
  }
  const Description description = describe<Signal>();
  assign(signal, description, values_from(given, description));
  signal.prepare(1.0);  // again as a run asks for it, up to its end
  validate(signal);
  return signal;
}

py::dict signal_values(const Signal& signal) {
  py::dict values = dict_of(values_of(signal), describe<Signal>());
  if (signal.curve) {
    values["times"] = signal.curve->times;
    values["values"] = signal.curve->values;
  }
  return values;
}

py::list coupling_tables() {
  py::list all;
  for (const auto& entry : couplings()) {
    py::dict table = table_of(entry.description);
    table["two_bodies"] = entry.two_bodies;
    all.append(table);
  }
  return all;
}

}  // namespace

void bind_parts(py::module_& module) {
  py::class_<Signal>(module, "Signal")
      .def(py::init([](const py::dict& given) { return make_signal(given); }))
      .def("_values", signal_values)
      .def_static("_table", [] { return table_of(describe<Signal>()); })
      .def("period", &Signal::period, "Period [s], 0 if the signal has none.")
      .def(
          "__call__",
          [](const Signal& s, double time) {
            within(any_number, time, "time", "s");
            return s.value(time, s.piece(time));
          },
          py::arg("time"), "The signal at a time [s].");

  py::list classes;
  for_each_mechanism([&]<class M>(const M&) {
    bind_described<M>(module);
    classes.append(py::type::of<M>());
  });
  module.attr("mechanism_classes") = classes;
  bind_described<Body>(module);
  bind_described<ContactSettings>(module);
  bind_described<InputSettings>(module);
  bind_described<Controller>(module);
  bind_described<Initial>(module);
  bind_described<Options>(module);

  py::class_<CouplingObject>(module, "Coupling")
      .def(py::init([](const std::string& name, const py::dict& values) {
        const CouplingEntry& entry = find_coupling(name);
        return CouplingObject{entry.make(values_from(values, entry.description))};
      }))
      .def("_values", [](const CouplingObject& c) {
        return dict_of(c.coupling->values(), find_coupling(c.coupling->name()).description);
      });
  module.def("coupling_tables", coupling_tables);
}

}  // namespace bristle::python
