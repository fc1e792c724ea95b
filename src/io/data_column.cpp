// SPDX-License-Identifier: MIT
#include "data_column.hpp"

#include <algorithm>
#include <map>
#include <numbers>

#include "bristle/io/errors.hpp"
#include "bristle/io/measurement.hpp"
#include "bristle/model/describe.hpp"

namespace bristle::io {
namespace {

const std::map<std::string, double, std::less<>>& units() {
  constexpr double turn = 2.0 * std::numbers::pi;
  static const std::map<std::string, double, std::less<>> all{
      {"s", 1.0},          {"ms", 1e-3},
      {"us", 1e-6},        {"min", 60.0},
      {"m", 1.0},          {"cm", 1e-2},
      {"mm", 1e-3},        {"um", 1e-6},
      {"nm", 1e-9},        {"in", 0.0254},
      {"rad", 1.0},        {"mrad", 1e-3},
      {"deg", turn / 360}, {"rev", turn},
      {"m/s", 1.0},        {"mm/s", 1e-3},
      {"um/s", 1e-6},      {"cm/s", 1e-2},
      {"rad/s", 1.0},      {"deg/s", turn / 360},
      {"rpm", turn / 60},  {"N", 1.0},
      {"mN", 1e-3},        {"uN", 1e-6},
      {"kN", 1e3},         {"lbf", 4.4482216152605},
      {"Nm", 1.0},         {"mNm", 1e-3},
      {"kg", 9.80665}};
  return all;
}

Column parsed(const std::string& spec) {
  const auto colon = spec.rfind(':');
  if (colon == std::string::npos) return {spec, ""};
  Column c{spec.substr(0, colon), spec.substr(colon + 1)};
  c.factor = unit_factor(c.unit, c.name);
  return c;
}

}  // namespace

std::string lower_case(std::string s) {
  for (char& c : s) c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

Column choose_column(const std::string& asked, const Cells& cells, const std::string& path,
                     const std::vector<std::string>& usual, const std::string& taken) {
  if (!asked.empty()) {
    const auto plain = std::find(cells.names.begin(), cells.names.end(), asked);
    const Column c = plain != cells.names.end() ? Column{asked, ""} : parsed(asked);
    cells.index(c.name, path);
    return c;
  }
  for (const std::string& w : usual)
    for (const auto& name : cells.names) {
      if (name == taken) continue;
      const std::string n = lower_case(name);
      const auto at = n.find(w);
      if (n == w || (w.size() > 1 && at != n.npos && (at == 0 || n[at - 1] == '_')))
        return {name, ""};
    }
  return {};
}

double unit_factor(const std::string& unit, const std::string& column) {
  const auto found = units().find(unit);
  if (found != units().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, factor] : units()) names.push_back(name);
  throw InputError("column '" + column + "': " + not_found("unit", unit, names));
}

}  // namespace bristle::io
