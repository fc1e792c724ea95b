// SPDX-License-Identifier: MIT
// A fit of a servo pendulum as files: JSON, tables, a page.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bristle/identify/servo_study.hpp"
#include "bristle/io/measurement.hpp"

namespace bristle::io {

struct ServoReport {
  const ServoStudy& study;
  const Measurement& measurement;
  ServoFitOptions options;  // as it was searched
  std::string left_out;     // column whose values were left out in turn, empty: none
  std::string command;
  std::string data;  // names of the files
};

nlohmann::ordered_json servo_json(const ServoReport& report);
std::string servo_html(const ServoReport& report);

// Samples of all runs: run, time, goal, position, fitted_position, held_out.
std::string servo_fit_csv(const ServoStudy& study);
// The same with the rollouts by the fits that have not seen the run.
std::string servo_unseen_csv(const ServoStudy& study);
// Of each run the parameters that were fitted without it.
std::string servo_folds_csv(const ServoStudy& study);

}  // namespace bristle::io
