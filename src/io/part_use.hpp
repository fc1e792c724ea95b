// SPDX-License-Identifier: MIT
// Parts in experiment files: [model], [mechanism] or the law of a [[contact]] with part = "FILE",
// or a machine with part = "FILE" at its top.
#pragma once

#include "bristle/io/measure.hpp"
#include "toml_reader.hpp"

namespace bristle::io {

// What the parts of a case leave to it: files that were read, their domains, and warnings.
struct PartsRead {
  Attachments attachments;
  std::vector<PartUse> uses;
  std::vector<std::string> warnings;
};

// Puts the values of the part of a whole machine into the sections of its parts. Paths are relative
// to the folder of `path`. Throws InputError with file and line, and FileError.
void expand_machine_part(Sections& sections, const Entry& part, const std::string& path,
                         PartsRead& into);
// Puts the values of parts into the sections that name them; what a section says itself stays.
void expand_parts(Sections& sections, const std::string& path, PartsRead& into);

// Where a run left what its parts have seen, one sentence each. Loads that change are not looked
// at.
std::vector<std::string> beyond_domain(const Case& c, const CaseResult& result);

}  // namespace bristle::io
