// SPDX-License-Identifier: MIT
// A fit of a machine as files: JSON, tables, a page.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bristle/identify/machine_fit.hpp"
#include "bristle/io/measurement.hpp"

namespace bristle::io {

struct MachineFitReport {
  const MachineFit& fit;
  const std::vector<MachineFold>& folds;  // empty: nothing was left out in turn
  const std::vector<MachineRecord>& runs;
  const std::vector<Reading>& readings;
  const std::set<std::string>& held_out;  // names of runs
  const Measurement& measurement;
  std::string machine;   // its file
  std::string left_out;  // column whose values were left out in turn
  std::string command;
  std::string data;  // names of the files
};

std::string name_of(const Reading& reading);

// The errors of a run, or their means over runs.
struct RunError {
  double mean_absolute = 0.0, root_mean_square = 0.0, largest = 0.0;
};
// Of a reading of a run, by the fit.
RunError fitted_error(const MachineFitReport& report, std::size_t run, std::size_t reading);
// By the fits without the run; only with folds.
RunError unseen_error(const MachineFitReport& report, std::size_t run, std::size_t reading);
// Means over runs of a reading: those fitted, those held out, and all of them left out in turn. The
// largest is that of all.
struct MeanErrors {
  RunError fitted, held_out, left_out;
  double at_mean = 0.0;  // mean absolute error of staying at the mean of the run
};
MeanErrors mean_errors(const MachineFitReport& report, std::size_t reading);

nlohmann::ordered_json machine_fit_json(const MachineFitReport& report);
std::string machine_fit_html(const MachineFitReport& report);
// The samples of a run: time, inputs, and of each reading what was measured, fitted, and, with
// folds, predicted by the fits without the run.
std::string machine_fit_csv(const MachineFitReport& report, std::size_t run);
// Of each run the parameters that were fitted without it.
std::string folds_csv(const MachineFitReport& report);

}  // namespace bristle::io
