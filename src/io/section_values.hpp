// SPDX-License-Identifier: MIT
// From a section of a file to the values and signals it gives.
#pragma once

#include <set>

#include "bristle/io/errors.hpp"
#include "toml_reader.hpp"

namespace bristle::io {

// Makes one described thing from its section; an error gains the place it comes from.
template <class F>
auto located(const Section& section, const std::string& fallback, const F& build) {
  try {
    return build();
  } catch (const InvalidInput& error) {
    const auto at = section.find(error.field);
    throw InputError((at != section.end() ? at->second.where : fallback) + ": " + error.what());
  }
}

Values values_of(const Section& section, const std::set<std::string>& without = {});
std::string text_of(const Section& section, const std::string& key, const std::string& fallback);

// The end of the run as the file has it; out of range or not is said elsewhere.
double end_of(const Sections& sections);

// Where a signal stands and what it is read as.
struct SignalPlace {
  std::string path;                 // of the experiment file
  std::string fallback;             // "file.toml: [input]", for errors without a line
  double end = 0.0;                 // of the run [s]
  std::vector<std::string> units;   // of a column of a file, in SI; none: numbers as they stand
  std::vector<FieldInfo> others{};  // fields of the section that are not those of the signal
};
Signal read_signal(const Section& section, const SignalPlace& place, Attachments& attachments);

// Refuses a section that the rest of the file leaves without meaning.
void refuse_section(const Sections& sections, const std::string& name, const std::string& why);
// Refuses all sections but those that a file of this kind reads.
void refuse_others(const Sections& sections, const std::set<std::string>& read,
                   const std::string& why);

}  // namespace bristle::io
