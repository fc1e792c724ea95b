// SPDX-License-Identifier: MIT
#include "section_values.hpp"

#include <filesystem>

#include "bristle/io/column_reading.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/files.hpp"

namespace bristle::io {

Values values_of(const Section& section, const std::set<std::string>& without) {
  Values values;
  for (const auto& [key, entry] : section)
    if (!without.contains(key)) values[key] = entry.value;
  return values;
}

std::string text_of(const Section& section, const std::string& key, const std::string& fallback) {
  const auto at = section.find(key);
  if (at == section.end()) return fallback;
  if (const auto* text = std::get_if<std::string>(&at->second.value)) return *text;
  throw InputError(at->second.where + ": " + key + " = " + words(at->second.value) +
                   " must be a text in quotes");
}

double end_of(const Sections& sections) {
  const auto& solve = sections.at("solve");
  const auto at = solve.find("end");
  const double* end = at == solve.end() ? nullptr : std::get_if<double>(&at->second.value);
  return end && *end > 0.0 ? *end : Options{}.end;
}

Signal read_signal(const Section& section, const SignalPlace& place, Attachments& attachments) {
  Signal signal;
  const std::string file = text_of(section, "file", "");
  std::set<std::string> without{"file", "time_column", "value_column"};
  for (const auto& field : place.others) without.insert(field.name);
  Values values = values_of(section, without);
  if (!file.empty()) {
    // A path in a file is relative to that file.
    const auto folder = std::filesystem::path(place.path).parent_path();
    const std::string data =
        std::filesystem::path(file).is_absolute() ? file : (folder / file).string();
    // A pipe can be read only once, and two signals may share a file.
    std::string& text = attachments[file];
    if (text.empty()) text = read_text(data);
    CsvRows rows(data, text);
    if (rows.names().size() < 2) throw InputError(data + ": needs two columns, time and value");
    const ReadColumns read = read_columns(
        rows, data,
        {{{"time", {"s"}, "time_column ="}, text_of(section, "time_column", ""), 0},
         {{"input", place.units, "value_column ="}, text_of(section, "value_column", ""), 1}});
    try {
      signal.curve = std::make_shared<SampledCurve>(read.values[0], read.values[1]);
    } catch (const InvalidInput& error) {
      throw InputError(data + ": " + error.what());
    }
    values["shape"] = std::string("samples");
  }
  return located(section, place.fallback, [&] {
    // validate() would miss the points, which are no field: add them first.
    Signal made;
    made.curve = signal.curve;
    Description description = describe<Signal>();
    // The samples of a file are no fields of the signal, but keys of the section all the same.
    Description keys = description;
    for (const char* key : {"file", "time_column", "value_column"})
      keys.fields.push_back({.name = key});
    keys.fields.insert(keys.fields.end(), place.others.begin(), place.others.end());
    refuse_unknown(keys, values_of(section));
    for (const char* key : {"time_column", "value_column"})
      if (file.empty() && section.contains(key))
        throw InvalidInput(key, std::string("input: ") + key + " has no meaning without a file");
    assign(made, description, values);
    made.prepare(place.end);
    validate(made);
    return made;
  });
}

void refuse_section(const Sections& sections, const std::string& name, const std::string& why) {
  const Section& section = sections.at(name);
  if (!section.empty())
    throw InputError(section.begin()->second.where + ": [" + name + "] has no meaning " + why);
}

void refuse_others(const Sections& sections, const std::set<std::string>& read,
                   const std::string& why) {
  for (const auto& [name, section] : sections)
    if (!read.contains(name)) refuse_section(sections, name, why);
}

}  // namespace bristle::io
