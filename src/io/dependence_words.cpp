// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bristle/io/fit_report.hpp"

namespace bristle::io {
namespace {

// "value + slope (column - reference)" and the like.
std::string formula_of(const FitProblem& problem, const Dependence& d,
                       const std::vector<double>& values, double base) {
  const std::string& name = problem.parameters[std::size_t(d.first)].name;
  const std::string column = name.substr(name.find('.') + 1);
  const std::string distance = d.reference == 0.0 ? column
                               : d.reference < 0.0
                                   ? fmt::format("({} + {:g})", column, -d.reference)
                                   : fmt::format("({} - {:g})", column, d.reference);
  const double first = values[std::size_t(d.first)];
  if (d.form == DependenceForm::exponential)
    return fmt::format("{:.5g} exp({:.5g} {})", base, first, distance);
  std::string text =
      fmt::format("{:.5g} {} {:.5g} {}", base, first < 0.0 ? "-" : "+", std::abs(first), distance);
  if (d.form == DependenceForm::quadratic) {
    const double second = values[std::size_t(d.first) + 1];
    text += fmt::format(" {} {:.5g} {}^2", second < 0.0 ? "-" : "+", std::abs(second), distance);
  }
  return text;
}

}  // namespace

std::vector<std::string> dependence_words(const FitSummary& f) {
  std::vector<std::string> all;
  if (f.problem.depends.empty() || f.x.empty()) return all;
  const auto values = f.problem.values(f.x);
  for (const Dependence& d : f.problem.depends) {
    if (d.parameter < 0) {
      all.push_back("force of the law times " + formula_of(f.problem, d, values, 1.0));
      continue;
    }
    const FitParameter& p = f.problem.parameters[std::size_t(d.parameter)];
    const bool counted = p.free && p.above >= 0;
    const std::string from =
        counted ? f.problem.parameters[std::size_t(p.above)].name : std::string();
    const double base =
        values[std::size_t(d.parameter)] - (counted ? values[std::size_t(p.above)] : 0.0);
    const std::string unit = f.problem.units.of(p.unit);
    all.push_back(p.name + (counted ? " less " + from : "") + " = " +
                  formula_of(f.problem, d, values, base) + (unit.empty() ? "" : " " + unit));
  }
  return all;
}

}  // namespace bristle::io
