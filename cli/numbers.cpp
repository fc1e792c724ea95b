// SPDX-License-Identifier: MIT
#include "numbers.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/io/csv.hpp"
#include "bristle/model/describe.hpp"

namespace bristle::cli {

CLI::Validator a_number(const Bounds& bounds, const std::string& unit) {
  const auto check = [bounds, unit](const std::string& text) -> std::string {
    const auto value = io::number_in(text);
    if (!value)
      return "'" + text + "' must be a " + (bounds.whole ? "whole " : "") + "number" +
             (text.find(',') != std::string::npos ? ", with a point in place of a comma" : "");
    if (bounds.whole && text.find_first_not_of("0123456789", text[0] == '-') != std::string::npos)
      return "'" + text + "' must be a whole number, written in digits";
    if (bounds.contain(*value)) return "";
    return text + (unit.empty() ? "" : " " + unit) + " is not allowed, it must be " +
           words(bounds, unit, *value);
  };
  return {check, "", ""};
}

CLI::Validator a_whole_number(double least, double most) {
  return a_number({least, most, false, true});
}

CLI::Validator one_of(const std::vector<std::string>& choices) {
  const auto check = [choices](const std::string& text) -> std::string {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return "";
    std::string all;
    for (const auto& name : choices) all += (all.empty() ? "" : ", ") + name;
    const std::string near = nearest(text, choices);
    return "'" + text + "' must be one of " + all +
           (near.empty() ? "" : "; did you mean '" + near + "'?");
  };
  return {check, "", ""};
}

}  // namespace bristle::cli
