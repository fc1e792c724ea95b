// SPDX-License-Identifier: MIT
#include "bristle/identify/fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bristle/identify/smooth_motion.hpp"
#include "bristle/model/registry.hpp"
#include "judge_fit.hpp"
#include "starts.hpp"

namespace bristle {
namespace {

CostFunction cost_of(const FitProblem& problem) {
  return
      [&problem](std::span<const double> x, NormalEquations* e) { return fit_cost(problem, x, e); };
}

// Parameters without any effect under the choices made (those of another curve, say) stay as they
// are.
void hold_idle(FitProblem& problem, const std::vector<std::vector<double>>& points) {
  const auto idle = without_effect(problem, points);
  const auto shared = problem.shared();
  for (std::size_t i = 0; i < shared.size(); ++i)
    if (idle[i]) problem.parameters[std::size_t(shared[i])].free = false;
}

// The first part of long runs, enough to tell good starts from bad ones.
FitProblem shortened(const FitProblem& problem, long wanted) {
  long total = 0;
  for (const Track& run : problem.runs) total += long(run.samples.size());
  if (total <= 2 * wanted) return problem;
  return first_samples(problem, [&](const Track& run) {
    return std::max<std::size_t>(
        std::size_t(double(run.samples.size()) * double(wanted) / double(total)), 10);
  });
}

// Samples that are fitted.
long count_of(const FitProblem& problem) {
  long count = 0;
  for (const Track& run : problem.runs)
    for (const Sample& s : run.samples) count += s.weight > 0.0;
  return count;
}

// Whether the force stays the same if the same way is gone ten times as slowly, wherever the
// parameters may be.
bool rate_independent(const FitProblem& problem, unsigned seed) {
  FitProblem fast = first_samples(problem, [](const Track&) { return std::size_t(300); });
  FitProblem slow = fast;
  for (Track& run : slow.runs)
    for (Sample& s : run.samples)
      s.step *= 10.0, s.time *= 10.0, s.velocity /= 10.0, s.middle_velocity /= 10.0;
  for (const auto& x : best_starts(fast, 8, 8, seed)) {
    const auto one = fit_predict(fast, x), other = fit_predict(slow, x);
    double size = 0.0, apart = 0.0;
    for (std::size_t k = 0; k < one.size(); ++k)
      for (std::size_t i = 0; i < one[k].size(); ++i) {
        size = std::max(size, std::abs(one[k][i]));
        apart = std::max(apart, std::abs(one[k][i] - other[k][i]));
      }
    if (!(apart <= 1e-6 * size)) return false;
  }
  return true;
}

void check_applicable(const FitProblem& problem, const DataScales& data, unsigned seed) {
  const bool timed = std::all_of(problem.runs.begin(), problem.runs.end(),
                                 [](const Track& run) { return run.timed; });
  if (!timed && problem.kind == FitKind::direct && !rate_independent(problem, seed))
    throw InvalidInput("time", "there is no column of time, and the force of " + problem.law +
                                   " depends on the rate of the motion: a rate-independent law, "
                                   "such as dahl or coulomb, can be fitted without one");
  if (problem.kind != FitKind::direct || find_law(problem.law).set_valued) return;
  if (data.reversals == 0)
    throw InvalidInput(
        "model", "the velocity never changes its sign, and " + problem.law +
                     " shows only after reversals: fit its steady curve, or a law without a state");
}

// A problem with the best minimum that was found.
struct Solved {
  FitProblem problem;
  LeastSquaresSummary best;
  int evaluations = 0, distinct_minima = 0;
  bool defined() const { return std::isfinite(best.cost); }
};

// `known`: a minimum of nearly the same problem, one more place to start from.
Solved solve(FitProblem problem, const FitOptions& options, const std::vector<double>& known = {}) {
  Solved solved;
  const bool search = options.starts > 0;
  constexpr long enough = 6000;  // samples to search on
  const bool long_runs = search && count_of(problem) > 2 * enough;
  FitProblem part = long_runs ? shortened(problem, enough) : problem;
  // Maps are quickly fitted and have many flat minima.
  const bool rollout = problem.kind == FitKind::rollout;
  const int refined = problem.kind == FitKind::steady ? 4 * options.refined : options.refined;
  // Good points and any points: near good ones a parameter may rest where it is cut off.
  std::vector<std::vector<double>> starts{problem.start()};
  if (search) starts = best_starts(part, 8, 8, options.seed);
  if (search && !rollout)
    for (auto& start : best_starts(part, options.starts, refined, options.seed))
      starts.push_back(std::move(start));
  hold_idle(problem, starts);
  part = long_runs ? shortened(problem, enough) : problem;
  if (problem.shared().empty())
    throw InvalidInput("fix", "no parameter of " + problem.law + " is left to be fitted");
  const long count = count_of(problem);
  if (count <= problem.unknowns())
    throw InvalidInput("samples", "there are " + std::to_string(count) + " samples for " +
                                      std::to_string(problem.unknowns()) +
                                      " unknowns, more samples or fewer parameters are needed");
  starts.clear();
  if (!search || !options.guess.empty()) starts.push_back(problem.start());
  if (search && problem.kind == FitKind::direct)
    if (auto staged = staged_start(part, options); !staged.empty())
      starts.push_back(std::move(staged));
  if (search)
    for (auto& start : rollout ? rollout_starts(part, options)
                               : best_starts(part, options.starts, refined, options.seed))
      starts.push_back(std::move(start));
  const bool has_known = !known.empty() && long(known.size()) == problem.unknowns();
  if (has_known) starts.push_back(known);

  // A short look from every start, for long runs at their first part; then all the way from the
  // best ones.
  LeastSquaresOptions brief = options.solver;
  brief.iterations = std::min(brief.iterations, 40);
  const auto worth = [](const LeastSquaresSummary& f) {
    return std::isfinite(f.cost) ? f.cost : INFINITY;
  };
  const auto best_first = [&](const auto& a, const auto& b) { return worth(a) < worth(b); };
  const int threads = std::max(options.threads, 1);
  auto found = refine(part, starts, brief, threads);
  std::sort(found.begin(), found.end(), best_first);
  for (const auto& f : found) solved.evaluations += f.evaluations;
  solved.problem = std::move(problem);
  if (found.empty() || !std::isfinite(found.front().cost)) {
    solved.best.cost = INFINITY;
    return solved;
  }
  double last = -1.0;
  for (const auto& f : found)
    if (f.status == FitStatus::converged && f.cost > last * (1.0 + 1e-4)) {
      ++solved.distinct_minima;
      last = f.cost;
    }

  std::vector<double> lower, upper;
  solved.problem.bounds(lower, upper);
  if (long_runs) {
    starts.clear();
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 3); ++i)
      starts.push_back(found[i].x);
    if (has_known) starts.push_back(known);
    found = refine(solved.problem, starts, brief, threads);
    std::sort(found.begin(), found.end(), best_first);
    for (const auto& f : found) solved.evaluations += f.evaluations;
  }
  solved.best = found.front();
  if (options.robust) {
    solved.problem.loss = Loss::huber;
    solved.problem.loss_scale = 1.345 * robust_deviation(solved.problem, solved.best.x);
  }
  if (options.robust || solved.best.status != FitStatus::converged) {
    solved.best = minimise(cost_of(solved.problem), solved.best.x, lower, upper, options.solver);
    solved.evaluations += solved.best.evaluations;
  }
  return solved;
}

