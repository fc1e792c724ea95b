// SPDX-License-Identifier: MIT
// From TOML to sections of values that remember where they were written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bristle/io/experiment.hpp"

namespace bristle::io {

struct Entry {
  Value value;
  std::string where;  // "file.toml:12"
};
using Section = std::map<std::string, Entry>;
using Sections = std::map<std::string, Section>;

// One entry of [[body]], [[drive]], [[coupling]], [[contact]] or [[input]]: its name, where it
// stands, and the bodies it acts on with their weights. Its fields are in the section "list.name".
struct MachineEntry {
  std::string list, name, where;
  std::string name_where{};
  std::string ends_key{}, ends_where{};  // "on", "between" or "of", and where that stands
  std::vector<std::pair<std::string, double>> ends{};
  std::vector<std::pair<std::string, double>> across{};  // of the second axis, in the plane

  std::string section() const { return list + "." + name; }
};

struct CaseChanges {
  std::string label;
  Sections changes;
  std::vector<Expectation> expectations;
  std::string sweep, swept;  // see Case
  double swept_value = 0.0;
};

struct Document {
  std::string path;
  Experiment experiment;  // without cases
  Sections sections;
  std::vector<MachineEntry> machine;  // in the order of the lists; empty if it is none
  std::vector<CaseChanges> cases;     // at least one
  std::vector<Expectation> expectations;
  std::optional<Entry> part;  // the part of a whole machine
};

// The sections a file may have, and those of a document: a machine has its parts and [solve].
const std::vector<std::string>& section_names();
std::vector<std::string> section_names(const Document& document);

// `path` names the text in messages, and the folder from which it names files.
Document parse_document(const std::string& text, const std::string& path);

}  // namespace bristle::io
