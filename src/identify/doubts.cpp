// SPDX-License-Identifier: MIT
// Warnings in words: what the data do not determine, and why.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bristle/analysis/passivity.hpp"
#include "bristle/model/registry.hpp"
#include "judge_fit.hpp"
#include "search_range.hpp"

namespace bristle {
namespace {

// Samples in presliding from which a stiffness may be believed.
constexpr long few_samples = 8;
// A law that leaves more than this part of the error of the simplest one explains nothing.
constexpr double baseline_part = 0.98;

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

// The strongest partner of an unknown.
std::string partner(const FitSummary& s, std::size_t slot, double& strength) {
  std::string name;
  const std::size_t n = s.unknowns.size();
  strength = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    const double c = std::abs(s.correlation[slot * n + j]);
    if (j != slot && c > strength) strength = c, name = s.unknowns[j];
  }
  return name;
}

// How far bristles of this stiffness bend before they slide [m].
double bending(const FittedParameter& p, const DataScales& data) {
  const double coefficient = data.force / std::max(std::abs(data.load), 1e-300);
  const bool normalised = dimensions_of(p.unit).force == 0;
  return (normalised ? coefficient : data.force) / std::max(p.value, 1e-300);
}

std::string reason(const FitSummary& s, const FittedParameter& p, std::size_t slot,
                   const DataScales& data) {
  const Dimensions d = dimensions_of(p.unit);
  const std::string speed = " " + s.problem.units.way + "/s";
  const bool one_speed =
      data.fastest < 3.0 * data.slowest || data.slowest >= 0.09999 * data.fastest;
  const bool velocity = d.force == 0 && d.length == 1 && d.time == -1;
  const bool per_speed = d.time + d.length == 0 && d.time > 0;
  const bool stiffness = d.time == 0 && d.length < 0;
  double strength = 0.0;
  const std::string other = partner(s, slot, strength);
  if (stiffness && s.problem.kind == FitKind::direct) {
    if (data.reversals < 2) return "the motion hardly reverses";
    const double bend = bending(p, data);
    if (const long seen = samples_after_reversals(s.problem.runs, bend); seen < few_samples)
      return (seen == 0   ? "no sample lies"
              : seen == 1 ? "one sample lies"
                          : "only " + std::to_string(seen) + " samples lie") +
             std::string(" within ") + number(bend) + " " + s.problem.units.way +
             " of a reversal, where bristles this stiff bend";
  }
  if ((velocity || per_speed) && one_speed)
    return "all samples are at about one speed, " + number(data.fastest) + speed;
  if (velocity && (p.value > data.fastest || p.value < data.slowest))
    return "speeds from " + number(data.slowest) + " to " + number(data.fastest) + speed +
           " were measured";
  if (strength > 0.95)
    return "it cannot be distinguished from " + other + " (correlation " + number(strength) + ")";
  if (one_speed && s.problem.kind != FitKind::steady)
    return "nearly all samples are at one speed, " + number(data.fastest) + speed;
  return "its effect is lost in residuals of " + number(s.fitted.rmse) + " " +
         s.problem.measured_unit();
}

// The noise of the position, and whether the motion is smoothed against it.
std::string position_noise_of(const FitSummary& s, bool* smoothed) {
  double noise = 0.0;
  *smoothed = false;
  for (const Track& run : s.problem.runs) {
    noise = std::max(noise, run.filter.noise);
    *smoothed = *smoothed || run.filter.used;
  }
  return number(noise) + " " + s.problem.units.way;
}

std::string by_words(const FitSummary& s, const FittedParameter& p) {
  return number(std::abs(p.noise_move)) + (p.unit.empty() ? "" : " " + s.problem.units.of(p.unit));
}

// A parameter that the noise of the position, or another filter against it, moves by far.
std::string not_trusted(const FitSummary& s, const FittedParameter& p) {
  bool smoothed = false;
  const std::string noise = position_noise_of(s, &smoothed);
  return p.name + " is not determined by these data: noise of the position of " + noise +
         " rms moves it by " + by_words(s, p) + (smoothed ? " in spite of the filter" : "") +
         ", more than it scatters otherwise; measure the position with less noise";
}

// Those that it moves a little: their intervals hold what it does.
std::string depend_on_noise(const FitSummary& s) {
  std::string names;
  for (const FittedParameter& p : s.parameters)
    if (p.free && p.noise_decides && p.determined)
      names += (names.empty() ? "" : ", ") + p.name + " (by " + by_words(s, p) + ")";
  if (names.empty()) return names;
  bool smoothed = false;
  const std::string noise = position_noise_of(s, &smoothed);
  return "noise of the position of " + noise + " rms decides how well these are known: " +
         (smoothed ? "it, or half or twice the bandwidth of the filter, moves "
                   : "it, or a filter against it, moves ") +
         names + " by more than they scatter otherwise; their intervals were widened to hold that";
}

// "between 1 and 2", "above 1", "below 2", or that nothing limits it.
std::string range_words(const FittedParameter& p) {
  if (p.no_lower_limit() && p.no_upper_limit())
    return "anywhere within its bounds from " + number(p.least) + " to " + number(p.most);
  if (p.no_upper_limit()) return "above " + number(p.lower);
  if (p.no_lower_limit()) return "below " + number(p.upper);
  return "between " + number(p.lower) + " and " + number(p.upper);
}

// One that is counted from another and ends on it says something of the data.
std::string at_bound_words(const FitSummary& s, const FittedParameter& p, const std::string& unit) {
  for (const FitParameter& one : s.problem.parameters)
    if (one.name == p.name && one.above >= 0 && p.value <= p.least)
      return p.name + " is no more than " + s.problem.parameters[std::size_t(one.above)].name +
             ", " + number(p.value) + unit +
             ": the data show no force at rest above that of sliding";
  const bool low = p.value <= p.least;
  return p.name + " ends at its " + (low ? "lower" : "upper") + " bound, " + number(p.value) +
         unit + ": the data favour " + (low ? "less" : "more") + " than is allowed";
}

// A force at rest below that of sliding: some laws allow it.
std::string order_words(const FitSummary& s) {
  constexpr std::string_view prefix = "static_";
  for (const FittedParameter& rest : s.parameters) {
    if (!rest.name.starts_with(prefix)) continue;
    for (const FittedParameter& slides : s.parameters)
      if ((slides.name == "coulomb_" + rest.name.substr(prefix.size()) ||
           slides.name == "dynamic_" + rest.name.substr(prefix.size())) &&
          rest.value < slides.value && (rest.free || slides.free))
        return rest.name + " = " + number(rest.value) + " is below " + slides.name + " = " +
               number(slides.value) +
               (rest.unit.empty() ? "" : " " + s.problem.units.of(rest.unit)) +
               ": the force rises as sliding begins, so there is no Stribeck effect and no "
               "stick-slip of it";
  }
  return "";
}

}  // namespace

