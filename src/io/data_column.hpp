// SPDX-License-Identifier: MIT
// The columns of a table that a measurement is made of: found by name, with their units.
#pragma once

#include "bristle/io/csv.hpp"
#include "bristle/io/measurement.hpp"

namespace bristle::io {

struct Column {
  std::size_t at = 0;
  ColumnReading reading;
  bool there() const { return !reading.column.empty(); }
};

// Time, position, velocity, force, load, input; then others.
inline constexpr std::size_t time_column = 0, position_column = 1, velocity_column = 2,
                             force_column = 3, load_column = 4, input_column = 5, column_count = 6;

// The columns of a choice, those that are not there without a name, and what they are counted in.
struct ColumnChoice {
  std::vector<Column> columns;
  DataUnits units;
};
ColumnChoice choose_columns(const TableRows& rows, const std::string& path,
                            const MeasurementChoice& choice);

std::string lower_case(std::string s);

}  // namespace bristle::io
