// SPDX-License-Identifier: MIT
#include "bristle/identify/machine_fit.hpp"

#include <algorithm>
#include <cmath>

#include "agreement_sum.hpp"
#include "bristle/ensemble/parallel.hpp"
#include "bristle/machine/parameters.hpp"
#include "intervals.hpp"
#include "machine_search.hpp"

namespace bristle {
namespace {

using detail::MachineProblem;
using detail::solve;

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

// The size of the residuals of a reading: their root mean square, or from their median.
double size_of(std::vector<double> left, bool robust) {
  if (left.empty()) return 0.0;
  if (robust) {
    for (double& e : left) e = std::abs(e);
    const auto middle = left.begin() + long(left.size() / 2);
    std::nth_element(left.begin(), middle, left.end());
    return 1.4826 * *middle;
  }
  double squares = 0.0;
  for (const double e : left) squares += e * e;
  return std::sqrt(squares / double(left.size()));
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

// The largest root mean square over readings, in units of their noise, by which halved steps move
// the fitted samples.
double step_error(MachineProblem problem, const std::vector<double>& x) {
  MachineFit coarse, fine;
  predict(problem, x, coarse);
  problem.steps *= 2;
  predict(problem, x, fine);
  double worst = 0.0;
  for (std::size_t r = 0; r < problem.readings(); ++r) {
    std::vector<double> moved;
    for (std::size_t k = 0; k < problem.run_count(); ++k)
      for (std::size_t i = 0; i < problem.fitted_samples(k); ++i)
        moved.push_back(coarse.predicted[k][r][i] - fine.predicted[k][r][i]);
    worst = std::max(worst, size_of(moved, false) / problem.noise[r]);
  }
  return worst;
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

// The mean absolute error of a prediction, and that of the mean of what was measured.
std::pair<double, double> mean_errors(const std::vector<double>& measured,
                                      const std::vector<double>& predicted) {
  double sum = 0.0, count = 0.0, error = 0.0, at_mean = 0.0;
  for (const double y : measured)
    if (std::isfinite(y)) sum += y, count += 1.0;
  for (std::size_t i = 0; i < measured.size(); ++i)
    if (std::isfinite(measured[i])) {
      error += std::abs(predicted[i] - measured[i]);
      at_mean += std::abs(measured[i] - sum / count);
    }
  return {error / count, at_mean / count};
}

// Variances of the shared parameters from what the runs do to them, each left out once; empty where
// there are fewer than four runs, or where one run alone determines a parameter.
std::vector<double> jackknife(const MachineProblem& problem, const std::vector<double>& x,
                              const std::vector<bool>& stopped) {
  const auto runs = problem.shared_equations(x);
  if (runs.size() < 4) return {};
  std::vector<int> inside;
  for (int i = 0; i < int(problem.shared); ++i)
    if (!stopped[std::size_t(i)]) inside.push_back(i);
  std::vector<double> variance(problem.shared, 0.0);
  const double count = double(runs.size());
  for (const auto& out : runs) {
    std::vector<double> rest, move, size;
    for (const int i : inside) {
      double own = 0.0;
      for (const auto& run : runs) own += run.at(i, i);
      size.push_back(own > 0.0 ? std::sqrt(own) : 1.0);
    }
    for (std::size_t a = 0; a < inside.size(); ++a) {
      const int i = inside[a];
      for (std::size_t b = 0; b < inside.size(); ++b) {
        double sum = 0.0;
        for (const auto& run : runs)
          if (&run != &out) sum += run.at(i, inside[b]);
        rest.push_back(sum / (size[a] * size[b]));
      }
      move.push_back(out.gradient[std::size_t(i)] / size[a]);
    }
    if (!solve_symmetric(rest, move)) return {};
    for (std::size_t a = 0; a < inside.size(); ++a)
      variance[std::size_t(inside[a])] += square(move[a] / size[a]) * (count - 1.0) / count;
  }
  return variance;
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
  double t = student(std::max(freedom / fit.correlation_time, 3.0));
  const auto by_runs = white ? std::vector<double>{} : jackknife(problem, solved.x, stopped);
  fit.by_runs = !by_runs.empty();
  if (fit.by_runs) {
    double runs = 0.0;
    for (std::size_t k = 0; k < problem.run_count(); ++k) runs += problem.fitted_samples(k) > 0;
    t = student(runs - 1.0);
  }
  const auto table = parameters_of(fit.parts);
  for (std::size_t i = 0; i < shared; ++i) {
    const auto& u = problem.unknowns[i];
    const double x = solved.x[i];
    const double deviation = std::sqrt(fit.by_runs && !loose[i] ? by_runs[i] : c[i * n + i]);
    const auto at = std::find_if(table.begin(), table.end(),
                                 [&](const auto& one) { return one.field.name == u.name; });
    FittedParameter p{u.name, at->field.unit, at->field.meaning, u.value(x), true};
    p.at_bound = stopped[i];
    p.least = u.value(u.lower), p.most = u.value(u.upper);
    p.deviation = u.slope(x) * deviation;
    p.lower = u.value(x - t * deviation), p.upper = u.value(x + t * deviation);
    p.determined = !stopped[i] && !loose[i] &&
                   (u.logarithmic ? t * deviation < std::log(2.0)
                                  : t * p.deviation < std::max(std::abs(p.value), 1e-300));
    if (p.at_bound) fit.warnings.push_back(u.name + " stopped at its bound " + words(p.value));
    else if (!p.determined) fit.warnings.push_back("the data do not determine " + u.name);
    fit.parameters.push_back(std::move(p));
    fit.logarithmic.push_back(u.logarithmic);
  }
  const auto own_deviation = [&](std::size_t i) {
    const FittedParameter& p = fit.parameters[i];
    return fit.logarithmic[i] ? p.deviation / p.value : p.deviation;
  };
  for (std::size_t i = 0; i < shared; ++i)
    for (std::size_t j = 0; j < shared; ++j) {
      const double size = std::sqrt(c[i * n + i] * c[j * n + j]);
      fit.correlation.push_back(size > 0.0 ? c[i * n + j] / size : i == j ? 1.0 : 0.0);
      fit.covariance.push_back(fit.correlation.back() * own_deviation(i) * own_deviation(j));
    }
  for (std::size_t i = 0; i < shared; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(fit.correlation[i * shared + j]) > 0.99)
        fit.warnings.push_back(problem.unknowns[j].name + " and " + problem.unknowns[i].name +
                               " have nearly the same effect on the data (correlation " +
                               words(std::round(1e3 * fit.correlation[i * shared + j]) / 1e3) +
                               ")");
  if (!white && !fit.by_runs)
    fit.warnings.push_back(
        "residuals are correlated over " + words(std::round(fit.correlation_time)) +
        " samples: intervals are widened, and the machine may not describe everything");
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
  const auto starts = detail::find_starts(problem, options);
  const double stages = double(detail::search_stages);
  detail::Work work(options.progress, stages * double(starts.size()) + 3.0 * stages);
  std::vector<LeastSquaresSummary> found(starts.size());
  in_parallel(int(starts.size()), options.threads, [&](int k) {
    found[std::size_t(k)] = detail::climb(problem, starts[std::size_t(k)], options.solver, work);
  });
  for (const auto& one : found) fit.evaluations += one.evaluations;
  const auto better = [](const LeastSquaresSummary& a, const LeastSquaresSummary& b) {
    return (std::isfinite(a.cost) ? a.cost : 1e300) < (std::isfinite(b.cost) ? b.cost : 1e300);
  };
  std::stable_sort(found.begin(), found.end(), better);
  LeastSquaresSummary best = found.front();
  if (!work.stopped() && best.status != FitStatus::not_defined && !best.x.empty()) {
    const int before = best.evaluations;
    detail::call_back(problem, options, best);
    fit.evaluations += best.evaluations - before;
  }
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
  problem.exact = !problem.only_fixed();
  problem.threads = options.threads;
  // A minimum of fixed steps may be where adaptive runs fail; the next best is then taken.
  for (std::size_t k = 0; k < found.size() && !std::isfinite(problem.cost(best.x, nullptr)); ++k)
    if (std::isfinite(found[k].cost)) best = found[k];
  for (int pass = 0; pass < 3; ++pass) {
    predict(problem, best.x, fit);
    fit.noise.clear();
    for (std::size_t r = 0; r < problem.readings(); ++r) {
      const double size = size_of(residuals(problem, fit, r), options.robust);
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
  if (problem.only_fixed()) fit.step_error = step_error(problem, best.x);
  // The machine of the file with what was found: starts and values of single runs are not part of
  // it.
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < problem.shared; ++i)
    values[problem.unknowns[i].name] = problem.unknowns[i].value(best.x[i]);
  fit.parts = parts;
  set_parameters(fit.parts, values);
  predict(problem, best.x, fit);
  judge(problem, best, fit);
  for (std::size_t k = 0; k < runs.size(); ++k)
    for (std::size_t r = 0; r < problem.readings(); ++r) {
      ReadingAgreement one{runs[k].name, options.readings[r], agreement(problem, fit, k, r, false),
                           agreement(problem, fit, k, r, true)};
      std::tie(one.mean_absolute, one.at_mean) =
          mean_errors(runs[k].readings[r], fit.predicted[k][r]);
      fit.agreements.push_back(std::move(one));
    }
  if (fit.step_error > 0.1)
    fit.warnings.push_back(
        "halved steps move the fit by " + words(std::round(1e3 * fit.step_error) / 1e3) +
        " of the residuals: parameters compensate for the steps, take more steps");
  return fit;
}

std::vector<MachineFold> cross_validate(const MachineParts& parts,
                                        const std::vector<MachineRecord>& runs,
                                        const std::vector<std::string>& groups,
                                        const MachineFitOptions& options) {
  if (groups.size() != runs.size())
    throw InvalidInput("groups", "groups: there are " + std::to_string(groups.size()) +
                                     " groups for " + std::to_string(runs.size()) +
                                     " runs, each run needs one");
  std::vector<MachineFold> folds;
  std::set<std::string> names;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (!names.insert(runs[k].name).second)
      throw InvalidInput(
          "runs", "two runs have the name " + runs[k].name + ", to be held out each needs its own");
    const auto known = std::find_if(folds.begin(), folds.end(), [&](const MachineFold& fold) {
      return fold.group == groups.at(k);
    });
    if (known != folds.end()) known->held_out.push_back(k);
    else folds.push_back({groups[k], {k}, {}});
  }
  if (folds.size() < 2)
    throw InvalidInput("leave_out",
                       "all runs have the same value: without them none would be left to fit");
  // Threads beyond the number of folds help within them.
  const int count = int(folds.size());
  detail::Work work(options.progress, double(count));
  in_parallel(count, options.threads, [&](int i) {
    MachineFold& fold = folds[std::size_t(i)];
    MachineFitOptions own = options;
    own.threads = std::max(1, options.threads / count);
    own.progress = work.part(1.0);
    for (const std::size_t k : fold.held_out) own.hold_out_runs.insert(runs[k].name);
    fold.fit = fit_machine(parts, runs, own);
  });
  return folds;
}

}  // namespace bristle
