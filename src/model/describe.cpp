// SPDX-License-Identifier: MIT
#include "bristle/model/describe.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace bristle {

std::string words(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[40];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

namespace {

// A count in digits: 100000000 and not 1e+08.
std::string count_words(const Bounds& bounds, double value) {
  if (!bounds.whole || !(std::abs(value) < 1e15) || value != std::floor(value)) return words(value);
  return std::to_string(static_cast<long long>(value));
}

}  // namespace

std::string words(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return words(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  std::string all = "[";
  for (const double x : std::get<std::vector<double>>(value))
    (all += all.size() == 1 ? "" : ", ") += words(x);
  return all += "]";
}

std::string words(const Bounds& bounds, std::string_view unit, double value) {
  std::string tail;
  if (!unit.empty()) (tail = " ") += unit;
  const bool below = bounds.lower > -largest;
  const bool above = bounds.upper < largest;
  const std::string kind = bounds.whole           ? "a whole number "
                           : std::isfinite(value) ? ""
                                                  : "a finite number ";
  const std::string from = kind + (bounds.open_below ? "greater than " : "at least ");
  if (below && above)
    return from + count_words(bounds, bounds.lower) + " and at most " +
           count_words(bounds, bounds.upper) + tail;
  if (below) return from + count_words(bounds, bounds.lower) + tail;
  if (above) return kind + "at most " + count_words(bounds, bounds.upper) + tail;
  return "a finite number" + (tail.empty() ? "" : " in" + tail);
}

std::string join(std::span<const std::string_view> names, std::string_view separator) {
  std::string all;
  for (const auto name : names) (all += all.empty() ? "" : separator) += name;
  return all;
}

namespace {

// From what microscopes and clocks resolve to what the largest machines do, with room to spare.
struct UnitRange {
  std::string_view unit;
  Usual usual;
};
constexpr UnitRange unit_ranges[]{
    {"m", {1e-12, 1e5}},     {"m/s", {1e-10, 1e4}}, {"m/s2", {1e-9, 1e6}}, {"rad", {1e-9, 1e5}},
    {"rad/s", {1e-8, 1e8}},  {"s", {1e-9, 1e8}},    {"1/s", {1e-8, 1e8}},  {"kg", {1e-9, 1e7}},
    {"kg m2", {1e-12, 1e7}}, {"N", {1e-9, 1e9}},    {"N m", {1e-9, 1e9}},  {"N/m", {1e-6, 1e12}},
    {"N s/m", {1e-9, 1e9}},  {"Pa", {1e-3, 1e12}},  {"m2", {1e-12, 1e6}}};
constexpr Usual any_unit{1e-9, 1e9};

}  // namespace

Usual usual_by_unit(std::string_view unit, const Bounds& bounds, double default_value) {
  if (bounds.whole || (bounds.lower > 0.0 && bounds.upper < largest)) return {};
  Usual usual = any_unit;
  for (const auto& range : unit_ranges)
    if (range.unit == unit) usual = range.usual;
  if (const double size = std::abs(default_value); size > 0.0)
    usual = {std::min(usual.smallest, size), std::max(usual.most, size)};
  if (bounds.lower > 0.0) usual.smallest = std::max(usual.smallest, bounds.lower);
  usual.most = std::min(usual.most, std::max(bounds.upper, -bounds.lower));
  return usual;
}

std::string FieldInfo::usual_text() const {
  if (!usual.limits()) return "";
  return (bounds.lower < 0.0 ? "usually of a magnitude of " : "usually ") + words(usual.smallest) +
         " to " + words(usual.most) + (unit.empty() ? "" : " " + unit);
}

std::vector<Unusual> unusual_values(const Description& description, const Values& values) {
  std::vector<Unusual> all;
  for (const auto& field : description.fields) {
    const auto given = values.find(field.name);
    if (given == values.end()) continue;
    const auto look = [&](double number) {
      if (field.usual.contain(number)) return;
      const std::string unit = field.unit.empty() ? "" : " " + field.unit;
      all.push_back({field.name, description.name + ": " + field.name + " = " + words(number) +
                                     unit + " is unusual, it is " + field.usual_text()});
    };
    if (const auto* number = std::get_if<double>(&given->second)) {
      look(*number);
    } else if (const auto* list = std::get_if<std::vector<double>>(&given->second)) {
      // One sentence per field, however many of its numbers are unusual.
      const auto odd = std::find_if(list->begin(), list->end(),
                                    [&](double x) { return !field.usual.contain(x); });
      if (odd != list->end()) look(*odd);
    }
  }
  return all;
}

std::string FieldInfo::allowed() const {
  if (choices.empty())
    return (list ? "a list of numbers, each " : "") + words(bounds, unit) +
           (at_least.empty() ? "" : ", no less than " + at_least);
  std::string all = "one of";
  for (const auto& choice : choices) all += (all == "one of" ? " " : ", ") + choice;
  return all;
}

std::string FieldInfo::default_text() const {
  if (list) return words(Value(default_list));
  return choices.empty() ? count_words(bounds, default_value) : choices[std::size_t(default_value)];
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const auto& candidate : candidates) {
    // The lengths alone may tell.
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) >= best_distance) continue;
    // Edit distance, one row at a time.
    std::vector<std::size_t> row(candidate.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j < row.size(); ++j) {
        const std::size_t replace = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = candidate;
    }
  }
  // Otherwise the shortest name that begins with the word.
  if (best.empty() && word.size() >= 3)
    for (const auto& candidate : candidates)
      if (candidate.starts_with(word) && (best.empty() || candidate.size() < best.size()))
        best = candidate;
  // Or one whose last part is the word: body.motor for motor.
  if (best.empty() && !word.empty())
    for (const auto& candidate : candidates)
      if (best.empty() && candidate.ends_with("." + std::string(word))) best = candidate;
  return best;
}

