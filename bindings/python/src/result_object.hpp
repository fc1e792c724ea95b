// SPDX-License-Identifier: MIT
// What a simulation gave, as Python holds it.
#pragma once

#include <functional>
#include <memory>

#include "bristle/solve/machine_run.hpp"
#include "values.hpp"

namespace bristle::python {

// Columns point into what `owner` keeps alive.
struct ResultObject {
  struct Column {
    std::string name, unit, meaning;
    const std::vector<double>* values;
  };
  std::shared_ptr<const void> owner;
  std::vector<Column> columns;
  Summary summary;
  std::function<py::dict()> events{};      // makes one list per column, from what the owner keeps
  bool has_ledger = true;                  // energies are counted
  const Trajectory* trajectory = nullptr;  // of a law on a mechanism
};

ResultObject result_of(const std::shared_ptr<const Simulation>& run);
ResultObject result_of(const std::shared_ptr<const MachineResult>& run, const Machine& machine);

}  // namespace bristle::python
