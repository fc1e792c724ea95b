// SPDX-License-Identifier: MIT
#include "bristle/identify/servo_fit.hpp"

#include <cmath>
#include <limits>

#include "servo_normal.hpp"
#include "servo_search.hpp"

namespace bristle {
namespace {

using detail::ServoCost;
using detail::ServoParameter;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// The quantile of Student's distribution at 97.5 %, by its series in 1 / freedom (to 1e-3 from 3
// on; fewer runs give no interval).
double student(double freedom) {
  const double x = 1.959963985;
  const double x3 = x * x * x, x5 = x3 * x * x, x7 = x5 * x * x;
  return x + (x3 + x) / (4.0 * freedom) +
         (5.0 * x5 + 16.0 * x3 + 3.0 * x) / (96.0 * freedom * freedom) +
         (3.0 * x7 + 19.0 * x5 + 17.0 * x3 - 15.0 * x) / (384.0 * freedom * freedom * freedom);
}

// How far each parameter inside its bounds would move without one of the runs, to first order.
std::vector<std::vector<double>> moves(const detail::ServoNormal& normal,
                                       std::span<const int> inside) {
  std::vector<std::vector<double>> all;
  for (std::size_t r = 0; r < normal.run_gradient.size(); ++r) {
    auto rest = normal.matrix;
    for (const int i : inside)
      for (const int j : inside) rest[i][j] -= normal.run_matrix[r][i][j];
    const auto inverse = detail::inverse_of(rest, inside);
    if (inverse.empty()) return {};  // a parameter that one run alone determines
    auto& move = all.emplace_back(inside.size(), 0.0);
    for (std::size_t a = 0; a < inside.size(); ++a)
      for (std::size_t b = 0; b < inside.size(); ++b)
        move[a] += inverse[a][b] * normal.run_gradient[r][inside[b]];
  }
  return all;
}

// Intervals from what the runs do to the parameters, each left out once (the jackknife).
std::vector<FittedParameter> estimates(ServoCost& cost, const ServoModel<>& model) {
  const auto& parameters = cost.parameters();
  const auto normal = cost.normal(model);
  const int n = int(parameters.size()), runs = int(normal.run_gradient.size());
  std::vector<FittedParameter> all;
  std::vector<int> inside;
  for (int i = 0; i < n; ++i) {
    const double value = detail::servo_value(model, parameters[i].index);
    const bool bound = value <= parameters[i].bounds.lower || value >= parameters[i].bounds.upper;
    all.push_back({.name = parameters[i].name,
                   .unit = parameters[i].unit,
                   .meaning = parameters[i].meaning,
                   .value = value,
                   .free = true,
                   .deviation = none,
                   .lower = none,
                   .upper = none,
                   .at_bound = bound});
    all.back().determined = !bound && normal.matrix[i][i] > 0.0;
    if (all.back().determined) inside.push_back(i);
  }
  const auto inverse = detail::inverse_of(normal.matrix, inside);
  const auto move = runs > 3 ? moves(normal, inside) : std::vector<std::vector<double>>{};
  for (std::size_t a = 0; a < inside.size(); ++a) {
    FittedParameter& e = all[inside[a]];
    // How much the other parameters can stand in for this one.
    const double inflation =
        inverse.empty() ? largest : inverse[a][a] * normal.matrix[inside[a]][inside[a]];
    e.determined = inflation < 1e8;
    if (!e.determined || move.empty()) continue;
    double variance = 0.0;
    for (const auto& m : move) variance += m[a] * m[a] * (runs - 1.0) / runs;
    const double half = student(runs - 1) * std::sqrt(variance);
    const bool logarithmic = ServoCost::logarithmic(parameters[inside[a]]);
    e.deviation = std::sqrt(variance) * (logarithmic ? e.value : 1.0);
    e.lower = logarithmic ? e.value * std::exp(-half) : e.value - half;
    e.upper = logarithmic ? e.value * std::exp(half) : e.value + half;
  }
  return all;
}

std::vector<std::string> doubts(const ServoFit& fit, std::size_t runs) {
  std::vector<std::string> all;
  for (const auto& e : fit.estimates)
    if (e.at_bound)
      all.push_back(e.name + " ends at its bound, " + words(e.value) +
                    (e.unit.empty() ? "" : " " + e.unit) +
                    ": the data ask for less or more than is allowed");
    else if (!e.determined) all.push_back(e.name + " is not determined by these runs");
  if (!fit.estimates.empty() && runs < 4)
    all.push_back("there are no intervals: they need at least 4 runs, these are " +
                  std::to_string(runs));
  const auto near = std::count_if(fit.refined_costs.begin(), fit.refined_costs.end(),
                                  [&](double cost) { return cost <= 1.01 * fit.cost; });
  if (fit.refined_costs.size() > 2 && near < 2)
    all.push_back("only 1 of " + std::to_string(fit.refined_costs.size()) +
                  " refined starts came within 1 % of the best cost: there are many minima, more "
                  "starts may find a better one");
  return all;
}

}  // namespace

ServoFit fit_servo(std::span<const ServoRun> runs, const ServoModel<>& start,
                   const ServoFitOptions& options) {
  if (runs.empty()) throw InvalidInput("runs", "servo fit: there are no runs to fit");
  if (!(options.step > 0.0) || !(options.robust_scale > 0.0))
    throw InvalidInput("step", "servo fit: step and robust_scale must be greater than 0");
  if (options.starts < 0 || options.refined < 0)
    throw InvalidInput("starts", "servo fit: starts and refined must be at least 0");
  for (const auto& run : runs) check_run(run);
  validate(start.pendulum);
  validate(start.friction);
  ServoCost cost(runs, options);
  ServoFit fit;
  detail::Work work(options.progress, detail::search_size(options));
  const auto found = detail::search_servo(cost, start, options, work);
  fit.model = found.front().model;
  fit.cost = found.front().cost;
  fit.status = work.stopped()            ? FitStatus::stopped
               : found.front().converged ? FitStatus::converged
                                         : FitStatus::iterations_used_up;
  for (const auto& each : found) fit.refined_costs.push_back(each.cost);
  const ServoError mean = mean_error(servo_errors(runs, fit.model, options.step));
  fit.mean_absolute = mean.mean_absolute;
  fit.root_mean_square = mean.root_mean_square;
  if (!options.free.empty()) fit.estimates = estimates(cost, fit.model);
  fit.rollouts = cost.rollouts;
  fit.message = (fit.status == FitStatus::stopped ? "stopped on request, best so far"
                 : fit.converged()                ? "converged"
                                                  : "not converged, best so far") +
                std::string(": mean absolute error ") +
                words(std::round(fit.mean_absolute * 1e6) / 1e6) + " rad over " +
                std::to_string(runs.size()) + " runs";
  fit.warnings = doubts(fit, runs.size());
  return fit;
}

std::vector<FittedParameter> all_estimates(const ServoFit& fit) {
  std::vector<FittedParameter> all;
  for (const auto& p : detail::all_servo_parameters()) {
    const double value = detail::servo_value(fit.model, p.index);
    all.push_back({.name = p.name, .unit = p.unit, .meaning = p.meaning, .value = value});
    for (const auto& e : fit.estimates)
      if (e.name == p.name) all.back() = e;
  }
  // The law before its mechanism, as in other fits.
  std::rotate(all.begin(), all.begin() + long(ServoPendulum<>::fields().size()), all.end());
  return all;
}

std::vector<ServoFold> cross_validate_servo(std::span<const ServoRun> runs,
                                            const ServoModel<>& start,
                                            const ServoFitOptions& options) {
  std::vector<int> kinds;
  for (const auto& run : runs)
    if (std::find(kinds.begin(), kinds.end(), run.kind) == kinds.end()) kinds.push_back(run.kind);
  if (kinds.size() < 2)
    throw InvalidInput("runs", "servo fit: runs of one kind leave none to fit if held out");
  std::vector<ServoFold> folds(kinds.size());
  detail::Work work(options.progress, double(kinds.size()));
  // Threads beyond the number of folds help within them.
  const int count = int(kinds.size());
  ServoFitOptions within = options;
  within.threads = std::max(1, options.threads / count);
  detail::in_parallel(count, options.threads, [&](int k) {
    ServoFold& fold = folds[std::size_t(k)];
    ServoFitOptions own = within;
    own.progress = work.part(1.0);
    std::vector<ServoRun> kept, held;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const bool out = runs[i].kind == kinds[std::size_t(k)];
      if (out) fold.held_out.push_back(int(i));
      (out ? held : kept).push_back(runs[i]);
    }
    fold.fit = fit_servo(kept, start, own);
    fold.errors = servo_errors(held, fold.fit.model, options.step);
  });
  return folds;
}

}  // namespace bristle
