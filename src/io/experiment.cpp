// SPDX-License-Identifier: MIT
#include "bristle/io/experiment.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/machine/parameters.hpp"
#include "build_case.hpp"
#include "field_path.hpp"
#include "part_use.hpp"
#include "section_fields.hpp"

namespace bristle::io {
namespace {

// A number, numbers with commas between, or else a text.
Value value_from(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    double number = 0.0;
    const auto read = std::from_chars(at < end && *at == '+' ? at + 1 : at, end, number);
    if (read.ec != std::errc() || (read.ptr != end && *read.ptr != ',')) return text;
    numbers.push_back(number);
    if (read.ptr == end) break;
    at = read.ptr + 1;
  }
  if (numbers.size() == 1) return numbers[0];
  return numbers;
}

std::string words_of(const Setting& s) {
  if (!s.where.empty()) return s.where;
  return "--set " + s.section + "." + s.field + "=" + s.value;
}

// Puts changed fields into a section. Another law of a contact or kind of a coupling starts from
// its own defaults: the fields of the one before are none of its.
void change(Sections& sections, const std::string& name, const Section& changes) {
  Section& section = sections[name];
  if (name.starts_with("coupling.") && changes.contains("kind")) section.clear();
  if (name.starts_with("contact.") && (changes.contains("law") || changes.contains("part")))
    std::erase_if(section, [](const auto& entry) {
      const auto fields = ContactSettings::fields();
      return std::none_of(fields.begin(), fields.end(),
                          [&](const auto& field) { return field.name == entry.first; });
    });
  for (const auto& [key, entry] : changes) section[key] = entry;
}

void apply(Sections& sections, const std::vector<Setting>& settings,
           const std::vector<std::string>& known) {
  Sections changes;
  for (const auto& setting : settings) {
    if (setting.section.empty()) continue;  // of the machine as a whole
    const std::string where = words_of(setting);
    if (std::find(known.begin(), known.end(), setting.section) == known.end())
      throw InputError(where + ": " + not_found("section", setting.section, known));
    changes[setting.section][setting.field] = {value_from(setting.value), where};
  }
  for (const auto& [name, section] : changes) change(sections, name, section);
}

// Adds a sentence for each given value outside of its usual range, once for all cases.
void warn_of_unusual(const Case& c, const Sections& sections, std::vector<std::string>& all) {
  for (const auto& [section, values] : c.sections)
    for (const auto& [key, value] : values) {
      FieldInfo field = field_of(c, section, key);
      field.name = key;  // of a machine it is the whole path
      const Description table{section, "", {std::move(field)}};
      for (const auto& odd : unusual_values(table, values)) {
        std::string sentence = sections.at(section).at(key).where + ": " + odd.sentence;
        if (std::find(all.begin(), all.end(), sentence) == all.end())
          all.push_back(std::move(sentence));
      }
    }
}

// Samples of a run at a fixed step are taken where steps end. Refuses more samples than steps,
// which would repeat rows, and a spectrum of samples that would not be even.
void check_samples(const Case& c, const std::vector<FigureSpec>& figures, const Sections& sections,
                   const std::string& path) {
  const Options& o = c.options;
  const bool fixed = o.method == Options::coupled || o.method == Options::bristle_only;
  if (c.kind != CaseKind::run || !fixed) return;
  const auto& solve = sections.at("solve");
  const auto at = solve.contains("step") ? solve.find("step") : solve.find("samples");
  const std::string where = at == solve.end() ? path + ": [solve]" : at->second.where;
  const double steps = std::max(1.0, std::round(o.end / o.step)), step = o.end / steps;
  const double apart = (o.end - o.record_from) / (o.samples - 1.0);
  const double most = std::floor((o.end - o.record_from) / step * (1.0 + 1e-9)) + 1.0;
  if (apart < step * (1.0 - 1e-9))
    throw InputError(where + ": solve: step = " + words(o.step) + " s is longer than the " +
                     words(apart) + " s between samples; samples = " + words(o.samples) +
                     " must be at most " + words(most) + ", or the step at most " + words(apart) +
                     " s");
  const double ratio = apart / step;
  if (std::abs(ratio - std::round(ratio)) <= 1e-6 * ratio) return;
  for (const auto& f : figures)
    if (!f.spectrum.empty())
      throw InputError(where + ": solve: step = " + words(o.step) + " s does not divide the " +
                       words(apart) + " s between samples, figure '" + f.name +
                       "' needs even samples for its spectrum");
}

}  // namespace

std::string Case::subject() const {
  if (kind == CaseKind::machine) return "machine";
  if (kind == CaseKind::surface) return "roughness";
  if (system && law) return "mechanism";
  return kind == CaseKind::system ? "system" : kind == CaseKind::curve ? "curve" : "model";
}

