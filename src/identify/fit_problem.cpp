// SPDX-License-Identifier: MIT
#include "bristle/identify/fit_problem.hpp"

#include <algorithm>
#include <cmath>

#include "law_kernel.hpp"

namespace bristle {

std::vector<int> FitProblem::shared() const {
  std::vector<int> indices;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].free) indices.push_back(int(i));
  return indices;
}

bool FitProblem::has_backlash() const {
  for (const FitParameter& p : parameters)
    if (p.name == backlash_name) return p.free || p.value > 0.0;
  return false;
}

std::string_view FitProblem::measured_name() const {
  return kind != FitKind::rollout        ? "force"
         : output == FitOutput::position ? "position"
                                         : "velocity";
}

std::string FitProblem::measured_unit() const {
  if (kind != FitKind::rollout) return units.force;
  return output == FitOutput::position ? units.way : units.way + "/s";
}

int FitProblem::starts_per_run() const {
  if (!free_start || kind == FitKind::steady) return 0;
  if (kind == FitKind::rollout) return 3;
  return kernel_of(law).state ? 1 : 0;
}

int FitProblem::unknowns() const {
  return int(shared().size()) + starts_per_run() * int(runs.size());
}

std::vector<double> FitProblem::start() const {
  std::vector<double> x;
  for (const int i : shared()) {
    const FitParameter& p = parameters[std::size_t(i)];
    const double from = p.above >= 0 ? parameters[std::size_t(p.above)].value : 0.0;
    x.push_back(p.logarithmic ? std::log(p.value) : p.value - from);
  }
  x.resize(std::size_t(unknowns()), 0.0);
  return x;
}

void FitProblem::bounds(std::vector<double>& lower, std::vector<double>& upper) const {
  lower.clear(), upper.clear();
  for (const int i : shared()) {
    lower.push_back(parameters[std::size_t(i)].lower);
    upper.push_back(parameters[std::size_t(i)].upper);
  }
  // A bristle bent further than at break-away is possible in a law with damping, but not by much.
  lower.resize(std::size_t(unknowns()), -1.5);
  upper.resize(std::size_t(unknowns()), 1.5);
}

std::vector<double> FitProblem::values(std::span<const double> x) const {
  std::vector<double> values;
  std::size_t slot = 0;
  for (const FitParameter& p : parameters) {
    double value = p.value;
    if (p.free) {
      value = p.logarithmic ? std::exp(x[slot]) : x[slot];
      if (p.above >= 0) value += values[std::size_t(p.above)];
      ++slot;
    }
    values.push_back(value);
  }
  return values;
}

std::vector<double> FitProblem::value_slopes(std::span<const double> x) const {
  const std::size_t n = std::size_t(unknowns());
  std::vector<double> slopes(parameters.size() * n, 0.0);
  std::size_t slot = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const FitParameter& p = parameters[i];
    if (!p.free) continue;
    slopes[i * n + slot] = p.logarithmic ? std::exp(x[slot]) : 1.0;
    if (p.above >= 0)
      for (std::size_t k = 0; k < n; ++k) slopes[i * n + k] += slopes[std::size_t(p.above) * n + k];
    ++slot;
  }
  return slopes;
}

FitProblem first_samples(const FitProblem& problem,
                         const std::function<std::size_t(const Track&)>& length) {
  FitProblem part{static_cast<const FitSetup&>(problem), {}};
  for (const Track& run : problem.runs) {
    const auto kept = long(std::min(length(run), run.samples.size()));
    Track first{run.name, {run.samples.begin(), run.samples.begin() + kept}, run.window};
    first.exact = run.exact, first.loaded = run.loaded, first.timed = run.timed,
    first.conditions = run.conditions;
    first.terms.assign(run.terms.begin(), run.terms.begin() + std::min(long(run.terms.size()),
                                                                       kept * long(problem.terms)));
    first.input_time = run.input_time, first.input = run.input;
    // Of the input of a rollout what its steps meet.
    std::size_t met = 1;
    for (const Sample& s : first.samples) met += 2 * std::size_t(s.steps);
    first.drive.assign(run.drive.begin(),
                       run.drive.begin() + long(std::min(met, run.drive.size())));
    part.runs.push_back(std::move(first));
  }
  return part;
}

namespace {

const LawKernel& kernel_for(const FitProblem& problem) {
  if (problem.kind == FitKind::rollout) return *rollout_kernel_of(problem.law);
  const bool shaped = !problem.depends.empty() || problem.has_backlash();
  return shaped ? *shaped_kernel_of(problem.law) : kernel_of(problem.law);
}

}  // namespace

double fit_cost(const FitProblem& problem, std::span<const double> x, NormalEquations* equations) {
  const LawKernel& kernel = kernel_for(problem);
  const BlockKernel& blocks = kernel.blocks;
  if (!equations) return blocks.cost ? blocks.cost(problem, x) : kernel.cost(problem, x);
  equations->reset(problem.unknowns());
  const int of_a_run = int(problem.shared().size()) + problem.starts_per_run();
  return of_a_run <= blocks.most ? blocks.linearise(problem, x, *equations)
                                 : kernel.linearise(problem, x, *equations);
}

void fit_costs(const FitProblem& problem, std::span<const double> many, std::span<double> costs) {
  kernel_for(problem).costs(problem, many, costs);
}

std::vector<std::vector<double>> fit_predict(const FitProblem& problem, std::span<const double> x) {
  std::vector<std::vector<double>> found;
  kernel_for(problem).predict(problem, x, found);
  return found;
}

}  // namespace bristle
