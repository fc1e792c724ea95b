// SPDX-License-Identifier: MIT
#include "bristle/identify/machine_fit.hpp"

#include <algorithm>
#include <cmath>

#include "agreement_sum.hpp"
#include "bristle/machine/parameters.hpp"
#include "in_parallel.hpp"
#include "intervals.hpp"
#include "machine_problem.hpp"
#include "starts.hpp"

namespace bristle {
namespace {

using detail::MachineProblem;

constexpr double drawn[] = {4.0, 16.0, 64.0, 256.0, 0.0};  // samples, see MachineProblem::follow

LeastSquaresSummary solve(const MachineProblem& problem, std::vector<double> x,
                          const LeastSquaresOptions& solver) {
  std::vector<double> lower, upper;
  for (const auto& u : problem.unknowns) lower.push_back(u.lower), upper.push_back(u.upper);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], lower[i], upper[i]);
  return minimise(
      [&](std::span<const double> at, NormalEquations* e) { return problem.cost(at, e); },
      std::move(x), lower, upper, solver);
}

// From a start through simulations drawn to the data less and less to one that runs free.
LeastSquaresSummary climb(MachineProblem problem, std::vector<double> x,
                          const LeastSquaresOptions& solver, detail::Work& work) {
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

std::vector<std::vector<double>> find_starts(const MachineProblem& given,
                                             const MachineFitOptions& o) {
  MachineProblem problem = given;
  problem.follow = drawn[0];
  struct Start {
    double cost;
    std::vector<double> x;
  };
  std::vector<Start> all(std::size_t(o.starts) + 1);
  detail::in_parallel(o.starts + 1, o.threads, [&](int k) {
    auto x = problem.start();
    for (std::size_t i = 0; i < problem.shared && k > 0; ++i) {
      const auto& u = problem.unknowns[i];
      const double way = 2.0 * spread(unsigned(k), int(i), o.seed) - 1.0;
      x[i] += u.logarithmic ? std::log(4.0) * way : way;
      x[i] = std::clamp(x[i], u.lower, u.upper);
    }
    const double cost = problem.cost(x, nullptr);
    all[std::size_t(k)] = {std::isfinite(cost) ? cost : 1e300, std::move(x)};
  });
  std::stable_sort(all.begin() + 1, all.end(),
                   [](const Start& a, const Start& b) { return a.cost < b.cost; });
  std::vector<std::vector<double>> best;
  for (std::size_t k = 0; k < all.size() && k < std::size_t(o.refined); ++k)
    best.push_back(all[k].x);
  return best;
}

// Residuals of one reading over the fitted samples of all runs.
std::vector<double> residuals(const MachineProblem& problem, const MachineFit& fit,
                              std::size_t reading) {
  std::vector<double> all;
  for (std::size_t k = 0; k < problem.run_count(); ++k)
    for (std::size_t i = 0; i < problem.fitted_samples(k); ++i)
      if (const double y = problem.measured(k, i, reading); std::isfinite(y))
        all.push_back(fit.predicted[k][reading][i] - y);
  return all;
}

void predict(const MachineProblem& problem, const std::vector<double>& x, MachineFit& fit) {
  fit.predicted.clear();
  for (std::size_t k = 0; k < problem.run_count(); ++k) {
    const auto values = problem.predict(x, k);
    auto& run = fit.predicted.emplace_back(problem.readings());
    for (std::size_t i = 0; i < values.size(); ++i)
      run[i % problem.readings()].push_back(values[i]);
  }
}

Agreement agreement(const MachineProblem& problem, const MachineFit& fit, std::size_t k,
                    std::size_t reading, bool held) {
  AgreementSum sum;
  const std::size_t fitted = problem.fitted_samples(k), all = fit.predicted[k][reading].size();
  for (std::size_t i = held ? fitted : 0; i < (held ? all : fitted); ++i)
    if (const double y = problem.measured(k, i, reading); std::isfinite(y))
      sum.add(y, fit.predicted[k][reading][i]);
  return sum.result();
}

void judge(const MachineProblem& problem, const LeastSquaresSummary& solved, MachineFit& fit) {
  const std::size_t n = problem.unknowns.size(), shared = problem.shared;
  double samples = 0.0;
  bool white = true;
  for (std::size_t r = 0; r < problem.readings(); ++r) {
    const auto left = residuals(problem, fit, r);
    samples += double(left.size());
    const Whiteness w = whiteness(left);
    white = white && w.white;
    fit.correlation_time = std::max(fit.correlation_time, w.correlation_time);
  }
  std::vector<bool> stopped(n), loose;
  for (std::size_t i = 0; i < n; ++i)
    stopped[i] =
        solved.x[i] <= problem.unknowns[i].lower || solved.x[i] >= problem.unknowns[i].upper;
  const double freedom = std::max(samples - double(n), 1.0);
  const double variance = 2.0 * solved.cost / freedom * fit.correlation_time;
  const auto c = covariance(solved.equations, stopped, variance, loose);
  const double t = student(std::max(freedom / fit.correlation_time, 3.0));
  const auto table = parameters_of(fit.parts);
  for (std::size_t i = 0; i < shared; ++i) {
    const auto& u = problem.unknowns[i];
    const double x = solved.x[i], deviation = std::sqrt(c[i * n + i]);
    const auto at = std::find_if(table.begin(), table.end(),
                                 [&](const auto& one) { return one.field.name == u.name; });
    FittedParameter p{u.name, at->field.unit, at->field.meaning, u.value(x), true};
    p.at_bound = stopped[i];
    p.deviation = u.slope(x) * deviation;
    p.lower = u.value(x - t * deviation), p.upper = u.value(x + t * deviation);
    p.determined = !stopped[i] && !loose[i] &&
                   (u.logarithmic ? t * deviation < std::log(2.0)
                                  : t * p.deviation < std::max(std::abs(p.value), 1e-300));
    if (p.at_bound) fit.warnings.push_back(u.name + " stopped at its bound " + words(p.value));
    else if (!p.determined) fit.warnings.push_back("the data do not determine " + u.name);
    fit.parameters.push_back(std::move(p));
  }
  for (std::size_t i = 0; i < shared; ++i)
    for (std::size_t j = 0; j < shared; ++j) {
      const double size = std::sqrt(c[i * n + i] * c[j * n + j]);
      fit.correlation.push_back(size > 0.0 ? c[i * n + j] / size : i == j ? 1.0 : 0.0);
    }
  for (std::size_t i = 0; i < shared; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(fit.correlation[i * shared + j]) > 0.99)
        fit.warnings.push_back(problem.unknowns[j].name + " and " + problem.unknowns[i].name +
                               " have nearly the same effect on the data (correlation " +
                               words(std::round(1e3 * fit.correlation[i * shared + j]) / 1e3) +
                               ")");
  if (!white)
    fit.warnings.push_back("residuals are correlated over " +
                           words(std::round(fit.correlation_time)) +
                           " samples: intervals are widened, and the machine may lack something");
}

}  // namespace

