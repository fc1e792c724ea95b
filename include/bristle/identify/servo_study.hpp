// SPDX-License-Identifier: MIT
// A fit of a servo pendulum and what can be said of it: errors run by run, those of runs it has
// not seen, and those of doing nothing.
//
// Doing nothing is meant in two ways: the pendulum stays at the mean of what was measured in the
// run, and it is at its goal at all times.
#pragma once

#include "bristle/identify/servo_choice.hpp"

namespace bristle {

struct ServoStudyOptions {
  ServoFitOptions fit;                // `free` is taken from the choice
  std::vector<std::string> hold_out;  // names of runs that are not fitted, only judged
  bool leave_out = false;             // also fit without each kind of runs in turn
};

struct ServoStudy {
  std::vector<ServoRun> runs;
  std::vector<bool> held_out;                  // of each run
  ServoFit fit;                                // to the others
  std::vector<std::vector<double>> positions;  // rolled out with it, of all runs
  std::vector<ServoError> errors;              // of each run
  ServoError fitted, held;  // means over the runs fitted, and over those held out
  // Doing nothing, on the runs held out if there are any.
  ServoError at_mean, at_goal;
  double step_error = 0.0;  // mean distance to rollouts with a quarter of the step [rad]
  // Without each kind of runs: the fits; of each run the rollout by the one that has not seen it,
  // and its error.
  std::vector<ServoFold> folds;
  std::vector<std::vector<double>> unseen_positions;
  std::vector<ServoError> unseen_errors;
  ServoError unseen;  // mean over the runs
  std::vector<std::string> warnings;

  bool any_held_out() const;
  bool converged() const;  // all fits
  bool stopped() const;    // on request: some of the above is missing
};

// Throws InvalidInput as fit_servo does, for a run to be held out that is not there, for none left
// to be fitted, and for runs held out in both ways.
ServoStudy study_servo(std::vector<ServoRun> runs, const ServoChoice& choice,
                       const ServoStudyOptions& options);

}  // namespace bristle