std::string unusable_because(const FitSummary& s) {
  const Agreement& judged = s.held_out.samples > 0 ? s.held_out : s.fitted;
  const std::string unit = " " + s.problem.measured_unit();
  const bool rollout = s.problem.kind == FitKind::rollout;
  const auto against = [&](const char* what, double rmse) {
    return std::string("it is no better than ") + what + " (" + number(judged.rmse) + " against " +
           number(rmse) + unit + ")";
  };
  if (!s.converged()) return "it did not converge";
  if (!(judged.rmse < s.constant.rmse)) return against("a constant", s.constant.rmse);
  // Where the law meets the data, a simpler one that does so too is a warning.
  if (judged.rmse > baseline_part * s.coulomb.rmse && judged.r2 < 0.5 &&
      !find_law(s.law).set_valued)
    return against(rollout ? "a straight line of the input"
                           : "a force that changes with the sign of the velocity",
                   s.coulomb.rmse);
  const auto free = [](const FittedParameter& p) { return p.free; };
  const auto known = [](const FittedParameter& p) { return p.free && p.determined; };
  if (std::any_of(s.parameters.begin(), s.parameters.end(), free) &&
      std::none_of(s.parameters.begin(), s.parameters.end(), known))
    return "none of its parameters is determined by the data";
  return "";
}

