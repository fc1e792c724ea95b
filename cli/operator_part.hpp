// SPDX-License-Identifier: MIT
// A fitted hysteresis operator as a part.
#pragma once

#include "bristle/io/column_reading.hpp"
#include "bristle/io/fit_part.hpp"
#include "play_fit.hpp"

namespace bristle::cli {

// What an operator was fitted to.
struct OperatorData {
  std::span<const MeasuredRun> runs;
  std::vector<std::string> names;  // of the runs
  io::ColumnReading input, output;
  io::PartOrigin origin;
};

// Values, ranges of input and output, and the error of each run. Its numbers have no covariance.
io::Part operator_part(const LoopFit& fit, const OperatorData& data);

}  // namespace bristle::cli