// The same problem along the smoothed motion; nothing where no run has one to choose.
std::optional<FitProblem> along_smooth_motion(const FitProblem& problem) {
  std::optional<FitProblem> smooth;
  if (problem.kind != FitKind::direct) return smooth;
  for (std::size_t k = 0; k < problem.runs.size(); ++k) {
    const MotionFilter& filter = problem.runs[k].filter;
    if (filter.used || !(filter.bandwidth > 0.0)) continue;
    if (!smooth) smooth = problem;
    follow(smooth->runs[k], filter.bandwidth);
    refresh_terms(*smooth, smooth->runs[k]);
  }
  return smooth;
}

// What a body did in a gap of the record is not known, and the straight line that is taken for it
// leaves the state elsewhere. The force after such a gap is not fitted until it is met again: where
// three samples are off by far, up to where five together are not off any more, and half as many
// again. Returns how many those are; none if they are more than a fifth, which gaps do not explain.
long leave_out_after_gaps(FitProblem& problem, const std::vector<double>& x) {
  constexpr double gap = 5.0;          // steps
  constexpr double no_weight = 1e-12;  // held-out samples have none at all
  if (problem.kind != FitKind::direct || find_law(problem.law).set_valued) return 0;
  const auto predicted = fit_predict(problem, x);
  const double size = robust_deviation(problem, x);
  std::vector<Sample*> lost;
  for (std::size_t k = 0; k < problem.runs.size(); ++k) {
    auto& samples = problem.runs[k].samples;
    std::vector<double> time;
    for (const Sample& s : samples) time.push_back(s.time);
    const double step = median_step(time);
    const auto off = [&](std::size_t from, std::size_t count) {
      double sum = 0.0;
      for (std::size_t i = from; i < from + count; ++i) sum += predicted[k][i] - samples[i].force;
      return std::abs(sum) / double(count);
    };
    for (std::size_t i = 1; i + 5 < samples.size(); ++i) {
      if (!(samples[i].step > gap * step) || off(i, 3) < 4.0 * size) continue;
      std::size_t end = i;
      while (end + 5 < samples.size() && off(end, 5) > 0.5 * size) ++end;
      end = std::min(end + (end - i) / 2, samples.size());
      for (; i < end; ++i)
        if (samples[i].weight > 0.0) lost.push_back(&samples[i]);
    }
  }
  if (5 * long(lost.size()) > count_of(problem)) return 0;
  for (Sample* s : lost) s->weight = std::min(s->weight, no_weight);
  return long(lost.size());
}

}  // namespace

