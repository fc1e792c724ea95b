// SPDX-License-Identifier: MIT
// The address of a field in an experiment file: "model.stiffness" is the field stiffness of the
// section [model], "contact.bearing.stiffness" that of the [[contact]] of the name bearing, whose
// section is "contact.bearing". "contact.bearing.law.stiffness" is the same field, and the name of
// the law is "contact.bearing.law".
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace bristle::io {

// The lists that a machine is made from, in the order they are read.
inline const std::vector<std::string>& machine_lists() {
  static const std::vector<std::string> names{"body",       "drive", "coupling", "contact",
                                              "controller", "load",  "input"};
  return names;
}

inline bool is_machine_list(const std::string& name) {
  const auto& all = machine_lists();
  return std::find(all.begin(), all.end(), name) != all.end();
}

// Section and field; the field is empty if the path has none.
inline std::pair<std::string, std::string> split_path(const std::string& path) {
  auto dot = path.find('.');
  if (dot == std::string::npos) return {path, ""};
  const auto second = path.find('.', dot + 1);
  if (second != std::string::npos && is_machine_list(path.substr(0, dot))) dot = second;
  const std::string section = path.substr(0, dot);
  std::string field = path.substr(dot + 1);
  if (section.starts_with("contact.") && field.starts_with("law."))
    field = field == "law.name" ? "law" : field.substr(4);
  return {section, field};
}

}  // namespace bristle::io
