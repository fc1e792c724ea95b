// SPDX-License-Identifier: MIT
#include "bristle/identify/servo_study.hpp"

#include <cmath>
#include <set>

#include "in_parallel.hpp"
#include "servo_parameters.hpp"

namespace bristle {
namespace {

std::vector<bool> held_out(const std::vector<ServoRun>& runs,
                           const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& run : runs) known.push_back(run.name);
  std::vector<bool> held(runs.size(), false);
  for (const auto& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InvalidInput("hold_out", not_found("run", name, known));
    for (std::size_t i = 0; i < known.size(); ++i)
      if (known[i] == name) held[i] = true;
  }
  if (!held.empty() && std::all_of(held.begin(), held.end(), [](bool out) { return out; }))
    throw InvalidInput("hold_out", "all runs are held out, none is left to be fitted");
  return held;
}

std::vector<double> rolled_out(const ServoRun& run, const ServoModel<>& model, double step) {
  std::vector<double> positions(run.time.size());
  servo_rollout(model.friction, model.pendulum, run, step, positions);
  return positions;
}

std::vector<double> mean_position(const ServoRun& run) {
  double sum = 0.0;
  for (const double q : run.position) sum += q;
  return std::vector<double>(run.position.size(), sum / double(run.position.size()));
}

void judge(ServoStudy& s, double step) {
  std::vector<ServoError> fitted, held, at_mean, at_goal;
  for (std::size_t i = 0; i < s.runs.size(); ++i) {
    const ServoRun& run = s.runs[i];
    s.positions.push_back(rolled_out(run, s.fit.model, step));
    s.errors.push_back(servo_error(run, s.positions.back()));
    (s.held_out[i] ? held : fitted).push_back(s.errors.back());
    if (s.any_held_out() && !s.held_out[i]) continue;
    at_mean.push_back(servo_error(run, mean_position(run)));
    at_goal.push_back(servo_error(run, run.goal));
  }
  s.fitted = mean_error(fitted), s.held = mean_error(held);
  s.at_mean = mean_error(at_mean), s.at_goal = mean_error(at_goal);
  s.step_error = servo_step_error(s.runs, s.fit.model, step);
}

void judge_folds(ServoStudy& s, double step) {
  s.unseen_positions.resize(s.runs.size());
  s.unseen_errors.resize(s.runs.size());
  for (const auto& fold : s.folds)
    for (std::size_t i = 0; i < fold.held_out.size(); ++i) {
      const auto run = std::size_t(fold.held_out[i]);
      s.unseen_positions[run] = rolled_out(s.runs[run], fold.fit.model, step);
      s.unseen_errors[run] = fold.errors[i];
    }
  s.unseen = mean_error(s.unseen_errors);
}

std::string brief(double error) { return words(std::round(error * 1e5) / 1e5) + " rad"; }

void doubt(ServoStudy& s) {
  s.warnings = s.fit.warnings;
  if (!s.fit.converged()) s.warnings.push_back("the fit did not converge");
  const auto unfinished = std::count_if(s.folds.begin(), s.folds.end(),
                                        [](const ServoFold& f) { return !f.fit.converged(); });
  if (unfinished > 0)
    s.warnings.push_back(std::to_string(unfinished) + " of " + std::to_string(s.folds.size()) +
                         " fits without some of the runs did not converge");
  if (s.step_error > 0.1 * s.fitted.mean_absolute)
    s.warnings.push_back("the steps of the rollouts cost " + brief(s.step_error) +
                         ", more than a tenth of the error: parameters may make up for them");
  const bool left_out = !s.folds.empty();
  const double unseen = left_out ? s.unseen.mean_absolute : s.held.mean_absolute;
  if (unseen > 2.0 * s.fitted.mean_absolute)
    s.warnings.push_back("runs that were not fitted are met to " + brief(unseen) +
                         ", more than twice the error of those that were");
  const double judged = left_out || s.any_held_out() ? unseen : s.fitted.mean_absolute;
  const double nothing = std::min(s.at_mean.mean_absolute, s.at_goal.mean_absolute);
  if (judged >= nothing)
    s.warnings.push_back("the model is no better than doing nothing (" + brief(judged) +
                         " against " + brief(nothing) + ")");
}

}  // namespace

bool ServoStudy::any_held_out() const {
  return std::find(held_out.begin(), held_out.end(), true) != held_out.end();
}
bool ServoStudy::converged() const {
  return fit.converged() && std::all_of(folds.begin(), folds.end(),
                                        [](const ServoFold& f) { return f.fit.converged(); });
}
bool ServoStudy::stopped() const {
  return fit.status == FitStatus::stopped ||
         std::any_of(folds.begin(), folds.end(),
                     [](const ServoFold& f) { return f.fit.status == FitStatus::stopped; });
}

ServoStudy study_servo(std::vector<ServoRun> runs, const ServoChoice& choice,
                       const ServoStudyOptions& options) {
  ServoStudy s;
  s.held_out = held_out(runs, options.hold_out);
  s.runs = std::move(runs);
  if (options.leave_out && s.any_held_out())
    throw InvalidInput("leave_out", "runs are held out either by name or kind by kind, not both");
  std::vector<ServoRun> fitted;
  std::set<int> kinds;
  for (std::size_t i = 0; i < s.runs.size(); ++i) {
    if (!s.held_out[i]) fitted.push_back(s.runs[i]);
    kinds.insert(s.runs[i].kind);
  }
  if (options.leave_out && kinds.size() < 2)
    throw InvalidInput("leave_out", "all runs are of one kind: left out, none would be fitted");
  ServoFitOptions own = options.fit;
  own.free = choice.free;
  // The folds are about as much work each as the fit itself.
  const double rest = options.leave_out ? double(kinds.size()) : 0.0;
  detail::Work work(options.fit.progress, 1.0 + rest);
  own.progress = work.part(1.0);
  s.fit = fit_servo(fitted, choice.start, own);
  if (s.stopped()) return s;
  judge(s, own.step);
  if (options.leave_out) {
    own.progress = work.part(rest);
    s.folds = cross_validate_servo(s.runs, choice.start, own);
    if (s.stopped()) return s;
    judge_folds(s, own.step);
  }
  doubt(s);
  return s;
}

}  // namespace bristle
