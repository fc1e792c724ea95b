// SPDX-License-Identifier: MIT
// Which figures and tables the documents have, and which of them an experiment covers.
#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

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
  const toml::table root = parse_toml(read_text(path), path);
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
  return all;
}

namespace {

// Takes words off the front of "Figs. 3.13, 3.14(b) and Table IV (see text)", one after the other,
// in time that grows with the length of the text and no further.
class FigureWords {
 public:
  explicit FigureWords(std::string_view text) : rest_(text) {}

  // The next kind or number; empty at the end. What stands between them is left out.
  std::string_view next() {
    while (!rest_.empty()) {
      if (rest_.front() == '(') {
        skip_brackets();
        continue;
      }
      const std::size_t length = word_length();
      const std::string_view word = rest_.substr(0, length);
      rest_.remove_prefix(std::max<std::size_t>(length, 1));
      if (length > 0) return word;
    }
    return {};
  }

 private:
  std::size_t word_length() const {
    for (const std::string_view kind : {"Figs.", "Fig.", "Tables", "Table"})
      if (rest_.starts_with(kind)) return kind.size();
    const std::size_t roman = run_of("IVX", 0), whole = run_of("0123456789", 0);
    if (roman > 0 || whole == 0) return roman;
    const bool point = whole < rest_.size() && rest_[whole] == '.';
    const std::size_t part = point ? run_of("0123456789", whole + 1) : 0;
    return part > 0 ? whole + 1 + part : whole;
  }
  std::size_t run_of(std::string_view letters, std::size_t from) const {
    return std::min(rest_.find_first_not_of(letters, from), rest_.size()) - from;
  }
  // A remark, or the part of a figure; a bracket that is never closed is no bracket.
  void skip_brackets() {
    if (!closed_) return rest_.remove_prefix(1);
    const auto end = rest_.find(')');
    closed_ = end != rest_.npos;
    rest_.remove_prefix(closed_ ? end + 1 : 1);
  }

  std::string_view rest_;
  bool closed_ = true;  // there may be another ')' ahead
};

}  // namespace

std::vector<std::string> covered(const Experiment& experiment) {
  if (!experiment.covers.empty()) return experiment.covers;
  // "Figs. 3.13, 3.14 and Table I" of document "T: ..." names three.
  const std::string& document = experiment.document;
  if (document.size() < 2 || document[1] != ':') return {};
  std::vector<std::string> all;
  std::set<std::string> seen;
  std::string kind;
  FigureWords words(experiment.figure);
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    if (word.starts_with("Fig")) kind = "Fig. ";
    else if (word.starts_with("Table")) kind = "Table ";
    else if (!kind.empty()) {
      // Parts b and c of a figure are one item.
      const std::string item = document.substr(0, 1) + " " + kind + std::string(word);
      if (seen.insert(item).second) all.push_back(item);
    }
  }
  return all;
}

}  // namespace bristle::io
