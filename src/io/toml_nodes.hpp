// SPDX-License-Identifier: MIT
// The nodes of a TOML file read as what they have to be. Each call throws InputError with file,
// line and key if they are not.
#pragma once

#include "toml_reader.hpp"

#define TOML_HEADER_ONLY 0
#define TOML_SHARED_LIB 1
#include <toml++/toml.h>

namespace bristle::io {

// The value of a node that is a number. Whole numbers beyond 2^53 are rounded; toml++ itself would
// give none for them.
double number_in(const toml::node& node);

class Nodes {
 public:
  explicit Nodes(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string at(const toml::node& node) const;  // "file.toml:12"

  // "unknown key 'titel' in the file, did you mean 'title'? (known: ...)"
  [[noreturn]] void refuse_key(const toml::node& node, std::string_view key, std::string_view owner,
                               const std::vector<std::string>& known) const;

  const toml::table& table(const toml::node& node, std::string_view key) const;
  std::string text(const toml::node& node, std::string_view key) const;
  double number(const toml::node& node, std::string_view key) const;    // finite
  double distance(const toml::node& node, std::string_view key) const;  // at least 0
  double ordinal(const toml::node& node, std::string_view key) const;   // counted from one
  bool flag(const toml::node& node, std::string_view key) const;
  const toml::array& list(const toml::node& node, std::string_view key) const;
  std::string file_name(const toml::node& node, std::string_view key) const;  // plain
  std::string range(const toml::node& node, std::string_view key) const;      // "low:high"

  // A number, a text or a list of numbers.
  Entry entry(const toml::node& node, std::string_view key) const;
  Section section(const toml::table& source) const;

 private:
  std::string path_;
};

// The facts of one [expect].
std::vector<Expectation> read_facts(const Nodes& nodes, const toml::table& source);

// What a quantity is taken of, into `e`: a time, a column and the like; false for any other key.
bool read_argument(const Nodes& nodes, const std::string& key, const toml::node& node,
                   Expectation& e);
// Refuses a quantity that there is not.
void check_quantity_name(const Nodes& nodes, const toml::node& node, const std::string& quantity,
                         const std::string& owner);
// What [[vary]], [[draw]], [ensemble] and [sensitivity] say; `sections` are those of the file.
EnsemblePlan read_ensemble(const Nodes& nodes, const toml::table& root,
                           const std::vector<std::string>& sections);

// One [[figure]]; `index` numbers those without a name. The columns of a machine are known only
// once it is made: then `any_column` leaves them unchecked.
FigureSpec read_figure(const Nodes& nodes, const toml::table& source, std::size_t index,
                       bool any_column);

// The parts of a machine, into `machine` and `sections` of the document; none if the file has no
// [[body]].
void read_machine(const Nodes& nodes, const toml::table& root, Document& document);
// What a [[case]] or [[sweep]] changes in the parts of one list, by name.
void read_machine_changes(const Nodes& nodes, const toml::node& node, const std::string& list,
                          const std::vector<MachineEntry>& machine, Sections& changes);

}  // namespace bristle::io
