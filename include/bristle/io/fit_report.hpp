// SPDX-License-Identifier: MIT
// A fit as files: JSON, tables, figures, a page, and a model that can be run.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bristle/identify/compare.hpp"
#include "bristle/identify/delay.hpp"
#include "bristle/io/measurement.hpp"
#include "bristle/io/plot.hpp"

namespace bristle::io {

struct FitReport {
  const FitSummary& fit;
  const Measurement& measurement;
  std::vector<Profile> profiles;
  std::string command;
  std::string data;                         // names of the files
  std::optional<DelayEstimate> delay = {};  // if one was looked for
};

// What stands for the 95 % interval of a parameter: "1 to 2", "above 1", "held", "at its lower
// bound", "no limit".
std::string interval_words(const FittedParameter& parameter);
// The bounds it was searched within: "0.1 to 40"; empty if it was held.
std::string bound_words(const FittedParameter& parameter);
// "not determined", "at its bound", or nothing.
std::string doubt_words(const FittedParameter& parameter);

// What was read as what, for a summary and for a page.
nlohmann::ordered_json columns_json(const Measurement& measurement);
std::string data_card(const Measurement& measurement);
// "1.2 N m (95 % 1.1 to 1.3) times sin(q + 0.01 rad)" of a fit with that term, empty otherwise.
std::string gravity_words(const FitSummary& fit);
// Parameters that depend on columns, as formulas; one each.
std::vector<std::string> dependence_words(const FitSummary& fit);
// How the velocity was made, one sentence; empty if it was measured.
std::string velocity_words(const FitSummary& fit);
// "the force lags the motion by 1.2 ms (95 % 1.1 to 1.3 ms)", or that no delay is found.
std::string delay_words(const DelayEstimate& delay, const std::string& unit);
// What noise the position has and what was done about it, one sentence; empty if none is found.
std::string motion_words(const FitSummary& fit);

nlohmann::ordered_json fit_json(const FitReport& report);
// Measured and fitted force over time, residuals, the loop and the force over velocity, one after
// the other.
void each_fit_plot(const FitReport& report, const std::function<void(const Plot&)>& draw);
std::string fit_html(const FitReport& report);

// Errors of the laws of a comparison, run by run: names of the runs, then one row per law. Empty
// for a single run. Of each run the held-out samples count, or all where none is held out.
struct RunErrors {
  std::vector<std::string> runs;
  std::vector<std::pair<std::string, std::vector<double>>> laws;
};
RunErrors run_errors(const Comparison& comparison);
// How much a state of the law is worth, the simplest law that is about as good as the best, and the
// result of nested cross-validation; one sentence each.
std::vector<std::string> comparison_words(const Comparison& comparison, const std::string& unit);
nlohmann::ordered_json comparison_json(const Comparison& comparison);
std::string comparison_html(const Comparison& comparison, const Measurement& measurement,
                            const std::string& data, const std::string& command);

}  // namespace bristle::io
