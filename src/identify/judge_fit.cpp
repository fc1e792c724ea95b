// SPDX-License-Identifier: MIT
#include "judge_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bristle/model/registry.hpp"

namespace bristle {
namespace {

using Predicted = std::vector<std::vector<double>>;

Agreement agreement(const FitProblem& problem, const Predicted& predicted, bool held) {
  Agreement a;
  double sum = 0.0, squares = 0.0, errors = 0.0, least = INFINITY, most = -INFINITY;
  for (std::size_t k = 0; k < problem.runs.size(); ++k)
    for (std::size_t i = 0; i < problem.runs[k].samples.size(); ++i) {
      const Sample& s = problem.runs[k].samples[i];
      if ((s.weight == 0.0) != held) continue;
      const double y = problem.measured(s), e = predicted[k][i] - y;
      ++a.samples;
      sum += y;
      squares += y * y;
      errors += e * e;
      a.worst = std::max(a.worst, std::abs(e));
      least = std::min(least, y), most = std::max(most, y);
    }
  if (a.samples == 0) return a;
  const double n = double(a.samples);
  a.rmse = std::sqrt(errors / n);
  a.nrmse = most > least ? a.rmse / (most - least) : 0.0;
  const double spread = squares - sum * sum / n;
  a.r2 = spread > 0.0 ? 1.0 - errors / spread : 0.0;
  return a;
}

// A constant, and a force that changes with the sign of the velocity only: fitted where the fit
// was.
void do_nothing(FitSummary& s, bool held) {
  double count[3] = {}, sum[3] = {};
  const auto side = [](double v) { return v > 0.0 ? 2 : v < 0.0 ? 0 : 1; };
  for (const Track& run : s.problem.runs)
    for (const Sample& m : run.samples)
      if (m.weight > 0.0) count[side(m.velocity)] += 1.0, sum[side(m.velocity)] += m.force;
  const double mean = (sum[0] + sum[1] + sum[2]) / (count[0] + count[1] + count[2]);
  const auto level = [&](int i) { return count[i] > 0.0 ? sum[i] / count[i] : mean; };
  Predicted flat, stepped;
  for (const Track& run : s.problem.runs) {
    flat.emplace_back(run.samples.size(), mean);
    stepped.emplace_back();
    for (const Sample& m : run.samples) stepped.back().push_back(level(side(m.velocity)));
  }
  s.constant = agreement(s.problem, flat, held);
  s.coulomb = agreement(s.problem, stepped, held);
}

// Of a rollout: a constant, and a straight line of the input.
void do_nothing_in_motion(FitSummary& s, bool held) {
  const auto& runs = s.problem.runs;
  double n = 0.0, su = 0.0, sy = 0.0, suu = 0.0, suy = 0.0;
  const auto each = [&](const auto& what) {
    for (std::size_t k = 0; k < runs.size(); ++k) {
      std::size_t at = 0;
      for (const Sample& m : runs[k].samples) {
        at += 2 * std::size_t(m.steps);
        what(k, m, runs[k].drive[at]);
      }
    }
  };
  each([&](std::size_t, const Sample& m, double) {
    if (m.weight > 0.0) n += 1.0, sy += s.problem.measured(m);
  });
  const double mean = sy / n;
  each([&](std::size_t, const Sample& m, double u) {
    if (m.weight > 0.0) su += u / n;
  });
  each([&](std::size_t, const Sample& m, double u) {
    if (m.weight == 0.0) return;
    suu += (u - su) * (u - su);
    suy += (u - su) * (s.problem.measured(m) - mean);
  });
  const double slope = suu > 0.0 ? suy / suu : 0.0;
  Predicted flat(runs.size()), line(runs.size());
  each([&](std::size_t k, const Sample&, double u) {
    flat[k].push_back(mean), line[k].push_back(mean + slope * (u - su));
  });
  s.constant = agreement(s.problem, flat, held);
  s.coulomb = agreement(s.problem, line, held);
}

// Ljung-Box over 20 lags, and the correlation time up to the first lag that is not positive.
void whiteness(FitSummary& s, const Predicted& predicted) {
  if (s.problem.kind == FitKind::steady) return;
  std::vector<double> r;
  for (std::size_t k = 0; k < s.problem.runs.size(); ++k)
    for (std::size_t i = 0; i < s.problem.runs[k].samples.size(); ++i)
      if (s.problem.runs[k].samples[i].weight > 0.0)
        r.push_back(predicted[k][i] - s.problem.measured(s.problem.runs[k].samples[i]));
  const double n = double(r.size());
  const double power = std::inner_product(r.begin(), r.end(), r.begin(), 0.0);
  if (!(power > 0.0) || r.size() < 60) return;
  const auto at_lag = [&](std::size_t lag) {
    return std::inner_product(r.begin() + long(lag), r.end(), r.begin(), 0.0) / power;
  };
  double q = 0.0;
  for (std::size_t lag = 1; lag <= 20; ++lag) {
    const double rho = at_lag(lag);
    q += rho * rho / (n - double(lag));
  }
  s.white = n * (n + 2.0) * q <= 31.410432844230918;  // chi-square, 20 degrees, 95 %
  if (s.white) return;
  for (std::size_t lag = 1; lag < std::min<std::size_t>(r.size() / 10, 2000); ++lag) {
    const double rho = at_lag(lag);
    if (rho <= 0.0) break;
    s.correlation_time += 2.0 * rho;
  }
}

// The 97.5 % point of Student's t, by its expansion around the normal one.
double student(double freedom) {
  constexpr double z = 1.959963984540054;
  const double z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4.0 * freedom) +
         (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom * freedom);
}

// The covariance of the unknowns that are not stopped by a bound; rows of the others are zero.
std::vector<double> covariance(const NormalEquations& e, const std::vector<bool>& stopped,
                               double variance, std::vector<bool>& loose) {
  const int n = e.n;
  std::vector<int> free;
  for (int i = 0; i < n; ++i)
    if (!stopped[std::size_t(i)] && e.at(i, i) > 0.0) free.push_back(i);
  const int m = int(free.size());
  std::vector<double> scaled(std::size_t(m * m));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j)
      scaled[std::size_t(i * m + j)] = e.at(free[std::size_t(i)], free[std::size_t(j)]) /
                                       std::sqrt(e.at(free[std::size_t(i)], free[std::size_t(i)]) *
                                                 e.at(free[std::size_t(j)], free[std::size_t(j)]));
  const EigenPairs pairs = symmetric_eigen(scaled, m);
  std::vector<double> c(std::size_t(n * n), 0.0);
  loose.assign(std::size_t(n), false);
  for (int k = 0; k < m; ++k) {
    const bool flat = pairs.values[std::size_t(k)] < 1e-12;
    const double inverse = variance / std::max(pairs.values[std::size_t(k)], 1e-15);
    for (int i = 0; i < m; ++i) {
      const int fi = free[std::size_t(i)];
      const double vi = pairs.vectors[std::size_t(k * m + i)];
      if (flat && std::abs(vi) > 0.1) loose[std::size_t(fi)] = true;
      for (int j = 0; j < m; ++j) {
        const int fj = free[std::size_t(j)];
        c[std::size_t(fi * n + fj)] += inverse * vi * pairs.vectors[std::size_t(k * m + j)] /
                                       std::sqrt(e.at(fi, fi) * e.at(fj, fj));
      }
    }
  }
  for (int i = 0; i < n; ++i)
    if (!stopped[std::size_t(i)] && !(e.at(i, i) > 0.0)) loose[std::size_t(i)] = true;
  return c;
}

}  // namespace

