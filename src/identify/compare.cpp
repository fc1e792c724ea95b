// SPDX-License-Identifier: MIT
#include "bristle/identify/compare.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bristle/model/registry.hpp"
#include "judge_fit.hpp"

namespace bristle {

namespace {

double error(const Compared& c) { return c.refused.empty() ? c.fit.held_out.rmse : INFINITY; }

// All laws are fitted to the same samples: those of the best so far are enough to draw it.
void keep_best_runs(std::vector<Compared>& all) {
  const auto best = std::min_element(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return error(a) < error(b); });
  for (Compared& c : all)
    for (Track& run : c.fit.problem.runs)
      if (&c != &*best) {
        std::vector<Sample>().swap(run.samples);
        for (auto* column : {&run.input_time, &run.input, &run.drive, &run.terms, &run.measured})
          std::vector<double>().swap(*column);
      }
}

// Of the mean square error, from stretches of the held-out samples, passed on to its root.
double deviation_of_error(const FitSummary& f) {
  std::vector<double> squares;
  const auto predicted = fit_predict(f.problem, f.x);
  for (std::size_t k = 0; k < predicted.size(); ++k)
    for (std::size_t i = 0; i < predicted[k].size(); ++i)
      if (const Sample& s = f.problem.runs[k].samples[i]; s.weight == 0.0)
        squares.push_back(std::pow(predicted[k][i] - f.problem.measured(s), 2));
  const std::size_t blocks = std::min<std::size_t>(20, squares.size() / 2);
  if (blocks < 2) return 0.0;
  double sum = 0.0, sum_squares = 0.0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t from = b * squares.size() / blocks, to = (b + 1) * squares.size() / blocks;
    double mean = 0.0;
    for (std::size_t i = from; i < to; ++i) mean += squares[i] / double(to - from);
    sum += mean, sum_squares += mean * mean;
  }
  const double n = double(blocks), mean = sum / n;
  const double variance = std::max(sum_squares / n - mean * mean, 0.0) / (n - 1.0);
  return mean > 0.0 ? std::sqrt(variance) / (2.0 * std::sqrt(mean)) : 0.0;
}

// The options of a fit with what a form adds; false if it adds nothing to this law.
bool add_form(const std::string& form, const FitProblem& problem, FitOptions& options) {
  const bool offset = form.find("offset") != form.npos;
  const bool asymmetry = form.find("asymmetry") != form.npos;
  if ((offset && options.offset) || (asymmetry && options.asymmetric)) return false;
  options.offset = options.offset || offset;
  options.asymmetric = options.asymmetric || asymmetry;
  if (form == "backlash") {
    if (options.backlash || !may_have_backlash(problem)) return false;
    options.backlash = true;
  }
  if (form == "load") {
    const auto load = load_dependence_of(problem, options);
    if (!load) return false;
    options.depends.push_back(*load);
  }
  return true;
}

// The law with more freedom beside it, from where it ended without.
FitSummary with_form(const FitSummary& base, const std::vector<Track>& runs, FitOptions options) {
  options.starts = 0;
  for (const FittedParameter& p : base.parameters)
    if (p.free && base.values.contains(p.name)) options.guess[p.name] = p.value;
  return fit(base.law, runs, options);
}

void finish(Compared& c, std::chrono::steady_clock::time_point began) {
  if (!std::isfinite(c.fit.held_out.rmse)) c.refused = c.fit.message;
  else c.error_deviation = deviation_of_error(c.fit);
  c.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// The options for one law: what its part says of it.
FitOptions options_for(const std::string& law, FitOptions fitting, const CompareOptions& options) {
  if (const auto own = options.starts.find(law); own != options.starts.end())
    fitting.values = own->second.values, fitting.free = own->second.free,
    fitting.guess = own->second.guess;
  return fitting;
}

// All laws on one set of held-out samples, best first.
Comparison rank(const std::vector<Track>& runs, const std::vector<std::string>& laws,
                const FitOptions& common, const CompareOptions& options,
                const std::function<bool(double)>& progress) {
  Comparison result;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (progress && !progress(double(i) / double(laws.size()))) break;
    const FitOptions fitting = options_for(laws[i], common, options);
    Compared entry;
    entry.fit.law = laws[i];
    const auto began = std::chrono::steady_clock::now();
    try {
      entry.fit = fit(laws[i], runs, fitting);
      finish(entry, began);
    } catch (const InvalidInput& error) {
      // A law that was named must exist; one that does not fit the data is no mistake.
      find_law(laws[i]);
      entry.refused = error.what();
    }
    result.ranking.push_back(std::move(entry));
    const std::size_t base = result.ranking.size() - 1;
    const bool fitted = options.forms && result.ranking[base].refused.empty();
    for (const char* form : {"offset", "asymmetry", "offset + asymmetry", "load", "backlash"}) {
      FitOptions more = fitting;
      if (!fitted || !add_form(form, result.ranking[base].fit.problem, more)) continue;
      const auto start = std::chrono::steady_clock::now();
      Compared c;
      c.fit = with_form(result.ranking[base].fit, runs, more);
      c.form = form;
      finish(c, start);
      result.ranking.push_back(std::move(c));
    }
    keep_best_runs(result.ranking);
  }
  std::stable_sort(result.ranking.begin(), result.ranking.end(),
                   [&](const auto& a, const auto& b) { return error(a) < error(b); });
  return result;
}

