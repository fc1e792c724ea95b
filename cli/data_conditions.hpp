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
// What was read of them.
std::vector<ConditionColumn> conditions_of(const io::Measurement& measurement);
// Puts a load among the conditions of all records: one that the law does not know, or, for several
// laws, a copy of it.
void keep_load(const io::ColumnReading& load, bool copy, FitInput& input);

}  // namespace bristle::cli
