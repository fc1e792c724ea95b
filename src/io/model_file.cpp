// SPDX-License-Identifier: MIT
#include "bristle/io/model_file.hpp"

#include "bristle/version.hpp"
#include "toml_text.hpp"

namespace bristle::io {
std::string model_text(const SystemModel& model, const std::string& title, double low,
                       double high) {
  std::string text = "title = " + toml_quoted(title) + "\n";
  if (!model.exact.empty()) text += "note = " + toml_quoted(model.exact) + "\n";
  text += "# Written by bristle " + std::string(version) +
          ".\n\n[system]\nname = " + toml_quoted(model.name) + "\n";
  for (const auto& [key, value] : model.values) text += key + " = " + toml_value(value) + "\n";
  return text + "\n[input]\nshape = \"sine\"\namplitude = " + toml_number(0.5 * (high - low)) +
         "\noffset = " + toml_number(0.5 * (high + low)) +
         "\n\n[solve]\nend = 12.566370614359172\n";
}

}  // namespace bristle::io
