// SPDX-License-Identifier: MIT
// simulate(): the lock of the interpreter is free while it computes.
#include "bristle/solve/simulate.hpp"

#include "bristle/mechanism/registry.hpp"
#include "interrupt.hpp"
#include "law_object.hpp"
#include "machine_object.hpp"
#include "result_object.hpp"

namespace bristle::python {
namespace {

template <class M>
void bind_law_on(py::module_& module) {
  module.def("simulate", [](const LawObject& law, M mechanism, Options options,
                            const Initial& initial, py::object progress) {
    options.initial = initial;
    if constexpr (requires { mechanism.signal; }) mechanism.signal.prepare(options.end);
    return result_of(interruptible(std::move(progress), [&](auto look) {
      options.progress = look;
      return std::make_shared<const Simulation>(simulate(*law.law, mechanism, options));
    }));
  });
}

}  // namespace

void bind_simulate(py::module_& module) {
  for_each_mechanism([&]<class M>(const M&) { bind_law_on<M>(module); });
  module.def("simulate_machine",
             [](const MachineObject& object, Options options, py::object progress) {
               const auto machine = object.until(options.end);
               check_loads(*machine, options.end);
               return result_of(interruptible(std::move(progress),
                                              [&](auto look) {
                                                options.progress = look;
                                                return std::make_shared<const MachineResult>(
                                                    simulate(*machine, options));
                                              }),
                                *machine);
             });
}

}  // namespace bristle::python
