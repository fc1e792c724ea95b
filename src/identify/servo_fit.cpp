// SPDX-License-Identifier: MIT
#include "bristle/identify/servo_fit.hpp"

#include <cmath>

#include "servo_normal.hpp"
#include "servo_search.hpp"

namespace bristle {
namespace {

using detail::ServoCost;
using detail::ServoParameter;

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
std::vector<ServoEstimate> estimates(ServoCost& cost, const ServoModel<>& model) {
  const auto& parameters = cost.parameters();
  const auto normal = cost.normal(model);
  const int n = int(parameters.size()), runs = int(normal.run_gradient.size());
  std::vector<ServoEstimate> all;
  std::vector<int> inside;
  for (int i = 0; i < n; ++i) {
    const double value = detail::servo_value(model, parameters[i].index);
    const bool bound = value <= parameters[i].bounds.lower || value >= parameters[i].bounds.upper;
    all.push_back({parameters[i].name, parameters[i].unit, value, value, value, bound, false});
    all.back().determined = !bound && normal.matrix[i][i] > 0.0;
    if (all.back().determined) inside.push_back(i);
  }
  const auto inverse = detail::inverse_of(normal.matrix, inside);
  const auto move = runs > 3 ? moves(normal, inside) : std::vector<std::vector<double>>{};
  for (std::size_t a = 0; a < inside.size(); ++a) {
    ServoEstimate& e = all[inside[a]];
    // How much the other parameters can stand in for this one.
    const double inflation =
        inverse.empty() ? largest : inverse[a][a] * normal.matrix[inside[a]][inside[a]];
    e.determined = inflation < 1e8;
    if (!e.determined || move.empty()) continue;
    double variance = 0.0;
    for (const auto& m : move) variance += m[a] * m[a] * (runs - 1.0) / runs;
    const double half = student(runs - 1) * std::sqrt(variance);
    const bool logarithmic = ServoCost::logarithmic(parameters[inside[a]]);
    e.lower = logarithmic ? e.value * std::exp(-half) : e.value - half;
    e.upper = logarithmic ? e.value * std::exp(half) : e.value + half;
  }
  return all;
}

}  // namespace

ServoFit fit_servo(std::span<const ServoRun> runs, const ServoModel<>& start,
                   const ServoFitOptions& options) {
  if (runs.empty()) throw InvalidInput("runs", "servo fit: there are no runs to fit");
  if (!(options.step > 0.0) || !(options.robust_scale > 0.0))
    throw InvalidInput("step", "servo fit: step and robust_scale must be greater than 0");
  validate(start.pendulum);
  validate(start.friction);
  ServoCost cost(runs, options);
  ServoFit fit;
  const auto found = detail::search_servo(cost, start, options);
  fit.model = found.front().model;
  fit.cost = found.front().cost;
  fit.converged = found.front().converged;
  for (const auto& each : found) fit.refined_costs.push_back(each.cost);
  const auto errors = servo_errors(runs, fit.model, options.step);
  for (const auto& e : errors) {
    fit.mean_absolute += e.mean_absolute / double(runs.size());
    fit.root_mean_square += e.root_mean_square / double(runs.size());
  }
  if (!options.free.empty()) fit.estimates = estimates(cost, fit.model);
  fit.rollouts = cost.rollouts;
  fit.message = (fit.converged ? "converged" : "not converged, best so far") +
                std::string(": mean absolute error ") +
                words(std::round(fit.mean_absolute * 1e6) / 1e6) + " rad over " +
                std::to_string(runs.size()) + " runs";
  for (const auto& e : fit.estimates)
    if (e.at_bound) fit.message += "; " + e.name + " is at its bound";
    else if (!e.determined) fit.message += "; " + e.name + " is not determined by these runs";
  return fit;
}

std::vector<ServoFold> cross_validate_servo(std::span<const ServoRun> runs,
                                            const ServoModel<>& start,
                                            const ServoFitOptions& options, ServoSplit split) {
  const auto key = [&](const ServoRun& run) {
    return split == ServoSplit::gain
               ? run.gain
               : double(split == ServoSplit::run ? run.number : run.trajectory);
  };
  std::vector<double> keys;
  for (const auto& run : runs)
    if (std::find(keys.begin(), keys.end(), key(run)) == keys.end()) keys.push_back(key(run));
  if (keys.size() < 2)
    throw InvalidInput("runs", "servo fit: runs of one kind leave none to fit if held out");
  std::vector<ServoFold> folds;
  for (const double k : keys) {
    ServoFold fold;
    std::vector<ServoRun> kept, held;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (key(runs[i]) == k) fold.held_out.push_back(int(i)), held.push_back(runs[i]);
      else kept.push_back(runs[i]);
    }
    fold.fit = fit_servo(kept, start, options);
    fold.errors = servo_errors(held, fold.fit.model, options.step);
    folds.push_back(std::move(fold));
  }
  return folds;
}

}  // namespace bristle
