// SPDX-License-Identifier: MIT
// What was measured beside the motion, for the command and for Python: the columns that parameters
// depend on, those of usual names, and a load that a law does not use.
#pragma once

#include <algorithm>

#include "bristle/identify/dependence.hpp"
#include "bristle/io/measurement.hpp"

namespace bristle::io {

// Columns of these names are read wherever they are.
inline constexpr const char* usual_conditions[]{"temperature", "pressure", "voltage", "humidity"};

// NAME=COLUMN:FORM, such as coulomb_force=temperature:linear; throws InvalidInput.
inline DependOption depend_option(const std::string& text) {
  const auto equals = text.find('='), colon = text.rfind(':');
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos ||
      colon <= equals + 1)
    throw InvalidInput("depends",
                       "must read NAME=COLUMN:FORM, such as coulomb_force=temperature:linear");
  return {text.substr(0, equals), text.substr(equals + 1, colon - equals - 1),
          dependence_form(text.substr(colon + 1))};
}

// The columns to be read: those of the dependences, which must be there, and those of usual names.
inline std::vector<OtherColumn> condition_columns(const std::vector<DependOption>& depends) {
  std::vector<OtherColumn> all;
  for (const DependOption& d : depends)
    if (std::none_of(all.begin(), all.end(),
                     [&](const OtherColumn& o) { return o.asked == d.column; }))
      all.push_back({d.column, {}, "--depends"});
  for (const char* usual : usual_conditions) all.push_back({"", {usual}, "--depends", true});
  return all;
}

// Name and unit of those that were read.
inline std::vector<ConditionColumn> conditions_of(const Measurement& measurement) {
  std::vector<ConditionColumn> all;
  for (const ColumnReading& r : measurement.conditions) all.push_back({r.column, r.unit});
  return all;
}

// Puts the load of the records among their conditions, with `copy` beside the load itself, for laws
// that use it. Does nothing if a record has no load.
inline void keep_load(std::vector<Record>& records, const std::string& name,
                      const std::string& unit, bool copy,
                      std::vector<ConditionColumn>& conditions) {
  for (const Record& r : records)
    if (r.load.empty()) return;
  for (Record& r : records) {
    r.others.push_back(r.load);
    if (!copy) r.load.clear(), r.load.shrink_to_fit();
  }
  conditions.push_back({name, unit, true});
}

}  // namespace bristle::io
