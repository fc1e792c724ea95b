// SPDX-License-Identifier: MIT
// The table of a sweep, as Python gets it.
#pragma once

#include <map>

#include "bristle/io/sweep_results.hpp"
#include "values.hpp"

namespace bristle::python {

// Column by column.
struct SweepTable {
  std::vector<double> number;
  std::vector<std::vector<double>> fields;            // by field
  std::vector<std::vector<io::Measured>> quantities;  // by quantity
  std::vector<std::string> status;
  io::SweepStatistics statistics;
  std::map<std::string, SensitivityResult> sensitivities;
  io::SweepOutcome outcome{};
  std::string trouble{};
};

SweepTable read_back(const io::Sweep& sweep, const std::string& path);
// The columns in the order of the table, and what they tell.
py::dict table_dict(const SweepTable& table, const io::Sweep& sweep);

}  // namespace bristle::python
