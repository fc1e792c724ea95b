// SPDX-License-Identifier: MIT
// Values as a TOML file has them.
#pragma once

#include <string>

#include "bristle/model/describe.hpp"

namespace bristle::io {

inline std::string toml_quoted(const std::string& text) {
  std::string q = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') q += '\\';
    q += c == '\n' ? ' ' : c;
  }
  return q += '"';
}

// A number that TOML reads as one: with a point or an exponent.
inline std::string toml_number(double value) {
  std::string text = words(value);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

inline std::string toml_value(const Value& value) {
  if (const auto* one = std::get_if<double>(&value)) return toml_number(*one);
  if (const auto* word = std::get_if<std::string>(&value)) return toml_quoted(*word);
  std::string text = "[";
  for (const double x : std::get<std::vector<double>>(value))
    text += (text.size() == 1 ? "" : ", ") + toml_number(x);
  return text + "]";
}

}  // namespace bristle::io
