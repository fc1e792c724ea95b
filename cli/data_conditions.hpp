// SPDX-License-Identifier: MIT
// Columns beside the motion: what parameters depend on, and what a part keeps of its conditions.
#pragma once

#include "bristle/identify/fit.hpp"
#include "data_options.hpp"

namespace bristle::cli {

void add_condition_options(CLI::App& command, DataArguments& a);
// NAME=COLUMN:FORM; throws InputError.
DependOption depend_option(const std::string& text);
// The columns of --depends, and those of usual names.
void choose_conditions(const DataArguments& a, io::MeasurementChoice& choice);

}  // namespace bristle::cli
