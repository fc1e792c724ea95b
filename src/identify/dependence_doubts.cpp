// SPDX-License-Identifier: MIT
// Warnings about parameters that depend on columns.
#include <algorithm>
#include <cstdio>

#include "judge_fit.hpp"

namespace bristle {
namespace {

std::string brief_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

// Samples at which a parameter is held at a bound.
long held_at_bound(const FitProblem& problem, const Dependence& d,
                   const std::vector<double>& values) {
  double base = 1.0;
  if (d.parameter >= 0) {
    const FitParameter& p = problem.parameters[std::size_t(d.parameter)];
    base = values[std::size_t(d.parameter)] -
           (p.free && p.above >= 0 ? values[std::size_t(p.above)] : 0.0);
  }
  long count = 0;
  for (const Track& run : problem.runs)
    for (const Sample& s : run.samples) {
      const double c = (*run.conditions)[std::size_t(s.row) * std::size_t(problem.conditions) +
                                         std::size_t(d.column)];
      const double value = depending(d.form, base, values.data() + d.first, c - d.reference);
      count += value < d.least || value > d.most;
    }
  return count;
}

}  // namespace

std::vector<std::string> dependence_doubts(const FitSummary& s) {
  std::vector<std::string> all;
  const auto values = s.problem.values(s.x);
  for (const Dependence& d : s.problem.depends) {
    const FitParameter& first = s.problem.parameters[std::size_t(d.first)];
    const std::string parameter = first.name.substr(0, first.name.find('.'));
    const std::string column = first.name.substr(first.name.find('.') + 1);
    if (!first.free) {
      all.push_back(parameter + " has no effect under the choices made, so how it depends on " +
                    column + " was not fitted");
      continue;
    }
    // The last coefficient is the one that the form is there for.
    const std::size_t last = std::size_t(d.first) + (d.form == DependenceForm::quadratic ? 1u : 0u);
    for (const FittedParameter& q : s.parameters)
      if (q.name == s.problem.parameters[last].name && !q.at_bound && q.lower < 0.0 &&
          q.upper > 0.0)
        all.push_back("the data show no " +
                      std::string(d.form == DependenceForm::quadratic ? "curvature in how "
                                                                      : "dependence of ") +
                      parameter + (d.form == DependenceForm::quadratic ? " depends on " : " on ") +
                      column + ": the 95 % interval of " + q.name + ", " + brief_number(q.lower) +
                      " to " + brief_number(q.upper) + (q.unit.empty() ? "" : " " + q.unit) +
                      ", holds 0");
    if (const long held = held_at_bound(s.problem, d, values); held > 0)
      all.push_back(parameter + " would leave its bounds for what " + column + " is in " +
                    std::to_string(held) +
                    " samples, and is held there: another form would be better");
  }
  return all;
}

}  // namespace bristle
