// SPDX-License-Identifier: MIT
// What the options of a fit would gain that were not asked for.
#include <algorithm>
#include <cstdio>

#include "judge_fit.hpp"

namespace bristle {
namespace {

// A fit is worth another option if that halves its error.
constexpr double worth_saying = 0.5;

// Beyond so many samples nothing is tried: the runs would have to be there twice.
constexpr long most_samples = 200000;

struct Form {
  bool offset, asymmetry;
  const char *option, *meaning;
};
constexpr Form forms[]{
    {true, false, "--offset", "a constant beside the force"},
    {false, true, "--asymmetric", "forces that differ between the two directions"},
    {true, true, "--offset --asymmetric",
     "a constant beside the force, and forces that differ between the two directions,"}};

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

}  // namespace

std::vector<TriedForm> try_forms(const FitSummary& s, const FitOptions& options) {
  std::vector<TriedForm> tried;
  if (s.problem.kind == FitKind::rollout || s.fitted.samples > most_samples) return tried;
  const bool held = s.held_out.samples > 0;
  const auto values = s.problem.values(s.x);
  const std::size_t starts = s.x.size() - s.problem.shared().size();
  for (const Form& form : forms) {
    if ((form.offset && options.offset) || (form.asymmetry && options.asymmetric)) continue;
    FitProblem problem = s.problem;
    for (std::size_t i = 0; i < values.size(); ++i) {
      FitParameter& p = problem.parameters[i];
      p.value = values[i];
      if ((p.name == "offset" && form.offset) || (p.name == "asymmetry" && form.asymmetry))
        p.free = true;
    }
    auto x = problem.start();
    std::copy(s.x.end() - long(starts), s.x.end(), x.end() - long(starts));
    std::vector<double> lower, upper;
    problem.bounds(lower, upper);
    LeastSquaresOptions solver = options.solver;
    solver.iterations = 60, solver.cost_tolerance = 1e-8;
    const auto found = minimise(
        [&](std::span<const double> at, NormalEquations* e) { return fit_cost(problem, at, e); }, x,
        lower, upper, solver);
    if (std::isfinite(found.cost))
      tried.push_back({form.option, form.meaning, agreement_at(problem, found.x, held).rmse});
  }
  return tried;
}

std::string form_words(const FitSummary& s) {
  const double error = s.held_out.samples > 0 ? s.held_out.rmse : s.fitted.rmse;
  for (const TriedForm& t : s.tried)
    if (t.error < worth_saying * error)
      return t.meaning + " would bring the error from " + number(error) + " to " + number(t.error) +
             " " + s.problem.measured_unit() + ": try " + t.option;
  return "";
}

}  // namespace bristle
