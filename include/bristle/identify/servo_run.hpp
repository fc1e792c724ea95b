// SPDX-License-Identifier: MIT
// What was measured on a servo pendulum: runs of samples in time.
#pragma once

#include <span>
#include <vector>

namespace bristle {

struct ServoRun {
  int number = 0;
  int trajectory = 0;            // runs with the same goal have the same number
  double gain = 0.0;             // set in the servo
  std::vector<double> time;      // [s], increasing
  std::vector<double> goal;      // [rad], straight from sample to sample
  std::vector<double> position;  // [rad]
  std::vector<double> enabled;   // not zero while the motor is on, kept until the next sample
};

// The columns of a table of samples, one row each.
struct ServoColumns {
  std::span<const double> run, trajectory, gain, time, goal, position, enabled;
};

// Rows of the same run, in the order of the table. Throws InvalidInput that names the run if a run
// has fewer than three samples or its times do not increase, and if a number is not finite.
std::vector<ServoRun> servo_runs(const ServoColumns& columns);

// How far a rollout is from what was measured.
struct ServoError {
  double mean_absolute = 0.0;  // [rad]
  double root_mean_square = 0.0;
  double largest = 0.0;
};

ServoError servo_error(const ServoRun& run, std::span<const double> positions);

}  // namespace bristle
