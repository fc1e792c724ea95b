// SPDX-License-Identifier: MIT
#include "section_fields.hpp"

#include "bristle/model/bias.hpp"
#include "bristle/system/rolling.hpp"
#include "field_path.hpp"

namespace bristle::io {
namespace {

// The tables that may describe a section, in the order they are looked at.
std::vector<Description> tables_of(const Case& c, const std::string& section) {
  if (section == c.subject()) {
    std::vector<Description> own{c.description()};
    if (section == "mechanism") own.push_back(describe<BrakedWheel>());
    return own;
  }
  if (section == "model" && c.law) return {find_law(c.law->name()).description};
  if (section == "mechanism") {
    if (c.mechanism)
      return {std::visit([]<class M>(const M&) { return describe<M>(); }, *c.mechanism)};
    return {describe<PatchShape>(), describe<BrakedWheel>()};
  }
  if (section == "surface") return {describe<SurfaceSweep>()};
  if (section == "bias") return {describe<ForceBias>()};
  if (section == "roughness") return {describe<Roughness>()};
  if (section == "input") return {describe<Signal>()};
  if (section == "initial") return {describe<Initial>()};
  if (section == "solve") return {describe<Options>()};
  if (section == "steady") return {describe<SteadySweep>()};
  if (section == "bode") return {describe<BodeSweep>()};
  if (section == "map" || section == "map_down" || section == "unfold")
    return {describe<MapShape>()};
  if (section == "identify") return {describe<PlayIdentification>()};
  return {};
}

}  // namespace

FieldInfo field_of(const Case& c, const std::string& section, const std::string& field) {
  if (c.kind == CaseKind::machine && section != "solve") {
    for (const auto& info : c.description().fields)
      if (info.name == section + "." + field) return info;
    return {.name = field};
  }
  for (const auto& table : tables_of(c, section))
    for (const auto& info : table.fields)
      if (info.name == field) return info;
  return {.name = field};
}

namespace {

FieldInfo at_path(const Case& c, const std::string& path) {
  const auto [section, field] = split_path(path);
  return field.empty() ? FieldInfo{.name = path} : field_of(c, section, field);
}

// What a signal drives decides its unit; that of a system is not known.
std::string input_unit(const Case& c) {
  if (c.system) return !c.law ? "" : c.rolling == RollingKind::wheel ? "N m" : "m/s";
  if (!c.mechanism) return "m";
  return std::visit([]<class M>(const M&) { return std::string(M::input_unit); }, *c.mechanism);
}

}  // namespace

bool is_part_of_machine(const Case& c, const std::string& section) {
  return c.kind == CaseKind::machine && section.find('.') != std::string::npos;
}

bool is_shown(const Case& c, const FieldInfo& field, const Value& value) {
  const auto [section, name] = split_path(field.name);
  const bool of_signal = section.starts_with("input.") || section.starts_with("drive.");
  if (c.kind != CaseKind::machine || !of_signal) return true;
  const auto given = c.sections.find(section);
  if (given != c.sections.end() && given->second.contains(name)) return true;
  if (const auto* number = std::get_if<double>(&value)) return *number != field.default_value;
  return words(value) != field.default_text();
}

std::string unit_of(const Case& c, const std::string& path) {
  std::string unit = at_path(c, path).unit;
  if (path.starts_with("input.") && unit == "N or m") unit = input_unit(c);
  return unit;
}

std::string bracketed_unit_of(const Case& c, const std::string& path) {
  const std::string unit = unit_of(c, path);
  return unit.empty() ? "" : " [" + unit + "]";
}

std::string meaning_of(const Case& c, const std::string& path) {
  const std::string meaning = at_path(c, path).meaning;
  return meaning.empty() ? path : meaning;
}

}  // namespace bristle::io
