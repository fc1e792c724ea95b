// SPDX-License-Identifier: MIT
#include "data_conditions.hpp"

#include <algorithm>

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
  const std::string where = "--depends " + text;
  const auto equals = text.find('='), colon = text.rfind(':');
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos ||
      colon <= equals + 1)
    throw io::InputError(where +
                         ": must read NAME=COLUMN:FORM, such as coulomb_force=temperature:linear");
  try {
    return {text.substr(0, equals), text.substr(equals + 1, colon - equals - 1),
            dependence_form(text.substr(colon + 1))};
  } catch (const InvalidInput& error) {
    throw io::InputError(where + ": " + error.what());
  }
}

void choose_conditions(const DataArguments& a, io::MeasurementChoice& choice) {
  for (const auto& text : a.depends) {
    const std::string column = depend_option(text).column;
    if (std::none_of(choice.beside.begin(), choice.beside.end(),
                     [&](const io::OtherColumn& o) { return o.asked == column; }))
      choice.beside.push_back({column, {}, "--depends"});
  }
  for (const char* usual : {"temperature", "pressure", "voltage", "humidity"})
    choice.beside.push_back({"", {usual}, "--depends", true});
}

std::vector<ConditionColumn> conditions_of(const io::Measurement& measurement) {
  std::vector<ConditionColumn> all;
  for (const io::ColumnReading& r : measurement.conditions) all.push_back({r.column, r.unit});
  return all;
}

void keep_load(const io::ColumnReading& load, bool copy, FitInput& input) {
  for (Record& r : input.measurement.records)
    if (r.load.empty()) return;
  for (Record& r : input.measurement.records) {
    r.others.push_back(r.load);
    if (!copy) r.load.clear(), r.load.shrink_to_fit();
  }
  input.conditions.push_back({load.column, load.read_as, true});
}

}  // namespace bristle::cli