Description Case::description() const {
  if (kind == CaseKind::machine) {
    Description all{
        "machine", "bodies, what couples them, where they rub and what drives them", {}};
    for (auto& parameter : parameters_of(machine->parts()))
      all.fields.push_back(std::move(parameter.field));
    return all;
  }
  if (kind == CaseKind::surface) return describe<Roughness>();
  if (system) return system->description();
  return kind == CaseKind::curve ? describe<CurveShape>() : find_law(law->name()).description;
}

Values Case::values() const {
  if (kind == CaseKind::machine) {
    Values all;
    for (auto& parameter : parameters_of(machine->parts()))
      all[parameter.field.name] = std::move(parameter.value);
    return all;
  }
  if (kind == CaseKind::surface) return bristle::values_of(*roughness);
  if (system) return system->values();
  return kind == CaseKind::curve ? bristle::values_of(*curve) : law->values();
}

// Two settings of one field contradict each other.
void refuse_twice(const std::vector<Setting>& settings) {
  for (std::size_t i = 0; i < settings.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (settings[k].section == settings[i].section && settings[k].field == settings[i].field)
        throw InputError(words_of(settings[k]) + " and " + words_of(settings[i]) +
                         " contradict each other: both set " + settings[i].section + "." +
                         settings[i].field);
}

Setting parse_setting(const std::string& text) {
  const auto equals = text.find('=');
  const auto dot = text.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals || dot == 0)
    throw InputError("--set " + text + ": must have the form section.field=value");
  const auto [section, field] = split_path(text.substr(0, equals));
  return {section, field, text.substr(equals + 1)};
}

namespace {

// The part that stands at the top of a machine, or was given beside it.
std::optional<Entry> machine_part(const Document& document, const std::vector<Setting>& settings) {
  for (const auto& setting : settings)
    if (setting.section.empty() && setting.field == "part") {
      if (document.machine.empty())
        throw InputError("--part " + setting.value + ": is that of a machine, the file has none");
      return Entry{setting.value, "--part " + setting.value};
    }
  return document.part;
}

}  // namespace

Case make_case(const Document& document, const CaseChanges& variant,
               const std::vector<Setting>& settings, const std::vector<FigureSpec>& figures,
               std::vector<std::string>& warnings) {
  const std::string& path = document.path;
  Sections sections = document.sections;
  std::set<std::string> given;
  for (const auto& [name, section] : sections) given.insert(name);
  for (const auto& [name, section] : variant.changes) given.insert(name);
  for (const auto& setting : settings) given.insert(setting.section);
  for (const auto& name : section_names()) sections[name];
  PartsRead parts;
  if (const auto whole = machine_part(document, settings))
    expand_machine_part(sections, *whole, path, parts);
  for (const auto& [name, section] : variant.changes) change(sections, name, section);
  apply(sections, settings, section_names(document));
  expand_parts(sections, path, parts);
  Case c = build_case(variant.label, sections, given, document.machine, path);
  c.attachments.merge(parts.attachments);
  c.parts = std::move(parts.uses);
  for (auto& warning : parts.warnings)
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
      warnings.push_back(std::move(warning));
  check_samples(c, figures, sections, path);
  warn_of_unusual(c, sections, warnings);
  return c;
}

Experiment read_experiment(const std::string& path, const std::vector<Setting>& settings) {
  return parse_experiment(read_text(path), path, settings);
}

namespace {

// A machine that stands in its part, with the values found.
Experiment parse_part_of_machine(const std::string& text, const std::string& path,
                                 std::vector<Setting> settings) {
  const Part part = parse_part(text, path);
  const std::string name = std::filesystem::path(path).filename().string();
  if (part.kind != "machine")
    throw InputError(path + ": is a part, the result of a fit: write [model] and part = \"" + name +
                     "\" into an experiment file, or see bristle part show " + name);
  settings.push_back({"", "part", name});
  return parse_experiment(part.machine, path, settings);
}

}  // namespace

Experiment parse_experiment(const std::string& text, const std::string& path,
                            const std::vector<Setting>& settings) {
  if (is_part(text)) return parse_part_of_machine(text, path, settings);
  refuse_twice(settings);
  Document document = parse_document(text, path);
  Experiment experiment = std::move(document.experiment);
  for (auto& variant : document.cases) {
    Case c = make_case(document, variant, settings, experiment.figures, experiment.warnings);
    c.expectations = document.expectations;
    c.expectations.insert(c.expectations.end(), variant.expectations.begin(),
                          variant.expectations.end());
    // What [expect] says is of the cases, not of every value that is tried; of a sweep, once.
    if (!variant.sweep.empty()) c.expectations.clear();
    if (!experiment.cases.empty())
      std::erase_if(c.expectations, [](const Expectation& e) { return !e.sweep.empty(); });
    c.sweep = variant.sweep;
    c.swept = variant.swept;
    c.swept_value = variant.swept_value;
    check_questions(c, experiment.figures);
    experiment.cases.push_back(std::move(c));
  }
  return experiment;
}

}  // namespace bristle::io
