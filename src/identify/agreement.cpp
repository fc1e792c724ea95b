// SPDX-License-Identifier: MIT
// How well predictions meet what was measured, and what doing nothing would.
#include <algorithm>
#include <cmath>

#include "agreement_sum.hpp"
#include "intervals.hpp"
#include "judge_fit.hpp"

namespace bristle {
namespace {

using Predicted = std::vector<std::vector<double>>;

// predicted(k, i) is what is predicted for sample i of run k.
template <class Prediction>
Agreement agreement(const FitProblem& problem, const Prediction& predicted, bool held) {
  AgreementSum sum;
  for (std::size_t k = 0; k < problem.runs.size(); ++k)
    for (std::size_t i = 0; i < problem.runs[k].samples.size(); ++i)
      if (const Sample& s = problem.runs[k].samples[i]; (s.weight == 0.0) == held)
        sum.add(problem.measured(s), predicted(k, i));
  return sum.result();
}

auto in(const Predicted& all) {
  return [&](std::size_t k, std::size_t i) { return all[k][i]; };
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
  s.constant = agreement(
      s.problem, [&](std::size_t, std::size_t) { return mean; }, held);
  if (s.problem.terms > 0) {
    s.coulomb = agreement(s.problem, in(mechanics_alone(s.problem)), held);
    return;
  }
  s.coulomb = agreement(
      s.problem,
      [&](std::size_t k, std::size_t i) {
        return level(side(s.problem.runs[k].samples[i].velocity));
      },
      held);
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
  s.constant = agreement(s.problem, in(flat), held);
  s.coulomb = agreement(s.problem, in(line), held);
}

}  // namespace

Whiteness whiteness(const FitProblem& problem, const Predicted& predicted) {
  if (problem.kind == FitKind::steady) return {};
  std::vector<double> r;
  for (std::size_t k = 0; k < problem.runs.size(); ++k)
    for (std::size_t i = 0; i < problem.runs[k].samples.size(); ++i)
      if (const Sample& s = problem.runs[k].samples[i]; s.weight > 0.0)
        r.push_back(std::sqrt(s.weight) * (predicted[k][i] - problem.measured(s)));
  return whiteness(r);
}

Agreement agreement_at(const FitProblem& problem, std::span<const double> x, bool held) {
  return agreement(problem, in(fit_predict(problem, x)), held);
}

void agree(FitSummary& s) {
  const auto predicted = fit_predict(s.problem, s.x);
  for (std::size_t k = 0; k < s.problem.runs.size(); ++k) {
    AgreementSum fitted, held_out;
    for (std::size_t i = 0; i < predicted[k].size(); ++i) {
      const Sample& m = s.problem.runs[k].samples[i];
      (m.weight > 0.0 ? fitted : held_out).add(s.problem.measured(m), predicted[k][i]);
    }
    s.runs.push_back({s.problem.runs[k].name, fitted.result(), held_out.result()});
  }
  s.fitted = agreement(s.problem, in(predicted), false);
  s.held_out = agreement(s.problem, in(predicted), true);
  const bool held = s.held_out.samples > 0;
  if (s.problem.kind == FitKind::rollout) do_nothing_in_motion(s, held);
  else do_nothing(s, held);
  const Whiteness residuals = whiteness(s.problem, predicted);
  s.white = residuals.white, s.correlation_time = residuals.correlation_time;
}

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

}  // namespace bristle
