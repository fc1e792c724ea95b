// SPDX-License-Identifier: MIT
#include "bristle/identify/servo_run.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/model/field.hpp"

namespace bristle {

std::vector<ServoRun> servo_runs(const ServoColumns& c) {
  const auto all = {c.run, c.trajectory, c.gain, c.time, c.goal, c.position, c.enabled};
  for (const auto& column : all) {
    if (column.size() != c.run.size())
      throw InvalidInput("runs", "servo runs: the columns are not of the same length");
    for (std::size_t i = 0; i < column.size(); ++i)
      if (!std::isfinite(column[i]))
        throw InvalidInput("runs", "servo runs: row " + std::to_string(i + 1) +
                                       " holds a value that is not a number");
  }
  std::vector<ServoRun> runs;
  for (std::size_t i = 0; i < c.run.size(); ++i) {
    const int number = int(c.run[i]);
    auto at = std::find_if(runs.begin(), runs.end(),
                           [&](const ServoRun& r) { return r.number == number; });
    if (at == runs.end()) {
      runs.push_back({number, int(c.trajectory[i]), c.gain[i], {}, {}, {}, {}});
      at = runs.end() - 1;
    }
    if (!at->time.empty() && !(c.time[i] > at->time.back()))
      throw InvalidInput("runs", "servo runs: time of run " + std::to_string(number) +
                                     " does not increase at " + words(c.time[i]) + " s");
    at->time.push_back(c.time[i]);
    at->goal.push_back(c.goal[i]);
    at->position.push_back(c.position[i]);
    at->enabled.push_back(c.enabled[i]);
  }
  for (const auto& run : runs)
    if (run.time.size() < 3)
      throw InvalidInput("runs", "servo runs: run " + std::to_string(run.number) + " has " +
                                     std::to_string(run.time.size()) +
                                     " samples, it must have at least 3");
  return runs;
}

ServoError servo_error(const ServoRun& run, std::span<const double> positions) {
  ServoError error;
  for (std::size_t i = 0; i < run.position.size(); ++i) {
    const double e = std::abs(positions[i] - run.position[i]);
    error.mean_absolute += e;
    error.root_mean_square += e * e;
    error.largest = std::max(error.largest, e);
  }
  error.mean_absolute /= double(run.position.size());
  error.root_mean_square = std::sqrt(error.root_mean_square / double(run.position.size()));
  return error;
}

}  // namespace bristle
