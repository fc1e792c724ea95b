// SPDX-License-Identifier: MIT
#include "bristle/identify/compare.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bristle/model/registry.hpp"

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
        for (auto* column : {&run.input_time, &run.input, &run.drive})
          std::vector<double>().swap(*column);
      }
}

}  // namespace

Comparison compare(const std::vector<Track>& runs, const CompareOptions& options) {
  Comparison result;
  const auto laws = options.laws.empty() ? fitted_laws() : options.laws;
  FitOptions fitting = options.fit;
  fitting.repetitions = 0;  // laws are ranked by their errors, not by their intervals
  if (fitting.hold_out == 0.0 && fitting.hold_out_runs.empty()) fitting.hold_out = 0.3;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (options.progress && !options.progress(double(i) / double(laws.size()))) break;
    Compared entry;
    entry.fit.law = laws[i];
    const auto began = std::chrono::steady_clock::now();
    try {
      entry.fit = fit(laws[i], runs, fitting);
      if (!std::isfinite(entry.fit.held_out.rmse)) entry.refused = entry.fit.message;
    } catch (const InvalidInput& error) {
      // A law that was named must exist; one that does not fit the data is no mistake.
      find_law(laws[i]);
      entry.refused = error.what();
    }
    entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    result.ranking.push_back(std::move(entry));
    keep_best_runs(result.ranking);
  }
  std::stable_sort(result.ranking.begin(), result.ranking.end(),
                   [&](const auto& a, const auto& b) { return error(a) < error(b); });
  for (const auto& c : result.ranking) {
    if (!c.refused.empty()) continue;
    double& best = find_law(c.fit.law).set_valued ? result.best_static : result.best_dynamic;
    if (best == 0.0) best = c.fit.held_out.rmse;
  }
  return result;
}

}  // namespace bristle
