// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "law_kernel.hpp"
#include "make_rollout.hpp"
#include "search_range.hpp"
#include "starts.hpp"

namespace bristle {
namespace {

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

// Points around a start. Forces are soon known to some tenths, the rest within a factor of five;
// the damping of the bristles is what makes the body come to rest on them, between a thirtieth and
// three times the square root of stiffness times mass, and nothing in the forces tells it.
std::vector<std::vector<double>> around(const FitProblem& problem, const std::vector<double>& start,
                                        int count, unsigned seed) {
  const auto shared = problem.shared();
  const auto values = problem.values(start);
  const double mass = detail::body_of(problem, values).mass;
  const double load = problem.runs.front().samples.front().load;
  std::vector<std::vector<double>> points;
  for (int k = 0; k < count; ++k) {
    FitProblem there = problem;
    double stiffness = 0.0;
    for (std::size_t i = 0; i < shared.size(); ++i) {
      FitParameter& p = there.parameters[std::size_t(shared[i])];
      const double u = spread(unsigned(k), int(i), seed) - 0.5;
      const Dimensions d = dimensions_of(p.unit);
      const bool force = p.unit == "N" || p.name.find("coefficient") != std::string::npos;
      const double value = values[std::size_t(shared[i])];
      if (p.name.starts_with(mechanism_prefix)) p.value = value * (1.0 + 0.4 * u);
      else if (p.name == "damping" && stiffness > 0.0)
        p.value = std::sqrt(stiffness * mass / (d.force == 0 ? load : 1.0)) *
                  std::pow(10.0, 2.0 * u - 0.5);
      else if (force) p.value = value * std::exp(0.8 * u);
      else if (p.logarithmic) p.value = value * std::pow(10.0, 1.4 * u);
      else p.value = std::max(value, 0.01 * p.search_to) * std::pow(10.0, 1.4 * u);
      if (p.name == "stiffness") stiffness = p.value;
    }
    auto x = there.start();
    std::copy(start.begin() + long(shared.size()), start.end(), x.begin() + long(shared.size()));
    std::vector<double> lower, upper;
    problem.bounds(lower, upper);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], lower[i], upper[i]);
    points.push_back(std::move(x));
  }
  return points;
}

// The best by cost; those of about equal cost are taken for one.
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
    if (cost <= last * 1.01) continue;
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

  // From the force the motion asks for, in stages; from points over the whole box; and the guess.
  FitProblem led = with_steps(problem, 0.25);
  led.follow = 4.0;
  auto starts = best_starts(led, 4 * options.starts, 3 * int(kept), options.seed, threads);
  if (const FitProblem force = force_problem(problem); !force.shared().empty()) {
    std::vector<std::vector<double>> seeds =
        best_starts(force, options.starts, options.refined, options.seed, threads);
    if (auto staged = staged_start(force, options); !staged.empty())
      seeds.push_back(std::move(staged));
    for (const auto& found : refine(force, seeds, brief, threads))
      if (std::isfinite(found.cost)) starts.push_back(carried_over(problem, force, found.x));
  }
  if (!options.guess.empty()) starts.push_back(problem.start());
  auto centres = starts;
  keep_best(led, centres, 3);
  if (!options.guess.empty()) centres.push_back(problem.start());
  for (const auto& centre : centres)
    for (auto& point : around(led, centre, options.starts / 4, options.seed))
      starts.push_back(std::move(point));
  keep_best(led, starts, 3 * kept);

  const auto improve = [&](const FitProblem& some, std::size_t left) {
    auto found = refine(some, starts, brief, threads);
    for (std::size_t i = 0; i < starts.size(); ++i)
      if (std::isfinite(found[i].cost)) starts[i] = std::move(found[i].x);
    keep_best(some, starts, left);
  };
  improve(led, kept);
  led.follow = 16.0;
  improve(led, (kept + 1) / 2);
  led = problem;
  led.follow = 64.0;
  improve(led, (kept + 2) / 3);
  return starts;
}

}  // namespace bristle