double robust_deviation(const FitProblem& problem, std::span<const double> x) {
  const auto predicted = fit_predict(problem, x);
  std::vector<double> sizes;
  for (std::size_t k = 0; k < predicted.size(); ++k)
    for (std::size_t i = 0; i < predicted[k].size(); ++i)
      if (const Sample& s = problem.runs[k].samples[i]; s.weight > 0.0)
        sizes.push_back(std::abs(predicted[k][i] - problem.measured(s)));
  const auto middle = sizes.begin() + long(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return std::max(1.4826 * *middle, 1e-300);
}

void judge(FitSummary& s, const LeastSquaresSummary& solved) {
  const FitProblem& problem = s.problem;
  const bool rollout = problem.kind == FitKind::rollout;
  const auto predicted = fit_predict(problem, s.x);
  s.fitted = agreement(problem, predicted, false);
  s.held_out = agreement(problem, predicted, true);
  if (rollout) do_nothing_in_motion(s, s.held_out.samples > 0);
  else do_nothing(s, s.held_out.samples > 0);
  if (rollout) s.step_error = rollout_step_error(problem, s.x);
  whiteness(s, predicted);

  const auto shared = problem.shared();
  const std::size_t n = s.x.size();
  const double samples = double(s.fitted.samples), freedom = samples - double(n);
  const double squares = s.fitted.rmse * s.fitted.rmse * samples;
  s.aic = samples * std::log(squares / samples) + 2.0 * double(n);
  s.bic = samples * std::log(squares / samples) + std::log(samples) * double(n);

  std::vector<double> lower, upper;
  problem.bounds(lower, upper);
  std::vector<bool> stopped(n), loose;
  for (std::size_t i = 0; i < n; ++i) stopped[i] = s.x[i] <= lower[i] || s.x[i] >= upper[i];
  const double variance = 2.0 * solved.cost / std::max(freedom, 1.0) * s.correlation_time;
  const auto c = covariance(solved.equations, stopped, variance, loose);
  const auto values = problem.values(s.x);
  const auto slopes = problem.value_slopes(s.x);
  const double t = student(std::max(freedom, 3.0));

  const Description& description = find_law(problem.law).description;
  const DataScales data = scales_of(problem.runs);
  std::size_t slot = 0;
  for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
    const FitParameter& p = problem.parameters[i];
    const int f = problem.field_of[i];
    const bool beside = p.name == "offset" || p.name == "asymmetry";
    if (beside && !p.free) continue;
    FittedParameter q{p.name, p.unit, p.meaning, values[i], p.free};
    if (f < 0 && !beside) s.mechanism[p.name.substr(mechanism_prefix.size())] = values[i];
    q.lower = q.upper = q.value;
    if (p.free) {
      // Through the slopes of the value: one counted from another has the doubt of both.
      double v = 0.0;
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          v += slopes[i * n + a] * slopes[i * n + b] * c[a * n + b];
      q.deviation = std::sqrt(std::max(v, 0.0));
      q.at_bound = stopped[slot];
      const double half = t * q.deviation;
      if (p.logarithmic) {
        const double factor = std::exp(std::min(half / q.value, 700.0));
        q.lower = q.value / factor, q.upper = q.value * factor;
      } else {
        q.lower = q.value - half, q.upper = q.value + half;
      }
      const double size = beside ? INFINITY : std::abs(q.value);
      q.determined = !loose[slot] && !q.at_bound &&
                     half < (p.logarithmic ? std::log(2.0) * size : size) &&
                     (problem.kind != FitKind::direct || !bends_unseen(q, problem.runs, data));
      ++slot;
    }
    s.parameters.push_back(q);
  }
  for (const int i : shared) s.unknowns.push_back(problem.parameters[std::size_t(i)].name);
  for (std::size_t i = 0; i < shared.size(); ++i)
    for (std::size_t j = 0; j < shared.size(); ++j) {
      const double d = std::sqrt(c[i * n + i] * c[j * n + j]);
      s.correlation.push_back(d > 0.0 ? c[i * n + j] / d : i == j ? 1.0 : 0.0);
    }
  // The law with what was found, ready to be run.
  for (std::size_t f = 0; f < description.fields.size(); ++f) {
    const FieldInfo& field = description.fields[f];
    if (field.choices.empty()) s.values[field.name] = problem.fields[f];
    else s.values[field.name] = field.choices[std::size_t(problem.fields[f])];
  }
  for (std::size_t i = 0; i < problem.parameters.size(); ++i)
    if (problem.field_of[i] >= 0) s.values[problem.parameters[i].name] = values[i];
  s.warnings = doubts(s, data);
}

}  // namespace bristle