bool bends_unseen(const FittedParameter& p, const std::vector<Track>& runs,
                  const DataScales& data) {
  const Dimensions d = dimensions_of(p.unit);
  return d.time == 0 && d.length < 0 &&
         samples_after_reversals(runs, bending(p, data)) < few_samples;
}

std::vector<std::string> doubts(const FitSummary& s, const DataScales& data) {
  std::vector<std::string> all;
  if (!s.converged()) all.push_back("the fit did not converge: " + s.message);
  std::size_t slot = 0;
  for (const FittedParameter& p : s.parameters) {
    if (!p.free) continue;
    const std::string unit = p.unit.empty() ? "" : " " + s.problem.units.of(p.unit);
    if (p.at_bound) all.push_back(at_bound_words(s, p, unit));
    else if (p.noise_decides && !p.determined) all.push_back(not_trusted(s, p));
    else if (!p.determined)
      all.push_back(p.name + " is not determined by these data (95 % " + range_words(p) + unit +
                    "): " + reason(s, p, slot, data));
    ++slot;
  }
  for (auto& one : dependence_doubts(s)) all.push_back(std::move(one));
  if (const std::string form = form_words(s); !form.empty()) all.push_back(form);
  if (const std::string order = order_words(s); !order.empty()) all.push_back(order);
  if (const std::string noise = depend_on_noise(s); !noise.empty()) all.push_back(noise);
  if (s.problem.kind != FitKind::steady && data.load != 1.0 && data.load_spread < 0.02)
    all.push_back("the load is " + number(data.load) + " " + s.problem.units.force +
                  " throughout: how friction depends on it is not determined by these data");
  // Of many samples correlations show that matter to nothing.
  if (!s.white && s.widened > 1.05)
    all.push_back("the residuals are not white, they stay correlated for " +
                  number(s.correlation_time) +
                  " samples: the law does not describe everything, and the intervals were widened "
                  "by a factor of " +
                  number(s.widened));
  const Agreement& judged = s.held_out.samples > 0 ? s.held_out : s.fitted;
  if (judged.rmse > baseline_part * s.coulomb.rmse)
    all.push_back(std::string("the law is no better than ") +
                  (s.problem.kind == FitKind::rollout
                       ? "a straight line of the input"
                       : "a force that changes with the sign of the velocity") +
                  " (" + number(judged.rmse) + " against " + number(s.coulomb.rmse) + " " +
                  s.problem.measured_unit() + ")");
  if (s.step_error > 0.1 * s.fitted.rmse)
    all.push_back("the steps of the rollout are too long: halving them moves it by " +
                  number(s.step_error) + " " + s.problem.measured_unit() +
                  ", more than a tenth of the residuals, so that parameters compensate for it: "
                  "take more steps per sample");
  if (s.held_out.samples > 0 && s.held_out.rmse > 1.5 * s.fitted.rmse)
    all.push_back("the held-out error is " + number(s.held_out.rmse / s.fitted.rmse) +
                  " times the error of fitted samples");
  for (const auto& odd : unusual_values(find_law(s.law).description, s.values))
    all.push_back(odd.sentence);
  // Is the law itself admissible?
  try {
    const auto law = make_law(s.law, s.values);
    if (law->single() && !law->set_valued()) {
      const Certificate c = certify(*law, 10.0 * data.fastest, data.load);
      if (c.kind != Certificate::always)
        all.push_back("the fitted law is " + c.words(s.problem.units.way));
    }
  } catch (const InvalidInput& error) {
    all.push_back(std::string("the fitted law cannot be run: ") + error.what());
  }
  return all;
}

}  // namespace bristle
