// SPDX-License-Identifier: MIT
// An experiment that was run, as Python holds it.
#pragma once

#include "bristle/io/runner.hpp"
#include "result_object.hpp"

namespace bristle::python {

// What the columns of the results point into.
struct ExperimentObject {
  io::Experiment experiment;
  io::ExperimentResult result;
  std::vector<std::vector<std::vector<double>>> computed{};  // columns that no result holds
};

// All cases, with the facts the file states. Ctrl-C stops it.
std::shared_ptr<ExperimentObject> run_experiment(io::Experiment experiment, py::object progress);

}  // namespace bristle::python
