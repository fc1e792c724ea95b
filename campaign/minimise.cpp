// SPDX-License-Identifier: MIT
#include "minimise.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bristle::campaign {
namespace {

double rounded(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
  return std::strtod(text, nullptr);
}

// The fields that may be changed, as (section, field).
std::vector<std::pair<std::string, std::string>> fields_of(const Machine& machine) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [section, values] : machine)
    for (const auto& [field, value] : values)
      if (field != "name") all.emplace_back(section, field);
  return all;
}

}  // namespace

Machine minimised(Machine machine, const std::function<bool(const Machine&)>& fails) {
  const auto attempt = [&](const Machine& smaller) {
    try {
      if (!fails(smaller)) return false;
    } catch (const InvalidInput&) {
      return false;
    }
    machine = smaller;
    return true;
  };
  // Shorter first: everything after it is quicker.
  for (int i = 0; i < 12; ++i) {
    Machine shorter = machine;
    shorter["solve"]["end"] = 0.6 * number(machine, "solve", "end", 10.0);
    if (!attempt(shorter)) break;
  }
  for (const auto& [section, field] : fields_of(machine)) {
    if (section == "solve" && (field == "end" || field == "samples" || field == "step_limit"))
      continue;
    Machine plain = machine;
    plain[section].erase(field);
    attempt(plain);
  }
  for (const auto& [section, field] : fields_of(machine)) {
    const double value = number(machine, section, field, NAN);
    for (int digits = 1; digits <= 4 && std::isfinite(value); ++digits) {
      Machine round = machine;
      round[section][field] = rounded(value, digits);
      if (attempt(round)) break;
    }
  }
  return machine;
}

}  // namespace bristle::campaign