double FitSummary::of(std::string_view parameter) const {
  for (const auto& p : parameters)
    if (p.name == parameter) return p.value;
  throw InvalidInput(std::string(parameter), "there is no parameter " + std::string(parameter));
}

FitSummary fit(std::string_view law, std::vector<Track> runs, const FitOptions& options) {
  FitSummary summary;
  summary.law = law;
  FitProblem problem = make_problem(law, std::move(runs), options);
  check_applicable(problem, scales_of(problem.runs), options.seed);
  // Along the smoothed motion as well, if there is one; the better of the two is kept.
  auto smooth = along_smooth_motion(problem);
  Solved solved = solve(std::move(problem), options);
  summary.evaluations = solved.evaluations;
  if (smooth) {
    Solved other = solve(std::move(*smooth), options, solved.best.x);
    summary.evaluations += other.evaluations;
    if (other.best.cost < solved.best.cost) solved = std::move(other);
  }
  if (!solved.defined()) {
    summary.message = "the residuals are not defined at any start";
    return summary;
  }
  if (weigh_by_noise(solved.problem, solved.best.x, options)) {
    std::vector<double> lower, upper;
    solved.problem.bounds(lower, upper);
    solved.best = minimise(cost_of(solved.problem), solved.best.x, lower, upper, options.solver);
    summary.evaluations += solved.best.evaluations;
  }
  const long lost = leave_out_after_gaps(solved.problem, solved.best.x);
  if (lost > 0) {
    std::vector<double> lower, upper;
    solved.problem.bounds(lower, upper);
    solved.best = minimise(cost_of(solved.problem), solved.best.x, lower, upper, options.solver);
    summary.evaluations += solved.best.evaluations;
  }
  summary.distinct_minima = solved.distinct_minima;
  summary.status = solved.best.status;
  summary.message = solved.best.message;
  summary.x = solved.best.x;
  start_held_out_runs(solved.problem, summary.x);
  summary.problem = std::move(solved.problem);
  judge(summary, solved.best, repeat_with_noise(summary.problem, summary.x, options), options);
  if (lost > 0)
    summary.warnings.push_back(
        std::to_string(lost) +
        (lost == 1 ? " sample after a gap in time is" : " samples after gaps in time are") +
        " judged but not fitted: the state of the law is not known there");
  return summary;
}

}  // namespace bristle
