// SPDX-License-Identifier: MIT
// Which figures and tables the documents have, and which of them an experiment covers.
#include <algorithm>
#include <filesystem>
#include <regex>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/gallery.hpp"
#include "toml_limits.hpp"

#define TOML_HEADER_ONLY 0
#define TOML_SHARED_LIB 1
#include <toml++/toml.h>

namespace bristle::io {

std::vector<ListedFigure> listed_figures(const std::string& folder) {
  const std::string path = folder + "/documents/figures.toml";
  if (!std::filesystem::is_regular_file(path)) return {};
  std::vector<ListedFigure> all;
  try {
    const std::string text = read_text(path);
    check_toml_size(text, path);
    const toml::table root = toml::parse(text, path);
    const toml::array* figures = root["figure"].as_array();
    if (!figures) throw InputError(path + ": needs [[figure]] entries");
    for (const auto& node : *figures) {
      const toml::table* t = node.as_table();
      const auto word = [&](const char* key) {
        return t ? (*t)[key].value_or(std::string()) : std::string();
      };
      ListedFigure f{word("document"), word("item"), word("caption"), word("no_data")};
      if (f.document.empty() || f.item.empty())
        throw InputError(path + ":" + std::to_string(node.source().begin.line) +
                         ": a figure needs document and item");
      all.push_back(std::move(f));
    }
  } catch (const toml::parse_error& error) {
    throw InputError(path + ":" + std::to_string(error.source().begin.line) +
                     ": is not valid TOML: " + std::string(error.description()));
  }
  return all;
}

std::vector<std::string> covered(const Experiment& experiment) {
  if (!experiment.covers.empty()) return experiment.covers;
  // "Figs. 3.13, 3.14 and Table I" of document "T: ..." names three.
  const std::string& document = experiment.document;
  if (document.size() < 2 || document[1] != ':') return {};
  std::vector<std::string> all;
  static const std::regex word(
      "(Figs?\\.|Tables?|[0-9]+(?:\\.[0-9]+)?|[IVX]+)(\\([a-z]\\))?|\\([^)]*\\)");
  std::string kind;
  for (std::sregex_iterator at(experiment.figure.begin(), experiment.figure.end(), word), end;
       at != end; ++at) {
    const std::string text = (*at)[1];
    if (text.starts_with("Fig")) {
      kind = "Fig. ";
    } else if (text.starts_with("Table")) {
      kind = "Table ";
    } else if (!text.empty() && !kind.empty()) {
      // Parts b and c of a figure are one item.
      const std::string item = document.substr(0, 1) + " " + kind + text;
      if (std::find(all.begin(), all.end(), item) == all.end()) all.push_back(item);
    }
  }
  return all;
}

}  // namespace bristle::io
