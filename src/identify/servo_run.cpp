// SPDX-License-Identifier: MIT
#include "bristle/identify/servo_run.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/model/field.hpp"

namespace bristle {

std::vector<ServoRun> servo_runs(const ServoColumns& c) {
  for (const auto& column : {c.run, c.kind, c.gain, c.time, c.goal, c.position, c.enabled})
    if (column.size() != c.run.size())
      throw InvalidInput("runs", "servo runs: the columns are not of the same length");
  std::vector<ServoRun> runs;
  for (std::size_t i = 0; i < c.run.size(); ++i) {
    if (!std::isfinite(c.run[i]) || !std::isfinite(c.kind[i]))
      throw InvalidInput("runs", "servo runs: row " + std::to_string(i + 1) +
                                     " belongs to a run or kind that is not a number");
    if (!(std::abs(c.kind[i]) <= 1e9))
      throw InvalidInput("runs", "servo runs: row " + std::to_string(i + 1) + " has the kind " +
                                     words(c.kind[i]) + ", it must be within 1e9 of zero");
    const std::string name = words(c.run[i]);
    auto at =
        std::find_if(runs.begin(), runs.end(), [&](const ServoRun& r) { return r.name == name; });
    if (at == runs.end()) {
      runs.push_back({name, int(c.kind[i]), c.gain[i], {}, {}, {}, {}});
      at = runs.end() - 1;
    }
    at->time.push_back(c.time[i]);
    at->goal.push_back(c.goal[i]);
    at->position.push_back(c.position[i]);
    at->enabled.push_back(c.enabled[i]);
  }
  for (const auto& run : runs) check_run(run);
  return runs;
}

void check_run(const ServoRun& run) {
  const auto refuse = [&](const std::string& what) {
    throw InvalidInput("runs", "servo runs: run " + run.name + " " + what);
  };
  if (run.time.size() < 3)
    refuse("has " + std::to_string(run.time.size()) + " samples, it must have at least 3");
  if (!std::isfinite(run.gain)) refuse("has a gain that is not a number");
  for (const auto* column : {&run.time, &run.goal, &run.position, &run.enabled}) {
    if (column->size() != run.time.size()) refuse("has columns that are not of the same length");
    for (std::size_t i = 0; i < column->size(); ++i)
      if (!std::isfinite((*column)[i]))
        refuse("holds a value that is not a number in sample " + std::to_string(i + 1));
  }
  for (std::size_t i = 1; i < run.time.size(); ++i)
    if (!(run.time[i] > run.time[i - 1]))
      refuse("has a time that does not increase at " + words(run.time[i]) + " s");
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

ServoError mean_error(std::span<const ServoError> errors) {
  ServoError mean;
  for (const auto& e : errors) {
    mean.mean_absolute += e.mean_absolute / double(errors.size());
    mean.root_mean_square += e.root_mean_square / double(errors.size());
    mean.largest = std::max(mean.largest, e.largest);
  }
  return mean;
}

}  // namespace bristle
