// SPDX-License-Identifier: MIT
#include "bristle/identify/dependence.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "bristle/identify/fit.hpp"
#include "bristle/model/load_dependence.hpp"
#include "bristle/model/registry.hpp"
#include "law_kernel.hpp"
#include "search_range.hpp"

namespace bristle {
namespace {

constexpr std::string_view dependence_forms[]{"linear", "quadratic", "exponential"};

// A coefficient may change its parameter by so many times the size that one is searched in.
constexpr double largest_change = 10.0;

// The numbers of a column over the fitted samples.
struct ColumnRange {
  double least = INFINITY, most = -INFINITY, mean = 0.0;
  double half() const { return 0.5 * (most - least); }
};

ColumnRange range_of(const FitProblem& problem, int column) {
  ColumnRange r;
  double count = 0.0;
  for (const Track& run : problem.runs)
    for (const Sample& s : run.samples) {
      if (s.weight == 0.0) continue;
      const double c = (*run.conditions)[std::size_t(s.row) * std::size_t(problem.conditions) +
                                         std::size_t(column)];
      r.least = std::min(r.least, c), r.most = std::max(r.most, c);
      count += 1.0, r.mean += (c - r.mean) / count;
    }
  return r;
}

// The mean, to a digit that is of the size of a tenth of the range.
double reference_of(const ColumnRange& r) {
  const double digit = std::pow(10.0, std::floor(std::log10(r.half())));
  return std::round(r.mean / digit) * digit;
}

int column_of(const DependOption& depend, const FitOptions& options) {
  std::vector<std::string> names;
  for (const ConditionColumn& c : options.conditions) names.push_back(c.name);
  const auto at = std::find(names.begin(), names.end(), depend.column);
  if (at == names.end()) throw InvalidInput("depends", not_found("column", depend.column, names));
  return int(at - names.begin());
}

// The parameter that depends, -1 for the whole force.
int parameter_of(const FitProblem& problem, const std::string& name) {
  if (name == whole_force) {
    if (depends_on_load(problem.law))
      throw InvalidInput("depends", "the force of " + problem.law +
                                        " is in proportion to its load already: let its "
                                        "parameters depend on a column, not the whole force");
    return -1;
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
    const bool of_law = problem.field_of[i] >= 0;
    if (!of_law && problem.parameters[i].name != "offset") continue;
    names.push_back(problem.parameters[i].name);
    if (names.back() != name) continue;
    if (!of_law && !problem.parameters[i].free)
      throw InvalidInput("depends", "offset is not fitted, so it depends on nothing: add --offset");
    return int(i);
  }
  names.emplace_back(whole_force);
  throw InvalidInput("depends", not_found("parameter of " + problem.law, name, names));
}

// How large a parameter is, as it is searched.
double size_of(const FitParameter& p) {
  if (p.logarithmic) return std::exp(p.search_to);
  return std::max({std::abs(p.search_from), std::abs(p.search_to), std::abs(p.value)});
}

std::string unit_over(std::string unit, const std::string& column, int power) {
  if (unit.empty()) unit = "1";
  if (column.empty()) return unit == "1" ? "" : unit;
  return unit + "/" + (column.find('/') == column.npos ? column : "(" + column + ")") +
         (power == 2 ? "2" : "");
}

}  // namespace

std::string_view word_of(DependenceForm form) { return dependence_forms[std::size_t(form)]; }

DependenceForm dependence_form(std::string_view word) {
  for (const auto form :
       {DependenceForm::linear, DependenceForm::quadratic, DependenceForm::exponential})
    if (word == word_of(form)) return form;
  const std::vector<std::string> all(std::begin(dependence_forms), std::end(dependence_forms));
  throw InvalidInput("depends", not_found("form of a dependence", word, all));
}

std::vector<std::string> coefficient_names(std::string_view parameter, std::string_view column,
                                           DependenceForm form) {
  std::vector<std::string> names{std::string(parameter) + "." + std::string(column)};
  if (form == DependenceForm::quadratic) names.push_back(names.front() + "^2");
  return names;
}

void add_dependence(FitProblem& problem, const DependOption& depend, const FitOptions& options) {
  if (problem.kind == FitKind::rollout)
    throw InvalidInput("depends",
                       "a fit of motion has parameters that stay: they depend on no "
                       "column");
  if (!shaped_kernel_of(problem.law))
    throw InvalidInput("depends", "the parameters of " + problem.law + " depend on no column");
  Dependence d{.parameter = parameter_of(problem, depend.parameter),
               .column = column_of(depend, options),
               .form = depend.form};
  for (const Track& run : problem.runs)
    if (!run.conditions || run.conditions->size() < run.samples.size() * options.conditions.size())
      throw InvalidInput("depends", "run " + run.name + " has no column " + depend.column);
  for (const Dependence& other : problem.depends)
    if (other.parameter == d.parameter && other.column == d.column)
      throw InvalidInput(
          "depends", depend.parameter + " depends on " + depend.column + " twice, one is meant");
  problem.conditions = int(options.conditions.size());
  const ColumnRange range = range_of(problem, d.column);
  const std::string& column_unit = options.conditions[std::size_t(d.column)].unit;
  if (!(range.half() > 1e-9 * std::max(std::abs(range.least), std::abs(range.most))))
    throw InvalidInput("depends", depend.column + " is " + words(range.least) +
                                      (column_unit.empty() ? "" : " " + column_unit) +
                                      " in all fitted samples: how " + depend.parameter +
                                      " depends on it cannot be determined");
  d.reference = reference_of(range);
  d.first = int(problem.parameters.size());
  double size = 1.0;
  std::string unit;
  if (d.parameter >= 0) {
    const FitParameter& p = problem.parameters[std::size_t(d.parameter)];
    size = size_of(p), unit = problem.units.of(p.unit);
    // The parameter may be held at a value outside of where it would be searched.
    d.least = std::min(p.logarithmic ? std::exp(p.lower) : p.lower, p.value);
    d.most = std::max(p.logarithmic ? std::exp(p.upper) : p.upper, p.value);
  } else {
    d.least = 1e-3;
  }
  const double far = std::max(range.most - d.reference, d.reference - range.least);
  int power = 0;
  for (const std::string& name : coefficient_names(depend.parameter, depend.column, depend.form)) {
    FitParameter p{name};
    p.coefficient = p.free = true;
    const bool rate = depend.form == DependenceForm::exponential;
    const double most = largest_change * (rate ? 1.0 : size) / std::pow(far, ++power);
    p.unit = unit_over(rate ? "" : unit, column_unit, power);
    p.meaning = std::string(rate         ? "rate of growth"
                            : power == 2 ? "second coefficient"
                                         : "slope") +
                " of " + depend.parameter + " over " + depend.column + ", which is counted from " +
                words(d.reference);
    p.lower = -most, p.upper = most;
    p.search_from = -1e-6 * most, p.search_to = 1e-6 * most;
    if (const auto guess = options.guess.find(name); guess != options.guess.end())
      p.value = guess->second;
    if (const auto limits = options.bounds.find(name); limits != options.bounds.end()) {
      std::tie(p.lower, p.upper) = limits->second;
      p.search_from = std::clamp(p.search_from, p.lower, p.upper);
      p.search_to = std::clamp(p.search_to, p.lower, p.upper);
    }
    p.value = std::clamp(p.value, p.lower, p.upper);
    problem.parameters.push_back(std::move(p));
    problem.field_of.push_back(-1);
  }
  problem.depends.push_back(d);
}

void add_dependences(FitProblem& problem, const FitOptions& options) {
  for (const DependOption& one : options.depends) add_dependence(problem, one, options);
}

namespace {

// One parameter, without what it is counted from, or the whole force.
double along(double base, std::span<const LawDependence> depends, std::string_view parameter,
             const std::map<std::string, double>& at) {
  for (const LawDependence& d : depends) {
    const auto given = at.find(d.column);
    if (d.parameter == parameter && given != at.end())
      base = depending(d.form, base, d.coefficients.data(), given->second - d.reference);
  }
  return base;
}

}  // namespace

Values values_at(std::string_view law, Values values, std::span<const LawDependence> depends,
                 const std::map<std::string, std::string>& above,
                 const std::map<std::string, double>& at) {
  const Description& description = find_law(law).description;
  const Values before = values;
  const auto number = [&](const Values& all, const std::string& name) {
    const auto there = all.find(name);
    const auto* value = there == all.end() ? nullptr : std::get_if<double>(&there->second);
    return value ? *value : 0.0;
  };
  for (const FieldInfo& field : description.fields) {
    if (!values.contains(field.name) || !field.choices.empty()) continue;
    // What a parameter is counted from stands before it in the table.
    const auto other = above.find(field.name);
    const bool counted = other != above.end();
    const double from = counted ? number(before, other->second) : 0.0;
    const double excess = along(number(before, field.name) - from, depends, field.name, at);
    values[field.name] = (counted ? number(values, other->second) : 0.0) + excess;
  }
  const double factor = along(1.0, depends, whole_force, at);
  if (factor != 1.0)
    for (const FieldInfo& field : description.fields)
      if (values.contains(field.name) && field.choices.empty() &&
          dimensions_of(field.unit).force == 1)
        values[field.name] = factor * number(values, field.name);
  return values;
}

double offset_at(double offset, std::span<const LawDependence> depends,
                 const std::map<std::string, double>& at) {
  return along(offset, depends, "offset", at);
}

}  // namespace bristle
