// SPDX-License-Identifier: MIT
// What the options of a fit would gain that were not asked for.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "bristle/model/load_dependence.hpp"
#include "bristle/model/registry.hpp"
#include "judge_fit.hpp"
#include "law_kernel.hpp"
#include "starts.hpp"

namespace bristle {
namespace {

// A fit is worth another option if that halves its error.
constexpr double worth_saying = 0.5;

// Of several such options the first, and simplest, is named that comes as near to the best.
constexpr double as_good = 1.1;

// Beyond so many samples nothing is tried: the runs would have to be there twice.
constexpr long most_samples = 200000;

struct PlainForm {
  bool offset, asymmetry;
  const char *option, *meaning;
};
constexpr PlainForm plain_forms[]{
    {true, false, "--offset", "a constant beside the force"},
    {false, true, "--asymmetric", "forces that differ between the two directions"},
    {true, true, "--offset --asymmetric",
     "a constant beside the force, and forces that differ between the two directions,"}};

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

// Tries problems that begin where a fit ended.
class FormTrial {
 public:
  FormTrial(const FitSummary& s, const FitOptions& options)
      : s_(s), options_(options), values_(s.problem.values(s.x)) {}

  // The problem with the values found.
  FitProblem begun() const {
    FitProblem problem = s_.problem;
    for (std::size_t i = 0; i < values_.size(); ++i) problem.parameters[i].value = values_[i];
    return problem;
  }

  void add(const FitProblem& problem, const std::string& option, const std::string& meaning) {
    add(std::vector<FitProblem>{problem}, option, meaning);
  }

  // The best of several starts.
  void add(const std::vector<FitProblem>& problems, const std::string& option,
           const std::string& meaning) {
    double least = INFINITY, error = INFINITY;
    for (const FitProblem& problem : problems) {
      const auto found = fitted(problem, started(problem));
      if (!(found.cost < least)) continue;
      least = found.cost;
      error = agreement_at(problem, found.x, s_.held_out.samples > 0).rmse;
    }
    say(option, meaning, error);
  }

  void say(const std::string& option, const std::string& meaning, double error) {
    if (std::isfinite(error)) tried.push_back({option, meaning, error});
  }

  // Where a problem begins, the states of the runs as they were found.
  std::vector<double> started(const FitProblem& problem) const {
    auto x = problem.start();
    const std::size_t starts = s_.x.size() - s_.problem.shared().size();
    std::copy(s_.x.end() - long(starts), s_.x.end(), x.end() - long(starts));
    return x;
  }

  LeastSquaresSummary fitted(const FitProblem& problem, const std::vector<double>& x) const {
    std::vector<double> lower, upper;
    problem.bounds(lower, upper);
    LeastSquaresOptions solver = options_.solver;
    solver.iterations = 60, solver.cost_tolerance = 1e-8;
    return minimise(
        [&](std::span<const double> at, NormalEquations* e) { return fit_cost(problem, at, e); }, x,
        lower, upper, solver);
  }

  double error_of(const FitProblem& problem, const LeastSquaresSummary& found) const {
    return agreement_at(problem, found.x, s_.held_out.samples > 0).rmse;
  }

  std::vector<TriedForm> tried;

