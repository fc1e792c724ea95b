// SPDX-License-Identifier: MIT
// Runs of a servo pendulum for tests: measured ones, and some made from known parameters.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "bristle/identify/servo_fit.hpp"
#include "bristle/identify/servo_rollout.hpp"

namespace bristle::test {

using NumberTable = std::vector<std::vector<double>>;  // by column

inline NumberTable read_numbers(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  NumberTable columns;
  std::string line, cell;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream row(line);
    for (std::size_t i = 0; std::getline(row, cell, ','); ++i) {
      if (columns.size() <= i) columns.emplace_back();
      columns[i].push_back(std::stod(cell));
    }
  }
  return columns;
}

inline std::vector<ServoRun> measured_runs() {
  const auto c = read_numbers(BRISTLE_DATA "/xl330-pendulum/runs.csv");
  return servo_runs({c.at(0), c.at(1), c.at(2), c.at(3), c.at(4), c.at(5), c.at(10)});
}

// A goal that starts, stops and turns, and a motor that goes off near the end.
inline ServoRun goal_run(int number, double gain, double end = 6.0) {
  ServoRun run{std::to_string(number), number % 3, gain, {}, {}, {}, {}};
  for (double t = 0.0; t < end; t += 5e-3) {
    run.time.push_back(t);
    run.goal.push_back((1.0 + 0.2 * (number % 3)) * std::sin((1.2 + 0.3 * number) * t) +
                       0.4 * std::sin(3.0 * t));
    run.position.push_back(0.0);
    run.enabled.push_back(t < 0.75 * end ? 1.0 : 0.0);
  }
  return run;
}

// The run as the model would have it, to the step of an encoder (0: exactly).
inline ServoRun simulated(ServoRun run, const ServoModel<>& model, double step,
                          double encoder = 0.0) {
  std::vector<double> q(run.time.size());
  servo_rollout(model.friction, model.pendulum, run, step, q);
  for (double& x : q)
    if (encoder > 0.0) x = encoder * std::round(x / encoder);
  run.position = q;
  return run;
}

inline ServoModel<> loaded_model() {
  ServoModel<> model;
  model.pendulum.armature = 0.002;
  model.friction = {0.005, 0.002, 0.01, 0.35, 0.05, 0.5, 2.0, 0.1, 0.4, 0.0};
  return model;
}

}  // namespace bristle::test
