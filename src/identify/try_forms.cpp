// SPDX-License-Identifier: MIT
// What the options of a fit would gain that were not asked for.
#include <algorithm>
#include <cstdio>

#include "bristle/model/load_dependence.hpp"
#include "bristle/model/registry.hpp"
#include "judge_fit.hpp"
#include "law_kernel.hpp"

namespace bristle {
namespace {

// A fit is worth another option if that halves its error.
constexpr double worth_saying = 0.5;

// Beyond so many samples nothing is tried: the runs would have to be there twice.
constexpr long most_samples = 200000;

struct PlainForm {
  bool offset, asymmetry;
  const char *option, *meaning;
};
constexpr PlainForm plain_forms[]{
    {true, false, "--offset", "a constant beside the force"},
    {false, true, "--asymmetric", "forces that differ between the two directions"},
    {true, true, "--offset --asymmetric",
     "a constant beside the force, and forces that differ between the two directions,"}};

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

// Tries problems that begin where a fit ended.
class FormTrial {
 public:
  FormTrial(const FitSummary& s, const FitOptions& options)
      : s_(s), options_(options), values_(s.problem.values(s.x)) {}

  // The problem with the values found.
  FitProblem begun() const {
    FitProblem problem = s_.problem;
    for (std::size_t i = 0; i < values_.size(); ++i) problem.parameters[i].value = values_[i];
    return problem;
  }

  void add(const FitProblem& problem, const std::string& option, const std::string& meaning) {
    add(std::vector<FitProblem>{problem}, option, meaning);
  }

  // The best of several starts.
  void add(const std::vector<FitProblem>& problems, const std::string& option,
           const std::string& meaning) {
    double least = INFINITY, error = INFINITY;
    for (const FitProblem& problem : problems) {
      auto x = problem.start();
      const std::size_t starts = s_.x.size() - s_.problem.shared().size();
      std::copy(s_.x.end() - long(starts), s_.x.end(), x.end() - long(starts));
      std::vector<double> lower, upper;
      problem.bounds(lower, upper);
      LeastSquaresOptions solver = options_.solver;
      solver.iterations = 60, solver.cost_tolerance = 1e-8;
      const auto found = minimise(
          [&](std::span<const double> at, NormalEquations* e) { return fit_cost(problem, at, e); },
          x, lower, upper, solver);
      if (!(found.cost < least)) continue;
      least = found.cost;
      error = agreement_at(problem, found.x, s_.held_out.samples > 0).rmse;
    }
    if (std::isfinite(error)) tried.push_back({option, meaning, error});
  }

  std::vector<TriedForm> tried;

