// SPDX-License-Identifier: MIT
// A fit as files: JSON, tables, figures, a page, and a model that can be run.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bristle/identify/compare.hpp"
#include "bristle/io/measurement.hpp"
#include "bristle/io/plot.hpp"

namespace bristle::io {

struct FitReport {
  const FitSummary& fit;
  const Measurement& measurement;
  std::vector<Profile> profiles;
  std::string command;
  std::string data;  // names of the files
};

// What stands for the 95 % interval of a parameter: "1 to 2", "held", "at its bound", "none".
std::string interval_words(const FittedParameter& parameter);

// What was read as what, for a summary and for a page.
nlohmann::ordered_json columns_json(const Measurement& measurement);
std::string data_card(const Measurement& measurement);
// What noise the position has and what was done about it, one sentence; empty if none is seen.
std::string motion_words(const FitSummary& fit);

nlohmann::ordered_json fit_json(const FitReport& report);
// Measured and fitted force over time, residuals, the loop and the force over velocity, one after
// the other.
void each_fit_plot(const FitReport& report, const std::function<void(const Plot&)>& draw);
std::string fit_html(const FitReport& report);
// The law with its fitted numbers, driven by a sine as large and fast as the data.
std::string fit_model_text(const FitSummary& fit);

nlohmann::ordered_json comparison_json(const Comparison& comparison);
std::string comparison_html(const Comparison& comparison, const Measurement& measurement,
                            const std::string& data, const std::string& command);

}  // namespace bristle::io
