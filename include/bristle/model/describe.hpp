// SPDX-License-Identifier: MIT
// Tables of parameters at run time: what the command line, files and documents are made from.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "bristle/model/field.hpp"

namespace bristle {

struct FieldInfo {
  std::string name;
  std::string unit;
  std::string meaning;
  double default_value = 0.0;  // for a choice: its index
  Bounds bounds{0.0, 0.0};
  std::vector<std::string> choices;  // empty for a number
  bool list = false;
  std::vector<double> default_list{};
  std::string at_least{};  // the field it must not be less than
  bool held = false;       // kept at its value in a fit unless it is freed
  Usual usual{};

  std::string usual_text() const;    // "usually 1e-06 to 1e+12 N/m", empty without limits
  std::string allowed() const;       // "greater than 0 N/m", "one of sine, triangle"
  std::string default_text() const;  // "0.4", "gaussian"
};

struct Description {
  std::string name;
  std::string summary;
  std::vector<FieldInfo> fields;
};

using Value = std::variant<double, std::string, std::vector<double>>;
std::string words(const Value& value);  // "0.4", "gaussian", "[1, 2, 3]"
using Values = std::map<std::string, Value, std::less<>>;

// The candidate closest to a mistyped word, or "" if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
// "there is no model 'lugree', did you mean 'lugre'? (models: coulomb, ...)"
std::string not_found(std::string_view kind, std::string_view word,
                      const std::vector<std::string>& candidates);

// The value of one field as the number stored in its owner; throws if it is out of its range.
double checked(std::string_view owner, const FieldInfo& field, const Value& value);
// The same for a list; a number counts as a list of one.
std::vector<double> checked_list(std::string_view owner, const FieldInfo& field,
                                 const Value& value);
// Throws if a value names no field, with the nearest name there is.
void refuse_unknown(const Description& description, const Values& values);

// The usual magnitudes of a field by its unit, wide enough for its default and within its bounds.
// Counts, choices and fields bounded on both sides away from zero have no limits but their bounds.
Usual usual_by_unit(std::string_view unit, const Bounds& bounds, double default_value);

// A value outside of its usual range: the field and the sentence that says so.
struct Unusual {
  std::string field;
  std::string sentence;
};
std::vector<Unusual> unusual_values(const Description& description, const Values& values);

template <Described Owner>
Description describe() {
  Description description{std::string(Owner::name), std::string(Owner::summary), {}};
  const Owner defaults{};
  for (const auto& field : Owner::fields()) {
    FieldInfo info{std::string(field.name),
                   std::string(field.unit),
                   std::string(field.meaning),
                   0.0,
                   field.bounds,
                   {}};
    for (const auto choice : field.choices) info.choices.emplace_back(choice);
    info.at_least = field.at_least;
    info.held = field.held;
    info.list = field.list != nullptr;
    info.usual = field.usual;
    if (field.choice) info.default_value = double(defaults.*field.choice);
    // An owner too small for a number or a list has none; compilers warn of reading one there.
    if constexpr (sizeof(Owner) >= sizeof(typename Field<Owner>::Number))
      if (field.number) info.default_value = double(defaults.*field.number);
    if constexpr (sizeof(Owner) >= sizeof(std::vector<double>))
      if (field.list) info.default_list = defaults.*field.list;
    if (!info.usual.limits() && info.choices.empty())
      info.usual = usual_by_unit(info.unit, info.bounds, info.default_value);
    description.fields.push_back(std::move(info));
  }
  return description;
}

// Puts the given values into an owner, without looking at the whole of it. Throws InvalidInput.
template <Described Owner>
void assign(Owner& owner, const Description& description, const Values& values) {
  std::size_t index = 0;
  for (const auto& field : Owner::fields()) {
    const FieldInfo& info = description.fields[index++];
    const auto given = values.find(info.name);
    if (given == values.end()) continue;
    if (field.list) {
      owner.*field.list = checked_list(description.name, info, given->second);
      continue;
    }
    const double number = checked(description.name, info, given->second);
    if (field.number) owner.*field.number = number;
    else owner.*field.choice = int(number);
  }
}

// An Owner with the given values, the others at their defaults. Throws InvalidInput.
template <Described Owner>
Owner make(const Values& values) {
  const Description description = describe<Owner>();
  refuse_unknown(description, values);
  Owner owner{};
  assign(owner, description, values);
  validate(owner);
  return owner;
}

// The values of an owner, for records of what was run.
template <Described Owner>
Values values_of(const Owner& owner) {
  Values values;
  for (const auto& field : Owner::fields()) {
    if (field.number) values[std::string(field.name)] = double(owner.*field.number);
    else if (field.list) values[std::string(field.name)] = owner.*field.list;
    else values[std::string(field.name)] = std::string(field.choices[owner.*field.choice]);
  }
  return values;
}

}  // namespace bristle
