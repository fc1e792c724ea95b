// SPDX-License-Identifier: MIT
#include "bristle/io/overrides.hpp"

#include <functional>

#define TOML_HEADER_ONLY 0
#define TOML_SHARED_LIB 1
#include <toml++/toml.h>

namespace bristle::io {
namespace {

void look(const toml::table& table, const std::string& section, const std::string& field,
          const std::function<void(const toml::node&)>& found) {
  for (const auto& [key, node] : table) {
    if (const auto* inner = node.as_table()) {
      if (key.str() == section)
        if (const auto* value = inner->get(field)) found(*value);
      look(*inner, section, field, found);
    }
    if (const auto* list = node.as_array())
      for (const auto& one : *list)
        if (const auto* inner = one.as_table()) look(*inner, section, field, found);
  }
}

}  // namespace

std::vector<std::string> other_texts(const Experiment& experiment, const std::string& section,
                                     const std::string& field, const std::string& text) {
  std::vector<std::string> places;
  look(toml::parse(experiment.text, experiment.path), section, field, [&](const toml::node& node) {
    const auto there = node.value<std::string>();
    if (there && *there != text)
      places.push_back(section + "." + field + " = " + *there + " of " + experiment.path + ":" +
                       std::to_string(node.source().begin.line));
  });
  return places;
}

}  // namespace bristle::io
