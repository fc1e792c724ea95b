// SPDX-License-Identifier: MIT
#include "machine_search.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/ensemble/parallel.hpp"
#include "starts.hpp"

namespace bristle::detail {
namespace {

constexpr double drawn[search_stages] = {4.0, 16.0, 64.0, 256.0,
                                         0.0};  // samples, see MachineProblem::follow

// The points of the search with the cost of simulations that are drawn to the data, or run free.
std::vector<Start> look_around(MachineProblem problem, const MachineFitOptions& o, bool led) {
  problem.follow = led ? drawn[0] : 0.0;
  // Masses, stiffnesses and forces scale with the forces that were measured: as many starts again
  // have them all larger or smaller by up to a thousand.
  const int count = o.starts * (problem.measured_force() ? 2 : 1);
  std::vector<Start> all(std::size_t(count) + 1);
  in_parallel(count + 1, o.threads, [&](int k) {
    auto x = problem.start();
    const double scale =
        k > o.starts ? 2.0 * spread(unsigned(k), int(problem.shared), o.seed) - 1.0 : 0.0;
    for (std::size_t i = 0; i < problem.shared && k > 0; ++i) {
      const auto& u = problem.unknowns[i];
      const double way = 2.0 * spread(unsigned(k), int(i), o.seed) - 1.0;
      const double wide = 0.5 * (way > 0.0 ? u.upper - x[i] : x[i] - u.lower);
      x[i] += way * (u.logarithmic ? std::log(4.0) : std::min(wide, u.range));
      if (u.logarithmic) x[i] += scale * std::log(1e3) * u.force;
      x[i] = std::clamp(x[i], u.lower, u.upper);
    }
    const double cost = problem.cost(x, nullptr);
    all[std::size_t(k)] = {std::isfinite(cost) ? cost : 1e300, std::move(x), led};
  });
  std::stable_sort(all.begin() + 1, all.end(),
                   [](const Start& a, const Start& b) { return a.cost < b.cost; });
  return all;
}

}  // namespace

LeastSquaresSummary solve(const MachineProblem& problem, std::vector<double> x,
                          const LeastSquaresOptions& solver) {
  std::vector<double> lower, upper;
  for (const auto& u : problem.unknowns) lower.push_back(u.lower), upper.push_back(u.upper);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], lower[i], upper[i]);
  return minimise(
      [&](std::span<const double> at, NormalEquations* e) { return problem.cost(at, e); },
      std::move(x), lower, upper, solver);
}

// From a start to a simulation that runs free, at once or through simulations drawn to the data
// less and less.
LeastSquaresSummary climb(MachineProblem problem, const Start& start,
                          const LeastSquaresOptions& solver, Work& work) {
  std::vector<double> x = start.x;
  // What is drawn needs to be near, not exact.
  LeastSquaresOptions rough = solver, close = solver;
  rough.iterations = std::min(solver.iterations, 12);
  rough.cost_tolerance = 1e-3;
  close.iterations = std::min(solver.iterations, 40);
  close.cost_tolerance = 1e-5;
  LeastSquaresSummary found;
  for (const double samples : drawn) {
    problem.follow = samples;
    if (!work.add(1.0)) break;
    if (samples > 0.0 && !start.led) continue;
    const auto next = solve(problem, x, samples > 0.0 ? rough : close);
    found.evaluations += next.evaluations;
    if (next.status != FitStatus::not_defined) x = next.x;
    const int before = found.evaluations;
    found = next;
    found.evaluations = before;
  }
  found.x = x;
  return found;
}

// The starts to be refined. Simulations that are drawn to the data tell more where they soon lose
// their way, free ones where friction brings them back to it, as it does a servo: of either kind
// the best, those of the second only where there is room for them.
std::vector<Start> find_starts(const MachineProblem& problem, const MachineFitOptions& o) {
  auto best = look_around(problem, o, true);
  const auto all = std::size_t(std::max(o.refined, 1)), led = std::min(all, std::size_t(4));
  best.resize(std::min(best.size(), led));
  if (all <= led) return best;
  const auto free = look_around(problem, o, false);
  for (std::size_t k = 0; k < free.size() && best.size() < all; ++k) best.push_back(free[k]);
  return best;
}

// A parameter that ran away by more than a hundred from where the search began no longer moves the
// cost: the others may be better off with it back. Tries that, from several places.
void call_back(const MachineProblem& problem, const MachineFitOptions& o,
               LeastSquaresSummary& best) {
  const auto start = problem.start();
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < problem.shared; ++i)
    if (problem.unknowns[i].logarithmic && std::abs(best.x[i] - start[i]) > std::log(100.0) &&
        best.equations.at(int(i), int(i)) < 1e-6 * double(problem.fitted_samples(0)))
      lost.push_back(i);
  if (lost.empty() || o.starts == 0) return;
  std::vector<LeastSquaresSummary> found(std::size_t(2 * o.refined));
  in_parallel(int(found.size()), o.threads, [&](int k) {
    auto x = best.x;
    for (const std::size_t i : lost)
      x[i] = start[i] + std::log(20.0) * (2.0 * spread(unsigned(k + 1), int(i), o.seed) - 1.0);
    found[std::size_t(k)] = solve(problem, std::move(x), o.solver);
  });
  for (auto& one : found) {
    best.evaluations += one.evaluations;
    if (one.status == FitStatus::not_defined || !(one.cost < best.cost)) continue;
    one.evaluations = best.evaluations;
    best = std::move(one);
  }
}

}  // namespace bristle::detail