 private:
  const FitSummary& s_;
  const FitOptions& options_;
  const std::vector<double> values_;
};

void try_plain(FormTrial& trial, const FitOptions& options) {
  for (const PlainForm& form : plain_forms) {
    if ((form.offset && options.offset) || (form.asymmetry && options.asymmetric)) continue;
    FitProblem problem = trial.begun();
    for (FitParameter& p : problem.parameters)
      if ((p.name == "offset" && form.offset) || (p.name == "asymmetry" && form.asymmetry))
        p.free = true;
    trial.add(problem, form.option, form.meaning);
  }
}

void try_load(FormTrial& trial, const FitSummary& s, const FitOptions& options) {
  const auto load = load_dependence_of(s.problem, options);
  if (!load) return;
  FitProblem problem = trial.begun();
  add_dependence(problem, *load, options);
  trial.add(problem, "--depends " + load->parameter + "=" + load->column + ":linear",
            "a force that changes with " + load->column);
}

// From gaps of several sizes: the cost has minima where strokes are shifted against each other.
void try_backlash(FormTrial& trial, const FitSummary& s, const FitOptions& options) {
  if (options.backlash || !may_have_backlash(s.problem)) return;
  std::vector<FitProblem> problems;
  for (const double part : {0.002, 0.02, 0.1}) {
    problems.push_back(trial.begun());
    for (FitParameter& p : problems.back().parameters)
      if (p.name == backlash_name) p.free = true, p.value = part * p.upper;
  }
  trial.add(problems, "--backlash", "a gap between the measured motion and the body");
}

bool has_parameter(const FitSummary& s, std::string_view name) {
  const auto& all = s.problem.parameters;
  return std::any_of(all.begin(), all.end(), [&](const auto& p) { return p.name == name; });
}

// Of a law without a state whose static force must not be less than its Coulomb force. What was
// fitted with that rule is no place to begin from: the curve starts again, with knees at several
// speeds.
void try_rising(FormTrial& trial, const FitSummary& s) {
  if (kernel_of(s.law).state || !has_parameter(s, "static_force")) return;
  const DataScales data = scales_of(s.problem.runs);
  std::vector<FitProblem> problems;
  for (const double part : {0.05, 0.2, 0.6}) {
    problems.push_back(trial.begun());
    for (FitParameter& p : problems.back().parameters) {
      if (!p.free) continue;
      if (p.name == "coulomb_force") p.value = 0.8 * data.force;
      if (p.name == "stribeck_velocity") p.value = part * data.fastest;
      if (p.name == "viscous") p.value = 0.1 * data.force / data.fastest;
      if (p.name == "static_force")
        p.above = -1, p.lower = 0.0, p.upper = 10.0 * data.force, p.value = 0.4 * data.force;
    }
  }
  trial.add(problems, "--model lugre",
            "a curve that first rises, from a static force below the Coulomb force,");
}

}  // namespace

std::optional<DependOption> load_dependence_of(const FitProblem& problem,
                                               const FitOptions& options) {
  if (problem.kind == FitKind::rollout || !shaped_kernel_of(problem.law) ||
      depends_on_load(problem.law))
    return std::nullopt;
  const std::size_t columns = options.conditions.size();
  for (std::size_t k = 0; k < columns; ++k) {
    if (!options.conditions[k].load) continue;
    const auto& name = options.conditions[k].name;
    if (std::any_of(options.depends.begin(), options.depends.end(),
                    [&](const DependOption& d) { return d.column == name; }))
      continue;
    double least = INFINITY, most = -INFINITY;
    for (const Track& run : problem.runs)
      for (const Sample& s : run.samples) {
        if (!run.conditions) return std::nullopt;
        const double c = (*run.conditions)[std::size_t(s.row) * columns + k];
        if (s.weight > 0.0) least = std::min(least, c), most = std::max(most, c);
      }
    // Less than a tenth is what a controller leaves of a constant load.
    if (most - least > 0.1 * std::max(std::abs(least), std::abs(most)))
      return DependOption{std::string(whole_force), name, DependenceForm::linear};
  }
  return std::nullopt;
}

bool may_have_backlash(const FitProblem& problem) {
  return problem.kind == FitKind::direct && shaped_kernel_of(problem.law) &&
         kernel_of(problem.law).state && problem.runs.front().timed;
}

std::vector<TriedForm> try_forms(const FitSummary& s, const FitOptions& options) {
  if (s.problem.kind == FitKind::rollout || s.fitted.samples > most_samples) return {};
  FormTrial trial(s, options);
  try_plain(trial, options);
  // Where residuals are white there is nothing left to be explained.
  if (s.white && s.problem.kind != FitKind::steady) return std::move(trial.tried);
  try_load(trial, s, options);
  try_backlash(trial, s, options);
  try_rising(trial, s);
  return std::move(trial.tried);
}

std::string form_words(const FitSummary& s) {
  const double error = s.held_out.samples > 0 ? s.held_out.rmse : s.fitted.rmse;
  for (const TriedForm& t : s.tried)
    if (t.error < worth_saying * error)
      return t.meaning + " would reduce the error from " + number(error) + " to " +
             number(t.error) + " " + s.problem.measured_unit() + ": try " + t.option;
  return "";
}

}  // namespace bristle