namespace {

// "a number greater than 0 kg" of "greater than 0 kg".
std::string number_words(const FieldInfo& field) {
  const std::string range = words(field.bounds, field.unit);
  return (range.starts_with("a ") ? "" : "a number ") + range;
}

// "parameters of lugre" of "parameter of lugre".
std::string several(std::string kind) {
  std::size_t noun = kind.size();
  for (const char* joint : {" of ", " that ", " with ", " for "})
    noun = std::min(noun, kind.find(joint));
  if (noun > 1 && kind[noun - 1] == 'y' &&
      std::string_view("aeiou").find(kind[noun - 2]) == std::string_view::npos)
    return kind.replace(noun - 1, 1, "ies");
  return kind.insert(noun, "s");
}

}  // namespace

std::string not_found(std::string_view kind, std::string_view word,
                      const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  std::string text = "there is no " + std::string(kind) + " '" + std::string(word) + "'";
  if (!near.empty()) text += ", did you mean '" + near + "'?";
  text += " (" + several(std::string(kind)) + ": ";
  for (const auto& name : candidates) (text += &name == &candidates[0] ? "" : ", ") += name;
  return text += ")";
}

double checked(std::string_view owner, const FieldInfo& field, const Value& value) {
  const std::string head = std::string(owner) + ": " + field.name + " = ";
  if (const auto* text = std::get_if<std::string>(&value)) {
    const auto at = std::find(field.choices.begin(), field.choices.end(), *text);
    if (at != field.choices.end()) return double(at - field.choices.begin());
    const std::string near = nearest(*text, field.choices);
    if (field.choices.empty())
      throw InvalidInput(field.name, head + "\"" + *text + "\" must be " + number_words(field));
    throw InvalidInput(field.name, head + "\"" + *text + "\" is not allowed, it must be " +
                                       field.allowed() +
                                       (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  if (std::holds_alternative<std::vector<double>>(value))
    throw InvalidInput(field.name, head + words(value) + " is not allowed, it must be " +
                                       (field.choices.empty() ? "one number, with a decimal point"
                                                              : field.allowed()));
  const double number = std::get<double>(value);
  if (!field.choices.empty() || !field.bounds.contain(number)) {
    const bool unit = field.choices.empty() && !field.unit.empty();
    throw InvalidInput(field.name,
                       head + count_words(field.bounds, number) + (unit ? " " + field.unit : "") +
                           " is not allowed, it must be " +
                           (unit || field.choices.empty() ? words(field.bounds, field.unit, number)
                                                          : field.allowed()));
  }
  return number;
}

std::vector<double> checked_list(std::string_view owner, const FieldInfo& field,
                                 const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value))
    throw InvalidInput(field.name, std::string(owner) + ": " + field.name + " = \"" + *text +
                                       "\" is not allowed, it must be " + field.allowed());
  const auto* given = std::get_if<std::vector<double>>(&value);
  std::vector<double> numbers = given ? *given : std::vector{std::get<double>(value)};
  for (const double number : numbers) checked(owner, field, number);
  return numbers;
}

void refuse_unknown(const Description& description, const Values& values) {
  std::vector<std::string> names;
  for (const auto& field : description.fields) names.push_back(field.name);
  for (const auto& [name, value] : values) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const std::string near = nearest(name, names);
    std::string all;
    for (const auto& n : names) all += (all.empty() ? "" : ", ") + n;
    throw InvalidInput(name, description.name + ": there is no field '" + name + "'" +
                                 (near.empty() ? "" : ", did you mean '" + near + "'?") +
                                 " (fields: " + all + ")");
  }
}

}  // namespace bristle
