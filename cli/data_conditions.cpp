// SPDX-License-Identifier: MIT
#include "data_conditions.hpp"

#include "bristle/io/condition_columns.hpp"
#include "bristle/io/errors.hpp"

namespace bristle::cli {

void add_condition_options(CLI::App& command, DataArguments& a) {
  command
      .add_option("--depends", a.depends,
                  "a parameter depends on a column (temperature, voltage, pressure, load): linear, "
                  "quadratic or exponential; force: the whole force of the law; may be repeated")
      ->type_name("NAME=COLUMN:FORM");
  command.add_flag("--backlash", a.backlash,
                   "fit a gap between the drive, whose motion was measured, and the body");
}

DependOption depend_option(const std::string& text) {
  try {
    return io::depend_option(text);
  } catch (const InvalidInput& error) {
    throw io::InputError("--depends " + text + ": " + error.what());
  }
}

void choose_conditions(const DataArguments& a, io::MeasurementChoice& choice) {
  std::vector<DependOption> depends;
  for (const auto& text : a.depends) depends.push_back(depend_option(text));
  choice.beside = io::condition_columns(depends);
}

}  // namespace bristle::cli
