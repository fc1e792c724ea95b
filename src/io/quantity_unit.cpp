// SPDX-License-Identifier: MIT
// The units of quantities: those of their columns, or of this table.
#include <algorithm>
#include <map>

#include "bristle/io/verdict.hpp"
#include "quantities.hpp"

namespace bristle::io {

std::string unit_in(const std::string& label) {
  const auto from = label.rfind('[');
  if (from == std::string::npos || label.back() != ']') return "";
  return label.substr(from + 1, label.size() - from - 2);
}

namespace {

// "position" of "max_position"; the name itself if it has no such beginning.
std::string measured_column(const std::string& quantity) {
  for (const char* beginning : {"max_", "min_", "rms_", "end_"})
    if (quantity.starts_with(beginning)) return quantity.substr(std::string(beginning).size());
  return quantity;
}

// "height", "force" or "average" of a mean curve and a fall fitted to it, empty for any other
// quantity.
std::string fitted_fall(const std::string& quantity) {
  for (const char* shape : {"_sech_", "_gaussian_", "_slowest", "_fastest"})
    if (const auto at = quantity.find(shape); at != std::string::npos)
      return quantity.substr(0, at);
  return "";
}

}  // namespace

std::string quantity_unit(const Case& c, const CaseResult& result, const std::string& quantity,
                          const Argument& argument) {
  if (c.kind == CaseKind::machine) {
    const auto at = machine_quantities().find(quantity);
    if (at == machine_quantities().end()) return "";
    std::string column = argument.column;
    if (quantity == "event_force" && !argument.contact.empty())
      column = argument.contact + ".force";
    const std::string& own = at->second.unit;
    if (column.empty() || (!own.empty() && own != "/s")) return own;
    const std::string unit = unit_in(axis_label(c, result, column));
    return unit.empty() ? unit : unit + own;
  }
  static const std::map<std::string, std::string> units{{"period", "s"},
                                                        {"period_spread", "s"},
                                                        {"slip_time", "s"},
                                                        {"stick_time", "s"},
                                                        {"reversal_time", "s"},
                                                        {"mean_loop_area", "J"},
                                                        {"released_energy", "J"},
                                                        {"expected_release", "J"},
                                                        {"friction_work", "J"},
                                                        {"friction_work_cycle", "J"},
                                                        {"height_frequency", "rad/s"},
                                                        {"natural_frequency", "Hz"},
                                                        {"peak_frequency", "Hz"},
                                                        {"lyapunov", "1/s"},
                                                        {"pole", "1/s"},
                                                        {"direct_gain", "N s/m"}};
  // Those that are a position, a velocity or a force of the case under another name.
  static const std::map<std::string, std::string> columns{{"slip_position", "position"},
                                                          {"stick_position", "position"},
                                                          {"reversal_position", "position"},
                                                          {"reverse_speed", "velocity"},
                                                          {"velocity_amplitude", "velocity"},
                                                          {"largest_resting_speed", "velocity"},
                                                          {"peak_velocity", "velocity"},
                                                          {"breakaway_velocity", "velocity"},
                                                          {"passive_below", "velocity"},
                                                          {"harmonic", "position"},
                                                          {"peak_amplitude", "position"},
                                                          {"steady_force", "force"},
                                                          {"peak_force", "force"},
                                                          {"breakaway_force", "force"}};
  if (const auto at = units.find(quantity); at != units.end()) return at->second;
  if (quantity.starts_with("loop_area")) return c.kind == CaseKind::run ? "J" : "";
  if (quantity == "force_velocity_area" || quantity == "lag_area") return "W";
  const auto unit_of_column = [&](const std::string& name) {
    return unit_in(axis_label(c, result, name));
  };
  if (const std::string fall = fitted_fall(quantity); !fall.empty())
    return unit_of_column(quantity.ends_with("_velocity") ? "velocity"
                          : fall == "average"             ? "moving_average"
                                                          : fall);
  if (const auto at = columns.find(quantity); at != columns.end())
    return unit_of_column(at->second);
  const std::string name = measured_column(quantity);
  if (name == "second") {
    const std::string second(c.system ? c.system->second_name() : "");
    return second.empty() ? "" : unit_of_column(second);
  }
  const auto& known = column_names();
  return std::find(known.begin(), known.end(), name) == known.end() ? "" : unit_of_column(name);
}

}  // namespace bristle::io