 private:
  const FitSummary& s_;
  const FitOptions& options_;
  const std::vector<double> values_;
};

void try_plain(FormTrial& trial, const FitOptions& options) {
  for (const PlainForm& form : plain_forms) {
    if ((form.offset && options.offset) || (form.asymmetry && options.asymmetric)) continue;
    FitProblem problem = trial.begun();
    for (FitParameter& p : problem.parameters)
      if ((p.name == "offset" && form.offset) || (p.name == "asymmetry" && form.asymmetry))
        p.free = true;
    trial.add(problem, form.option, form.meaning);
  }
}

// A force that changes as a whole, and friction that changes while bristles stay as stiff.
void try_load(FormTrial& trial, const FitSummary& s, const FitOptions& options) {
  auto load = load_dependence_of(s.problem, options);
  if (!load) return;
  for (const std::string_view parameter : {whole_force, std::string_view("coulomb_force")}) {
    const auto& all = s.problem.parameters;
    if (parameter != whole_force &&
        std::none_of(all.begin(), all.end(),
                     [&](const FitParameter& p) { return p.name == parameter && p.free; }))
      continue;
    load->parameter = parameter;
    FitProblem problem = trial.begun();
    add_dependence(problem, *load, options);
    trial.add(problem, "--depends " + load->parameter + "=" + load->column + ":linear",
              (parameter == whole_force ? "a force that changes with "
                                        : "a Coulomb force that changes with ") +
                  load->column);
  }
}

// From gaps of several sizes: the cost has minima where strokes are shifted against each other.
void try_backlash(FormTrial& trial, const FitSummary& s, const FitOptions& options) {
  if (options.backlash || !may_have_backlash(s.problem)) return;
  std::vector<FitProblem> problems;
  for (const double part : {0.002, 0.02, 0.1}) {
    problems.push_back(trial.begun());
    for (FitParameter& p : problems.back().parameters)
      if (p.name == backlash_name) p.free = true, p.value = part * p.upper;
  }
  trial.add(problems, "--backlash", "a gap between the measured motion and the body");
}

bool has_parameter(const FitSummary& s, std::string_view name) {
  const auto& all = s.problem.parameters;
  return std::any_of(all.begin(), all.end(), [&](const auto& p) { return p.name == name; });
}

// Of a law without a state whose static force must not be less than its Coulomb force. What was
// fitted with that rule is no place to begin from: the curve starts again, with knees at several
// speeds.
void try_rising(FormTrial& trial, const FitSummary& s) {
  if (kernel_of(s.law).state || !has_parameter(s, "static_force")) return;
  const DataScales data = scales_of(s.problem.runs);
  std::vector<FitProblem> problems;
  for (const double part : {0.05, 0.2, 0.6}) {
    problems.push_back(trial.begun());
    for (FitParameter& p : problems.back().parameters) {
      if (!p.free) continue;
      if (p.name == "coulomb_force") p.value = 0.8 * data.force;
      if (p.name == "stribeck_velocity") p.value = part * data.fastest;
      if (p.name == "viscous") p.value = 0.1 * data.force / data.fastest;
      if (p.name == "static_force")
        p.above = -1, p.lower = 0.0, p.upper = 10.0 * data.force, p.value = 0.4 * data.force;
    }
  }
  trial.add(problems, "--model lugre",
            "a curve that first rises, from a static force below the Coulomb force,");
}

// Losses and pinching of structures, which are held unless they are asked for.
void try_degradation(FormTrial& trial, const FitSummary& s, const FitOptions& options) {
  struct Degradation {
    const char* meaning;
    std::vector<std::string> names;
  };
  static const std::vector<std::string> losses{"strength_loss", "stiffness_loss"};
  static const Degradation all[]{
      {"a strength and a stiffness that fall from cycle to cycle", losses},
      {"losses and pinching",
       {"strength_loss", "stiffness_loss", "pinching", "pinching_rate", "pinching_place",
        "pinching_width", "pinching_spread", "pinching_mix"}}};
  constexpr int points = 64, refined = 3;
  if (!has_parameter(s, losses.front())) return;
  for (const Degradation& degradation : all) {
    FitProblem problem = s.problem;
    std::string option;
    bool asked = false;
    for (FitParameter& p : problem.parameters) {
      const auto& names = degradation.names;
      if (std::find(names.begin(), names.end(), p.name) == names.end() || p.free) continue;
      asked = asked || options.values.contains(p.name);
      p.free = true, option += (option.empty() ? "--free " : " --free ") + p.name;
    }
    if (option.empty() || asked) continue;
    LeastSquaresSummary best;
    best.cost = INFINITY;
    for (const auto& start : best_starts(problem, points, refined, options.seed))
      if (auto found = trial.fitted(problem, start); found.cost < best.cost)
        best = std::move(found);
    if (!best.x.empty()) trial.say(option, degradation.meaning, trial.error_of(problem, best));
  }
}

// A viscous force beside the law, and in place of friction alone a torque or force that also
// accelerates and lifts. A negative inertia would stand for a spring: that is no advice.
void try_terms(FormTrial& trial, const FitSummary& s, const FitOptions& options) {
  if (options.terms.any() || s.problem.kind != FitKind::direct || !s.problem.runs.front().timed)
    return;
  const bool turns = options.units.way == "rad", viscous = !has_parameter(s, "viscous");
  for (const bool mechanics : {false, true}) {
    if (!mechanics && !viscous) continue;
    FitOptions with = options;
    with.terms = {.inertia = mechanics, .gravity = mechanics && turns, .viscous = viscous};
    FitProblem problem = trial.begun();
    for (FitParameter& p : problem.parameters) p.free = p.free || (mechanics && p.name == "offset");
    try {
      add_terms(problem, with);
    } catch (const InvalidInput&) {
      continue;  // the motion does not distinguish them
    }
    auto best = trial.fitted(problem, trial.started(problem));
    if (auto staged = staged_start(problem, with); !staged.empty())
      if (auto other = trial.fitted(problem, staged); other.cost < best.cost)
        best = std::move(other);
    const auto values = problem.values(best.x);
    bool negative = false;
    for (std::size_t i = 0; i < values.size(); ++i)
      negative = negative || (problem.parameters[i].name == "inertia" && !(values[i] > 0.0));
    if (negative) continue;
    const std::string list = std::string(mechanics ? "inertia," : "") +
                             (mechanics && turns ? "gravity," : "") + (mechanics ? "offset," : "") +
                             (viscous ? "viscous," : "");
    trial.say("--terms " + list + "friction",
              !mechanics ? "viscous friction beside the law"
              : turns    ? "an inertia and a weight beside the friction"
                         : "an inertia beside the friction",
              trial.error_of(problem, best));
  }
}

// In samples.
constexpr int longest_delay = 25;

// By how many samples the forces come after those that are predicted.
int samples_late(const FitProblem& problem, const std::vector<double>& x) {
  constexpr int longest = longest_delay;
  const auto predicted = fit_predict(problem, x);
  int best = 0;
  double least = INFINITY;
  for (int lag = -longest; lag <= longest; ++lag) {
    double squares = 0.0;
    for (std::size_t k = 0; k < predicted.size(); ++k) {
      const auto& samples = problem.runs[k].samples;
      for (int i = longest; i + longest < int(samples.size()); ++i) {
        const Sample& s = samples[std::size_t(i)];
        const double off = predicted[k][std::size_t(i - lag)] - s.force;
        squares += s.weight * off * off;
      }
    }
    if (squares < least) least = squares, best = lag;
  }
  return best;
}

// Gives each sample the force of a later one (an earlier one if the lag is negative); those without
// one are left out.
void delay_force(Track& run, int lag, int terms) {
  auto& samples = run.samples;
  const std::size_t late = std::size_t(std::abs(lag));
  if (samples.size() < late + 10) return;
  std::vector<double> force;
  for (const Sample& s : samples) force.push_back(s.force);
  if (lag > 0) {
    samples.resize(samples.size() - late);
  } else {
    samples.erase(samples.begin(), samples.begin() + long(late));
    run.terms.erase(run.terms.begin(), run.terms.begin() + long(late) * terms);
    samples.front().step = 0.0;
  }
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].force = force[lag > 0 ? i + late : i];
}

// Whole samples are enough to see that a delay of the force would help. A law fitted with a wrong
// delay makes up for a part of it, a bristle with damping even for all of a short one: so the
// search goes on from where the forces seem to come late, in ever smaller steps to both sides.
void try_delay(FormTrial& trial, const FitSummary& s) {
  if (s.problem.kind != FitKind::direct || !s.problem.runs.front().timed) return;
  int best_lag = 0;
  double error = INFINITY;
  std::vector<double> x = s.x;
  const auto attempt = [&](int lag) {
    FitProblem problem = trial.begun();
    for (Track& run : problem.runs) delay_force(run, lag, problem.terms);
    const auto found = trial.fitted(problem, x);
    const double now = trial.error_of(problem, found);
    if (!(now < error)) return;
    error = now, x = found.x, best_lag = lag;
  };
  attempt(samples_late(s.problem, x));
  for (const int step : {8, 4, 2, 1})
    for (const int lag : {best_lag + step, best_lag - step})
      if (lag != 0 && std::abs(lag) <= longest_delay) attempt(lag);
  trial.say("--delay auto",
            best_lag > 0 ? "a force that lags the motion" : "a motion that lags the force", error);
}

}  // namespace

