// SPDX-License-Identifier: MIT
// The cost along one parameter, the others fitted again at each value.
#include <algorithm>
#include <cmath>

#include "bristle/ensemble/parallel.hpp"
#include "judge_fit.hpp"

namespace bristle {
namespace {

// Samples up to which profiles are followed without being asked for.
constexpr long most_samples = 200000;

// One unknown held at values of its own.
class Along {
 public:
  Along(const FitProblem& problem, const std::vector<double>& x, std::size_t slot, double variance)
      : problem_(problem), found_(x), x_(x), slot_(slot), variance_(variance) {
    problem.bounds(lower_, upper_);
    base_ = fit_cost(problem, x, nullptr);
  }

  // From the minimum again.
  void restart() { x_ = found_; }

  // How far twice the cost rises, over the variance of the residuals.
  double rise(double u) {
    x_[slot_] = u;
    auto low = lower_, high = upper_;
    low[slot_] = high[slot_] = u;
    const auto again = minimise(
        [&](std::span<const double> x, NormalEquations* e) { return fit_cost(problem_, x, e); }, x_,
        low, high, {.iterations = 40, .cost_tolerance = 1e-9});
    if (!std::isfinite(again.cost)) return INFINITY;
    x_ = again.x;
    return std::max(2.0 * (again.cost - base_) / variance_, 0.0);
  }

  double found() const { return found_[slot_]; }
  double lower() const { return lower_[slot_]; }
  double upper() const { return upper_[slot_]; }

 private:
  const FitProblem& problem_;
  const std::vector<double>& found_;
  std::vector<double> x_, lower_, upper_;
  std::size_t slot_;
  double variance_, base_;
};

// Where the rise reaches a limit on one side, if it does before the bound.
struct End {
  double at;
  bool open, quadratic;
};

End end_of(Along& along, double sigma, double limit, int side, bool exact) {
  along.restart();
  const double t = std::sqrt(limit), bound = side < 0 ? along.lower() : along.upper();
  const auto within = [&](double u) { return side < 0 ? std::max(u, bound) : std::min(u, bound); };
  double inner = along.found(), inner_root = 0.0;
  double u = within(along.found() + side * t * sigma);
  double root = std::sqrt(along.rise(u));
  // Within a tenth of what the linearised problem predicts.
  if (!exact && u != bound && std::abs(root / t - 1.0) < 0.1) return {u, false, true};
  for (int tries = 0; root < t; ++tries) {
    if (u == bound || tries == 12) return {bound, true, false};
    inner = u, inner_root = root;
    u = within(along.found() + 2.0 * (u - along.found()));
    root = std::sqrt(along.rise(u));
  }
  // The root of the rise is nearly straight.
  double outer = u, outer_root = root;
  for (int k = 0; k < 12 && std::abs(root / t - 1.0) > 0.01; ++k) {
    const double part =
        std::isfinite(outer_root) ? (t - inner_root) / (outer_root - inner_root) : 0.5;
    u = inner + std::clamp(part, 0.1, 0.9) * (outer - inner);
    root = std::sqrt(along.rise(u));
    if (root < t) inner = u, inner_root = root;
    else outer = u, outer_root = root;
  }
  return {u, false, false};
}

}  // namespace

void follow_profiles(FitSummary& s, double variance, double t, int threads) {
  const FitProblem& problem = s.problem;
  if (problem.kind == FitKind::rollout || s.fitted.samples > most_samples) return;
  const auto shared = problem.shared();
  in_parallel(int(shared.size()), threads, [&](int slot) {
    const FitParameter& p = problem.parameters[std::size_t(shared[std::size_t(slot)])];
    const auto q = std::find_if(s.parameters.begin(), s.parameters.end(),
                                [&](const FittedParameter& one) { return one.name == p.name; });
    // One that is counted from another has no value of its own to hold.
    if (p.above >= 0 || q->at_bound || !(q->deviation > 0.0)) return;
    Along along(problem, s.x, std::size_t(slot), variance);
    const double sigma = p.logarithmic ? q->deviation / q->value : q->deviation;
    End below = end_of(along, sigma, t * t, -1, false);
    End above = end_of(along, sigma, t * t, 1, !below.quadratic);
    if (below.quadratic && above.quadratic) return;
    if (below.quadratic) below = end_of(along, sigma, t * t, -1, true);
    const auto value = [&](double u) { return p.logarithmic ? std::exp(u) : u; };
    q->by_profile = true;
    q->lower = value(below.at), q->upper = value(above.at);
    q->open_below = below.open, q->open_above = above.open;
    const double half = p.logarithmic ? 0.5 * (above.at - below.at) : 0.5 * (q->upper - q->lower);
    const double size = p.logarithmic ? std::log(2.0) : std::abs(q->value);
    if (p.term < 0 && p.name != "offset" && !p.coefficient &&
        (below.open || above.open || half > size))
      q->determined = false;
  });
}

Profile profile(const FitSummary& fit, std::string_view parameter, int points) {
  const FittedParameter* asked = nullptr;
  for (const auto& p : fit.parameters)
    if (p.name == parameter && p.free) asked = &p;
  if (!asked)
    throw InvalidInput(std::string(parameter),
                       "the profile of " + std::string(parameter) + " cannot be made: " +
                           not_found("fitted parameter", parameter, fit.unknowns));
  Profile result{std::string(parameter), {}};
  const FitProblem& problem = fit.problem;
  const double base = fit_cost(problem, fit.x, nullptr);
  const double variance = 2.0 * base /
                          double(std::max<long>(fit.fitted.samples - long(fit.x.size()), 1)) *
                          fit.correlation_time * asked->widening * asked->widening;
  const auto shared = problem.shared();
  std::size_t slot = 0, index = 0;
  for (std::size_t i = 0; i < shared.size(); ++i)
    if (problem.parameters[std::size_t(shared[i])].name == parameter)
      slot = i, index = std::size_t(shared[i]);
  const FitParameter& p = problem.parameters[index];
  // Four standard deviations to each side in the terms of the search, the others fitted again.
  Along along(problem, fit.x, slot, variance);
  const double here = along.found();
  double sigma = p.logarithmic ? asked->deviation / asked->value : asked->deviation;
  sigma = std::clamp(sigma, 1e-9, p.logarithmic ? 1.0 : 0.5 * std::abs(here) + 1e-12);
  const auto place = [&](double u) {
    const double base_value = p.above >= 0 ? fit.parameters[std::size_t(p.above)].value : 0.0;
    return p.logarithmic ? std::exp(u) : u + base_value;
  };
  constexpr double limit = 3.841458820694124;  // chi-square, one degree, 95 %
  const int half = points / 2;
  for (const int side : {-1, 1}) {
    along.restart();
    bool closed = false;
    double before_u = here, before_rise = 0.0;
    for (int k = 1; k <= half; ++k) {
      const double u = std::clamp(here + side * sigma * 4.0 * k / half, p.lower, p.upper);
      const double rise = along.rise(u);
      result.points.push_back({place(u), rise});
      if (!closed && rise >= limit) {
        closed = true;
        const double part = (limit - before_rise) / (rise - before_rise);
        (side < 0 ? result.lower : result.upper) = place(before_u + part * (u - before_u));
      }
      before_u = u, before_rise = rise;
      if (u <= p.lower || u >= p.upper) break;
    }
    if (!closed) (side < 0 ? result.open_below : result.open_above) = true;
  }
  result.points.push_back({asked->value, 0.0});
  std::sort(result.points.begin(), result.points.end(),
            [](const auto& a, const auto& b) { return a.value < b.value; });
  return result;
}

}  // namespace bristle
