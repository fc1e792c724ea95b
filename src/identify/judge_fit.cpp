// SPDX-License-Identifier: MIT
#include "judge_fit.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/model/registry.hpp"
#include "intervals.hpp"

namespace bristle {
namespace {

// A parameter that noise of the position moves by more than this part of it is not to be trusted.
constexpr double trusted_move = 0.1;

}  // namespace

void judge(FitSummary& s, const LeastSquaresSummary& solved, const NoiseStudy& study,
           const FitOptions& options) {
  const FitProblem& problem = s.problem;
  agree(s);
  if (problem.kind == FitKind::rollout) s.step_error = rollout_step_error(problem, s.x);

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
  auto c = covariance(solved.equations, stopped, variance, loose);
  s.repeated = study.fits;
  s.widened = std::sqrt(s.correlation_time);
  if (study.fits > 0)
    s.widened = study.widening > 1.0 ? std::max(s.widened, std::sqrt(study.widening)) : 1.0;
  // Noise of the motion alone makes residuals of this colour.
  if (study.fits > 0 && study.widening == 1.0) s.white = true;
  const auto linearised = c;
  // Scatter alone, then with what noise and filter may have moved the unknowns by. Where the law
  // is incomplete the linearised problem may know of more.
  auto scatter = c;
  if (study.fits > 0)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        if (stopped[i] || stopped[j]) continue;
        scatter[i * n + j] = study.widening * study.covariance[i * n + j];
        if (i == j && study.widening > 1.0)
          scatter[i * n + i] = std::max(scatter[i * n + i], linearised[i * n + i]);
        c[i * n + j] = scatter[i * n + j];
        for (const auto& m : study.moves())
          c[i * n + j] += m.by[i] * m.by[j] / (m.deviations * m.deviations);
      }
  const auto values = problem.values(s.x);
  const auto slopes = problem.value_slopes(s.x);
  const double t = student(std::max(study.fits > 0 ? study.fits - 1.0 : freedom, 3.0));

  const Description& description = find_law(problem.law).description;
  const DataScales data = scales_of(problem.runs);
  std::size_t slot = 0;
  for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
    const FitParameter& p = problem.parameters[i];
    const int f = problem.field_of[i];
    // Beside the law, and rightly of any size: a constant, a slope, a part of the weight.
    const bool beside = p.name == "offset" || p.name == "asymmetry" || p.name == backlash_name ||
                        p.coefficient || (p.term >= 0 && p.name.ends_with("sine"));
    if (beside && !p.free) continue;
    FittedParameter q{p.name, p.unit, p.meaning, values[i], p.free};
    if (f < 0 && !beside && p.term < 0)
      s.mechanism[p.name.substr(mechanism_prefix.size())] = values[i];
    q.lower = q.upper = q.value;
    if (p.free) {
      // Through the slopes of the value: one counted from another has the uncertainty of both.
      const auto spread = [&](const std::vector<double>& of) {
        double v = 0.0;
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t b = 0; b < n; ++b)
            v += slopes[i * n + a] * slopes[i * n + b] * of[a * n + b];
        return std::sqrt(std::max(v, 0.0));
      };
      q.deviation = spread(c);
      double own_move = 0.0;  // by the noise itself, if that is more than the value scatters
      if (study.fits > 0) {
        for (const auto& m : study.moves()) {
          double by = 0.0;
          for (std::size_t a = 0; a < n; ++a) by += slopes[i * n + a] * m.by[a];
          if (std::abs(by) > std::abs(q.noise_move)) q.noise_move = by;
          if (m.deviations == 1.0) own_move = std::max(own_move, std::abs(by));
        }
        const double alone = spread(linearised);
        if (alone > 0.0) q.widening = q.deviation / alone;
        q.noise_decides = std::abs(q.noise_move) > t * spread(scatter);
        if (own_move < t * spread(scatter)) own_move = 0.0;
      }
      q.at_bound = stopped[slot];
      const double half = t * q.deviation;
      if (p.logarithmic) {
        const double factor = std::exp(std::min(half / q.value, 700.0));
        q.lower = q.value / factor, q.upper = q.value * factor;
      } else {
        q.lower = q.value - half, q.upper = q.value + half;
      }
      // Nothing was searched beyond the bounds.
      const double from = p.above >= 0 ? values[std::size_t(p.above)] : 0.0;
      q.least = p.logarithmic ? std::exp(p.lower) : p.lower + from;
      q.most = p.logarithmic ? std::exp(p.upper) : p.upper + from;
      q.lower = std::max(q.lower, q.least), q.upper = std::min(q.upper, q.most);
      const double size = beside ? INFINITY : std::abs(q.value);
      const bool moved = own_move > trusted_move * size;
      q.determined = !loose[slot] && !q.at_bound && !moved &&
                     half < (p.logarithmic ? std::log(2.0) * size : size) &&
                     (problem.kind != FitKind::direct || p.coefficient ||
                      !bends_unseen(q, problem.runs, data));
      ++slot;
    }
    s.parameters.push_back(q);
  }
  if (options.profiles && study.fits == 0 && s.converged())
    follow_profiles(s, variance, t, options.threads);
  for (const int i : shared) s.unknowns.push_back(problem.parameters[std::size_t(i)].name);
  for (std::size_t i = 0; i < shared.size(); ++i)
    for (std::size_t j = 0; j < shared.size(); ++j) {
      const double d = std::sqrt(c[i * n + i] * c[j * n + j]);
      s.correlation.push_back(d > 0.0 ? c[i * n + j] / d : i == j ? 1.0 : 0.0);
      s.covariance.push_back(c[i * n + j]);
    }
  // The law with what was found, ready to be run.
  for (std::size_t f = 0; f < description.fields.size(); ++f) {
    const FieldInfo& field = description.fields[f];
    if (field.choices.empty()) s.values[field.name] = problem.fields[f];
    else s.values[field.name] = field.choices[std::size_t(problem.fields[f])];
  }
  for (std::size_t i = 0; i < problem.parameters.size(); ++i)
    if (problem.field_of[i] >= 0) s.values[problem.parameters[i].name] = values[i];
  s.unusable = unusable_because(s);
  if (options.forms && s.converged()) s.tried = try_forms(s, options);
  s.warnings = doubts(s, data);
  // Those of a mechanism and of a dependence have a dot, and their units already.
  for (auto& p : s.parameters)
    if (p.name.find('.') == std::string::npos) p.unit = problem.units.of(p.unit);
}

}  // namespace bristle
