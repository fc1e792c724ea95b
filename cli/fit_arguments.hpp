// SPDX-License-Identifier: MIT
// What `bristle fit` was asked for.
#pragma once

#include <fmt/format.h>

#include "bristle/io/fit_report.hpp"
#include "data_options.hpp"

namespace bristle::cli {

struct FitArguments : DataArguments {
  std::string model, out, command_line, licence, source;
  std::string start;                // a part
  std::vector<std::string> joints;  // NAME=POSITION,FORCE
  std::vector<std::string> profiles;
  std::string leave_out;        // of a machine
  bool measured_start = false;  // of a machine
  bool json = false;
};

// Parameters with values, units and intervals, in columns.
inline void print_parameters(const std::vector<FittedParameter>& parameters) {
  std::size_t width = 22;
  for (const auto& p : parameters) width = std::max(width, p.name.size());
  fmt::print("  {:<{}} {:>13} {:<10} {:<26} {:<14} {}\n", "parameter", width, "value", "unit",
             "95 % interval", "", "searched within");
  for (const auto& p : parameters)
    fmt::print("  {:<{}} {:>13.6g} {:<10} {:<26} {:<14} {}\n", p.name, width, p.value, p.unit,
               io::interval_words(p), io::doubt_words(p), io::bound_words(p));
}

}  // namespace bristle::cli
