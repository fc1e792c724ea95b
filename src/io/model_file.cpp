// SPDX-License-Identifier: MIT
#include "bristle/io/model_file.hpp"

#include "bristle/version.hpp"

namespace bristle::io {
namespace {

std::string quoted(const std::string& text) {
  std::string q = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') q += '\\';
    q += c == '\n' ? ' ' : c;
  }
  return q += '"';
}

// A number that TOML reads as one: with a point or an exponent.
std::string number(double value) {
  std::string text = words(value);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string model_text(const SystemModel& model, const std::string& title, double low,
                       double high) {
  std::string text = "title = " + quoted(title) + "\n";
  if (!model.exact.empty()) text += "note = " + quoted(model.exact) + "\n";
  text += "# Written by bristle " + std::string(version) +
          ".\n\n[system]\nname = " + quoted(model.name) + "\n";
  for (const auto& [key, value] : model.values) {
    text += key + " = ";
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      text += '[';
      for (const double& x : *list) (text += &x == list->data() ? "" : ", ") += number(x);
      text += ']';
    } else if (const auto* one = std::get_if<double>(&value)) {
      text += number(*one);
    } else {
      text += quoted(std::get<std::string>(value));
    }
    text += '\n';
  }
  return text + "\n[input]\nshape = \"sine\"\namplitude = " + number(0.5 * (high - low)) +
         "\noffset = " + number(0.5 * (high + low)) + "\n\n[solve]\nend = 12.566370614359172\n";
}

}  // namespace bristle::io