std::optional<DependOption> load_dependence_of(const FitProblem& problem,
                                               const FitOptions& options) {
  if (problem.kind == FitKind::rollout || !shaped_kernel_of(problem.law) ||
      depends_on_load(problem.law))
    return std::nullopt;
  const std::size_t columns = options.conditions.size();
  for (std::size_t k = 0; k < columns; ++k) {
    if (!options.conditions[k].load) continue;
    const auto& name = options.conditions[k].name;
    if (std::any_of(options.depends.begin(), options.depends.end(),
                    [&](const DependOption& d) { return d.column == name; }))
      continue;
    double least = INFINITY, most = -INFINITY;
    for (const Track& run : problem.runs)
      for (const Sample& s : run.samples) {
        if (!run.conditions) return std::nullopt;
        const double c = (*run.conditions)[std::size_t(s.row) * columns + k];
        if (s.weight > 0.0) least = std::min(least, c), most = std::max(most, c);
      }
    // Less than a tenth is what a controller leaves of a constant load.
    if (most - least > 0.1 * std::max(std::abs(least), std::abs(most)))
      return DependOption{std::string(whole_force), name, DependenceForm::linear};
  }
  return std::nullopt;
}

bool may_have_backlash(const FitProblem& problem) {
  return problem.kind == FitKind::direct && shaped_kernel_of(problem.law) &&
         kernel_of(problem.law).state && problem.runs.front().timed;
}

std::vector<TriedForm> try_forms(const FitSummary& s, const FitOptions& options) {
  if (s.problem.kind == FitKind::rollout || s.fitted.samples > most_samples) return {};
  FormTrial trial(s, options);
  try_plain(trial, options);
  // Where residuals are white there is nothing left to be explained.
  if (s.white && s.problem.kind != FitKind::steady) return std::move(trial.tried);
  try_load(trial, s, options);
  try_backlash(trial, s, options);
  try_rising(trial, s);
  try_degradation(trial, s, options);
  try_terms(trial, s, options);
  try_delay(trial, s);
  return std::move(trial.tried);
}

std::string form_words(const FitSummary& s) {
  const double error = s.held_out.samples > 0 ? s.held_out.rmse : s.fitted.rmse;
  double least = INFINITY;
  for (const TriedForm& t : s.tried) least = std::min(least, t.error);
  for (const TriedForm& t : s.tried)
    if (t.error < worth_saying * error && t.error <= as_good * least)
      return t.meaning + " would reduce the error from " + number(error) + " to " +
             number(t.error) + " " + s.problem.measured_unit() + ": try " + t.option;
  return "";
}

}  // namespace bristle
