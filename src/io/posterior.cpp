// SPDX-License-Identifier: MIT
#include "posterior.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/part.hpp"
#include "field_path.hpp"
#include "section_values.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

// A field of a section as the variant and the changes leave it, empty if there is none.
std::string given_text(const Document& document, const CaseChanges& variant,
                       const std::vector<Setting>& settings, const std::string& section,
                       const std::string& field) {
  for (const auto& setting : settings)
    if (setting.section == section && setting.field == field) return setting.value;
  for (const Sections* sections : {&variant.changes, &document.sections}) {
    const auto at = sections->find(section);
    if (at == sections->end()) continue;
    if (at->second.contains(field)) return text_of(at->second, field, "");
  }
  if (!section.empty() || !document.part) return "";
  const auto* file = std::get_if<std::string>(&document.part->value);
  return file ? *file : "";
}

// Whether the file gives a field itself, so that the part does not. The part of a machine wins over
// the file, but not over its cases.
bool fixed_by_file(const Document& document, const CaseChanges& variant, const std::string& section,
                   const std::string& field, bool machine) {
  const auto has = [&](const Sections& sections) {
    const auto at = sections.find(section);
    return at != sections.end() && at->second.contains(field);
  };
  return has(variant.changes) || (!machine && has(document.sections));
}

// Where the columns are that the parameters of a part depend on: numbers of [conditions], and for
// those that the sweep varies the place among the fields of the plan.
struct PosteriorConditions {
  Conditions given;
  std::map<std::string, std::size_t> varied;

  Conditions at(std::span<const double> fields) const {
    Conditions all = given;
    for (const auto& [column, place] : varied) all[column] = fields[place];
    return all;
  }
};

PosteriorConditions conditions_in(const Document& document, const CaseChanges& variant,
                                  const std::vector<Setting>& settings,
                                  const std::vector<std::string>& fields) {
  const std::string section = "conditions";
  PosteriorConditions all;
  for (const Sections* sections : {&document.sections, &variant.changes})
    if (const auto at = sections->find(section); at != sections->end())
      for (const auto& [column, entry] : at->second)
        if (const auto* number = std::get_if<double>(&entry.value)) all.given[column] = *number;
  // A text that is no number is refused where the case is made.
  for (const auto& setting : settings)
    if (setting.section == section)
      std::from_chars(setting.value.data(), setting.value.data() + setting.value.size(),
                      all.given[setting.field]);
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (const auto [owner, column] = split_path(fields[i]); owner == section)
      all.varied[column] = i;
  return all;
}

// Units differ: values, or what they exceed another by, are multiplied by exp(spread * normal).
struct PosteriorSampler {
  Part part;
  PosteriorConditions conditions;
  std::vector<std::size_t> drawn{};      // parameters that are fields
  std::vector<double> spread{};          // of each parameter, 0: none
  std::vector<std::size_t> spread_of{};  // parameters with one, in the order of their numbers

  // A draw, with the parameters that depend on a column as they are where the column is.
  std::vector<double> draw(std::span<const double> normals, std::span<const double> fields) const {
    std::vector<double> all = part.draw(normals);
    if (part.depends.empty()) return all;
    const Conditions at = conditions.at(fields);
    for (const char* of : {"law", "bias"}) {
      const Values values = part.values(of, all, at);
      for (std::size_t i = 0; i < all.size(); ++i)
        if (const auto one = values.find(part.parameters[i].name);
            part.parameters[i].of == of && one != values.end())
          all[i] = std::get<double>(one->second);
    }
    return all;
  }

  std::vector<double> operator()(std::span<const double> normals,
                                 std::span<const double> fields) const {
    const std::size_t n = part.fitted().size();
    const std::vector<double> unit = draw(normals.first(n), fields);
    std::vector<double> factor(unit.size(), 1.0), value(unit);
    for (std::size_t k = 0; k < spread_of.size(); ++k)
      factor[spread_of[k]] = std::exp(spread[spread_of[k]] * normals[n + k]);
    for (std::size_t i = 0; i < unit.size(); ++i) {
      const PartParameter* other =
          part.parameters[i].above.empty() ? nullptr : part.find(part.parameters[i].above);
      const auto at = other ? std::size_t(other - part.parameters.data()) : i;
      value[i] = other ? value[at] + (unit[i] - unit[at]) * factor[i] : unit[i] * factor[i];
    }
    std::vector<double> all;
    for (const std::size_t i : drawn) all.push_back(value[i]);
    return all;
  }
};

