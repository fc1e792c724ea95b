// SPDX-License-Identifier: MIT
// The parts of the module, each in a file of its own.
#pragma once

#include <pybind11/pybind11.h>

namespace bristle::python {

void bind_parts(pybind11::module_& module);  // mechanisms, signals, couplings
void bind_laws(pybind11::module_& module);
void bind_own_law(pybind11::module_& module);
void bind_result(pybind11::module_& module);
void bind_machine(pybind11::module_& module);
void bind_simulate(pybind11::module_& module);
void bind_run(pybind11::module_& module);
void bind_host(pybind11::module_& module);
void bind_rolling(pybind11::module_& module);
void bind_systems(pybind11::module_& module);
void bind_identify(pybind11::module_& module);
void bind_part(pybind11::module_& module);  // results of fits as files
void bind_experiment(pybind11::module_& module);
void bind_analysis(pybind11::module_& module);
void bind_sweep(pybind11::module_& module);
void bind_bifurcation(pybind11::module_& module);
void bind_loops(pybind11::module_& module);      // measured loops, maps, tables
void bind_catalogue(pybind11::module_& module);  // all that files can name
void bind_series(pybind11::module_& module);     // spectra, forces from measured motions
void bind_studies(pybind11::module_& module);    // excitation, machines fitted, certificates

}  // namespace bristle::python