double MachineFit::of(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& p : parameters) {
    if (p.name == name) return p.value;
    names.push_back(p.name);
  }
  throw InvalidInput("parameter", not_found("parameter", name, names));
}

MachineFit fit_machine(const MachineParts& parts, const std::vector<MachineRecord>& runs,
                       const MachineFitOptions& options) {
  MachineProblem problem(parts, runs, options);
  MachineFit fit;
  // Refuses parameters without a derivative before anything long begins.
  {
    std::vector<std::string> names(options.free);
    Rollout check(Machine(problem.parts_at(problem.start(), 0)), options.readings, names);
  }
  const auto starts = find_starts(problem, options);
  const double stages = double(std::size(drawn));
  detail::Work work(options.progress, stages * double(starts.size()) + 3.0 * stages);
  std::vector<LeastSquaresSummary> found(starts.size());
  detail::in_parallel(int(starts.size()), options.threads, [&](int k) {
    found[std::size_t(k)] = climb(problem, starts[std::size_t(k)], options.solver, work);
  });
  for (const auto& one : found) fit.evaluations += one.evaluations;
  const auto better = [](const LeastSquaresSummary& a, const LeastSquaresSummary& b) {
    return (std::isfinite(a.cost) ? a.cost : 1e300) < (std::isfinite(b.cost) ? b.cost : 1e300);
  };
  std::stable_sort(found.begin(), found.end(), better);
  LeastSquaresSummary best = found.front();
  fit.message = best.message;
  fit.status = best.status;
  if (work.stopped()) {
    fit.status = FitStatus::stopped;
    return fit;
  }
  if (best.status == FitStatus::not_defined || best.x.empty()) {
    fit.message = "the machine cannot be simulated from any of the starts";
    return fit;
  }
  double last = -1.0;
  for (const auto& one : found) {
    if (last < 0.0 || one.cost > 1.001 * last) ++fit.distinct_minima, last = one.cost;
  }
  // From here on without the error of fixed steps, each reading in units of its own noise.
  problem.exact = true;
  problem.threads = options.threads;
  for (int pass = 0; pass < 3; ++pass) {
    predict(problem, best.x, fit);
    fit.noise.clear();
    for (std::size_t r = 0; r < problem.readings(); ++r) {
      const auto left = residuals(problem, fit, r);
      double squares = 0.0;
      for (const double e : left) squares += e * e;
      const double size = std::sqrt(squares / double(std::max<std::size_t>(left.size(), 1)));
      if (size > 0.0) problem.noise[r] = size;
      fit.noise.push_back(size);
    }
    if (!work.add(stages)) {
      fit.status = FitStatus::stopped;
      return fit;
    }
    best = solve(problem, best.x, options.solver);
    fit.evaluations += best.evaluations;
    if (best.status == FitStatus::not_defined) {
      fit.status = best.status;
      fit.message = "the machine as found at fixed steps cannot be run by the adaptive method";
      return fit;
    }
  }
  fit.status = best.status, fit.message = best.message, fit.cost = best.cost;
  fit.parts = problem.parts_at(best.x, 0);
  for (std::size_t i = 0; i < fit.parts.inputs.size(); ++i)
    fit.parts.inputs[i].signal = parts.inputs[i].signal;
  predict(problem, best.x, fit);
  judge(problem, best, fit);
  for (std::size_t k = 0; k < runs.size(); ++k)
    for (std::size_t r = 0; r < problem.readings(); ++r)
      fit.agreements.push_back({runs[k].name, options.readings[r],
                                agreement(problem, fit, k, r, false),
                                agreement(problem, fit, k, r, true)});
  return fit;
}

}  // namespace bristle