// Runs to be held out one by one: equal parts, if there are not enough.
std::vector<Track> in_folds(const std::vector<Track>& runs, int folds) {
  if (int(runs.size()) >= folds) return runs;
  std::vector<Track> parts;
  const std::size_t each = (std::size_t(folds) + runs.size() - 1) / runs.size();
  for (const Track& run : runs)
    for (std::size_t k = 0; k < each; ++k) {
      const std::size_t n = run.samples.size(), from = k * n / each, to = (k + 1) * n / each;
      Track part = run;
      part.name += ", part " + std::to_string(k + 1) + " of " + std::to_string(each);
      part.samples.assign(run.samples.begin() + long(from), run.samples.begin() + long(to));
      if (!run.measured.empty())
        part.measured.assign(run.measured.begin() + long(from), run.measured.begin() + long(to));
      if (to - from < 30)
        throw InvalidInput("folds", run.name + ": " + std::to_string(folds) +
                                        " folds leave fewer than 30 samples each");
      part.samples.front().step = part.samples.front().middle_velocity = 0.0;
      parts.push_back(std::move(part));
    }
  return parts;
}

void cross_validate(const std::vector<Track>& runs, const std::vector<std::string>& laws,
                    const CompareOptions& options, const FitOptions& fitting, Comparison& result) {
  const auto parts = in_folds(runs, options.folds);
  double squares = 0.0;
  long samples = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    std::vector<Track> others;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (i != k) others.push_back(parts[i]);
    FitOptions inner = fitting;
    inner.hold_out_runs.clear(), inner.hold_out = 0.3;
    const double done = double(k + 1), all = double(parts.size() + 1);
    const auto progress = [&](double part) {
      return !options.progress || options.progress((done + part) / all);
    };
    const Comparison choice = rank(others, laws, inner, options, progress);
    if (choice.ranking.empty() || !choice.ranking.front().refused.empty()) continue;
    const Compared& winner = choice.ranking.front();
    // The winner on all that was not held out, judged on what was.
    FitOptions outer = options_for(winner.fit.law, fitting, options);
    outer.hold_out = 0.0, outer.hold_out_runs = {parts[k].name};
    add_form(winner.form, winner.fit.problem, outer);
    const FitSummary judged = fit(winner.fit.law, parts, outer);
    result.folds.push_back({parts[k].name, winner.name(), judged.held_out.rmse});
    squares += std::pow(judged.held_out.rmse, 2) * double(judged.held_out.samples);
    samples += judged.held_out.samples;
  }
  if (samples > 0) result.nested_error = std::sqrt(squares / double(samples));
}

}  // namespace

Comparison compare(const std::vector<Track>& runs, const CompareOptions& options) {
  const auto laws = options.laws.empty() ? compared_laws() : options.laws;
  FitOptions fitting = options.fit;
  // Laws are ranked by their errors, not by their intervals.
  fitting.repetitions = 0, fitting.profiles = fitting.forms = false;
  if (fitting.hold_out == 0.0 && fitting.hold_out_runs.empty()) fitting.hold_out = 0.3;
  const double share = options.folds > 0 ? 1.0 / double(options.folds + 1) : 1.0;
  Comparison result = rank(runs, laws, fitting, options, [&](double part) {
    return !options.progress || options.progress(share * part);
  });
  const auto& all = result.ranking;
  for (const auto& c : all) {
    if (!c.refused.empty()) continue;
    double& best = find_law(c.fit.law).set_valued ? result.best_static : result.best_dynamic;
    if (best == 0.0) best = c.fit.held_out.rmse;
  }
  for (std::size_t i = 1; i < all.size(); ++i)
    if (error(all[i]) <= error(all[0]) + all[0].error_deviation &&
        all[i].fit.unknowns.size() < all[result.simplest].fit.unknowns.size())
      result.simplest = i;
  if (options.folds > 0) cross_validate(runs, laws, options, fitting, result);
  return result;
}

}  // namespace bristle
