// SPDX-License-Identifier: MIT
// What the commands that work on loops share: columns of a table in, a result directory out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bristle/io/csv.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/plot.hpp"

namespace bristle::cli {

// The columns of input and output: by name, or the first and the second.
struct LoopColumns {
  std::vector<double> input, output;
};
LoopColumns loop_columns(const io::Table& table, const std::string& file, const std::string& x,
                         const std::string& y);

// Refuses a column that does not increase, with the row.
void check_increasing(const std::vector<double>& column, const std::string& file,
                      const std::string& name);

// Draws the plots (or says why not), writes the summary with the version, and gives the directory
// its name.
void finish_loops(io::ResultDirectory& out, const std::vector<io::Plot>& plots,
                  nlohmann::ordered_json summary);

}  // namespace bristle::cli
