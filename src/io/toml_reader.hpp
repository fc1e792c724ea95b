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

struct CaseChanges {
  std::string label;
  Sections changes;
  std::vector<Expectation> expectations;
  std::string sweep, swept;  // see Case
  double swept_value = 0.0;
};

struct Document {
  Experiment experiment;  // without cases
  Sections sections;
  std::vector<CaseChanges> cases;  // at least one
  std::vector<Expectation> expectations;
};

// The sections a file may have.
const std::vector<std::string>& section_names();

Document read_document(const std::string& path);

}  // namespace bristle::io
