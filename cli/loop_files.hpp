// SPDX-License-Identifier: MIT
// What the commands that work on loops share: columns of a table in, a result directory out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bristle/io/column_reading.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/plot.hpp"

namespace bristle::cli {

// The columns of input and output, by name, or the first and the second, and others by name. Their
// numbers are taken as they stand; the units of their headers are only said.
struct LoopColumns {
  std::vector<double> input, output;
  std::vector<std::vector<double>> others;
  io::ColumnReading x, y;

  std::string words() const;  // what was read as what, in two lines
  nlohmann::ordered_json json() const;
};
LoopColumns loop_columns(const std::string& file, const std::string& x, const std::string& y,
                         const std::vector<std::string>& others = {});

// What a table was taken for, on the error stream: lines that were skipped and the like.
void say_notes(const std::vector<std::string>& notes);

// Refuses a column that does not increase, with the row.
void check_increasing(const std::vector<double>& column, const std::string& file,
                      const std::string& name);

// Draws the plots (or says why not), writes the summary with the version, and gives the directory
// its name.
void finish_loops(io::ResultDirectory& out, const std::vector<io::Plot>& plots,
                  nlohmann::ordered_json summary);

}  // namespace bristle::cli