// The path of a parameter in the experiment; empty where it does not act there.
std::string path_of_parameter(const PartParameter& p, const std::string& section,
                              bool with_mechanism) {
  if (section.empty()) return p.of == "machine" ? p.name : "";
  if (p.of == "law") return section + "." + p.name;
  if (p.of == "bias" && section == "model") return "bias." + p.name;
  return p.of == "mechanism" && with_mechanism ? p.name : "";
}

// Whether a parameter depends on a column, by itself or with all forces of its law: whether it is
// another where all coefficients are 1 and all columns are a unit away.
bool depends(const Part& part, const PartParameter& p) {
  std::vector<double> numbers;
  for (const auto& one : part.parameters)
    numbers.push_back(one.of == "dependence" ? 1.0 : one.value);
  Conditions away;
  for (const auto& d : part.depends) away[d.column] = d.reference + 1.0;
  const Values values = part.values(p.of, numbers, away);
  const auto at = values.find(p.name);
  return at != values.end() && std::get<double>(at->second) != p.value;
}

}  // namespace

JointFields posterior_fields(const PosteriorDraw& draw, const Document& document,
                             const CaseChanges& variant, const std::vector<Setting>& settings,
                             const std::vector<std::string>& fields) {
  const auto refuse = [&](const std::string& why) {
    throw InputError(draw.where + ": [[draw]]: posterior = \"" + shown(draw.section) +
                     "\": " + why);
  };
  const bool machine = draw.section == "machine";
  const std::string section = machine ? "" : draw.section;
  const std::string file = given_text(document, variant, settings, section, "part");
  if (file.empty())
    refuse(machine ? "the machine has no part, write part = \"FILE\" at the top of the file"
                   : "there is no part, write part = \"FILE\" into [" + shown(draw.section) + "]");
  const std::filesystem::path given(file);
  const std::string path =
      given.is_absolute() ? file
                          : (std::filesystem::path(document.path).parent_path() / given).string();
  PosteriorSampler sampler{parse_part(read_text(path), path),
                           conditions_in(document, variant, settings, fields)};
  const Part& part = sampler.part;
  const bool with_mechanism =
      section == "model" && given_text(document, variant, settings, "mechanism", "part") == file;

  JointFields joint;
  sampler.spread.assign(part.parameters.size(), 0.0);
  const auto fitted = part.fitted();
  std::vector<std::string> known;
  for (std::size_t i = 0; i < part.parameters.size(); ++i) {
    const PartParameter& p = part.parameters[i];
    const std::string field = path_of_parameter(p, section, with_mechanism);
    const auto [owner, key] = split_path(field);
    if (field.empty() || fixed_by_file(document, variant, owner, key, machine)) continue;
    known.push_back(p.name);
    if (const auto at = draw.spread.find(p.name); at != draw.spread.end()) {
      sampler.spread[i] = at->second;
      sampler.spread_of.push_back(i);
    }
    const auto k = std::size_t(std::find(fitted.begin(), fitted.end(), i) - fitted.begin());
    const bool moves = p.fitted && part.covariance[k * fitted.size() + k] > 0.0;
    if (!moves && p.above.empty() && sampler.spread[i] == 0.0 &&
        (part.depends.empty() || !depends(part, p)))
      continue;
    sampler.drawn.push_back(i);
    joint.fields.push_back(field);
  }
  for (const auto& [name, value] : draw.spread)
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse("spread: " + not_found("parameter of the part", shown(name), known));
  if (joint.fields.empty())
    refuse("nothing is drawn: the part has no fitted parameter that the file leaves to it");
  joint.dimensions = int(fitted.size() + sampler.spread_of.size());
  joint.values = std::move(sampler);
  return joint;
}

}  // namespace bristle::io
