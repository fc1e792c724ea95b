// SPDX-License-Identifier: MIT
// What was measured on a servo pendulum: runs of samples in time.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace bristle {

struct ServoRun {
  std::string name;
  int kind = 0;                  // runs of one kind are held out together
  double gain = 0.0;             // set in the servo
  std::vector<double> time;      // [s], increasing
  std::vector<double> goal;      // [rad], straight from sample to sample
  std::vector<double> position;  // [rad]
  std::vector<double> enabled;   // not zero while the motor is on, kept until the next sample
};

// The columns of a table of samples, one row each.
struct ServoColumns {
  std::span<const double> run, kind, gain, time, goal, position, enabled;
};

// Rows of the same run, in the order of the table; the number of a run is its name. Throws
// InvalidInput as the next, and for columns that are not of the same length.
std::vector<ServoRun> servo_runs(const ServoColumns& columns);

// Throws InvalidInput that names the run if it has fewer than three samples, columns of different
// length, a number that is not finite, or times that do not increase.
void check_run(const ServoRun& run);

// How far a rollout is from what was measured.
struct ServoError {
  double mean_absolute = 0.0;  // [rad]
  double root_mean_square = 0.0;
  double largest = 0.0;
};

ServoError servo_error(const ServoRun& run, std::span<const double> positions);
// The means over runs, and the largest error of all.
ServoError mean_error(std::span<const ServoError> errors);

}  // namespace bristle
