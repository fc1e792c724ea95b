// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "starts.hpp"

namespace bristle {
namespace {

// The first part of every run.
FitProblem beginning(const FitProblem& problem, double part) {
  FitProblem first = problem;
  for (Track& run : first.runs) {
    const auto length = std::max<std::size_t>(std::size_t(part * double(run.samples.size())), 20);
    run.samples.resize(std::min(length, run.samples.size()));
  }
  return first;
}

// The law alone, against the force that the measured motion asks for.
FitProblem force_problem(const FitProblem& problem) {
  FitProblem force = problem;
  force.kind = FitKind::direct;
  for (FitParameter& p : force.parameters)
    if (p.name.starts_with(mechanism_prefix)) p.free = false;
  return force;
}

// The unknowns of the rollout for those of the law alone.
std::vector<double> carried_over(const FitProblem& problem, const FitProblem& force,
                                 const std::vector<double>& x) {
  FitProblem whole = problem;
  const auto values = force.values(x);
  for (std::size_t i = 0; i < values.size(); ++i) whole.parameters[i].value = values[i];
  std::vector<double> there = whole.start();
  const std::size_t from = force.shared().size(), to = whole.shared().size();
  if (force.starts_per_run() > 0)
    for (std::size_t k = 0; k < problem.runs.size(); ++k) there[to + 3 * k] = x[from + k];
  return there;
}

// Equal places are looked at once.
void keep_best(const FitProblem& problem, std::vector<std::vector<double>>& starts,
               std::size_t count) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double cost = fit_cost(problem, starts[i], nullptr);
    order.emplace_back(std::isfinite(cost) ? cost : INFINITY, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::vector<double>> best;
  double last = -1.0;
  for (const auto& [cost, i] : order) {
    if (best.size() == count) break;
    if (cost <= last * (1.0 + 1e-6)) continue;
    best.push_back(std::move(starts[i]));
    last = cost;
  }
  starts = std::move(best);
}

}  // namespace

std::vector<std::vector<double>> rollout_starts(const FitProblem& problem,
                                                const FitOptions& options) {
  const int threads = std::max(options.threads, 1);
  const std::size_t kept = std::size_t(std::max(options.refined, 1));
  LeastSquaresOptions brief = options.solver;
  brief.iterations = std::min(brief.iterations, 20);

  // From the force: in stages, and the best of a low-discrepancy set.
  std::vector<std::vector<double>> starts;
  if (const FitProblem force = force_problem(problem); !force.shared().empty()) {
    auto seeds = best_starts(force, options.starts, options.refined, options.seed);
    if (auto staged = staged_start(force, options); !staged.empty())
      seeds.push_back(std::move(staged));
    for (const auto& seed : seeds) starts.push_back(carried_over(problem, force, seed));
    for (const auto& found : refine(force, seeds, brief, threads))
      if (std::isfinite(found.cost)) starts.push_back(carried_over(problem, force, found.x));
  }
  // From the motion itself.
  constexpr double parts[] = {0.12, 0.35};
  const FitProblem first = beginning(problem, parts[0]);
  for (auto& start : best_starts(first, options.starts, options.refined, options.seed))
    starts.push_back(std::move(start));

  // Over more and more of the runs.
  for (const double part : parts) {
    const FitProblem some = beginning(problem, part);
    keep_best(some, starts, kept);
    auto found = refine(some, starts, brief, threads);
    for (std::size_t i = 0; i < starts.size(); ++i)
      if (std::isfinite(found[i].cost)) starts[i] = std::move(found[i].x);
  }
  keep_best(problem, starts, std::max<std::size_t>(kept / 2, 1));
  return starts;
}

}  // namespace bristle
