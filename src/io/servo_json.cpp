// SPDX-License-Identifier: MIT
// A fit of a servo pendulum as JSON and tables.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "bristle/io/csv.hpp"
#include "bristle/io/servo_report.hpp"
#include "bristle/version.hpp"
#include "report_parts.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;

ordered_json as_json(const ServoError& e) {
  return {{"mean_absolute", e.mean_absolute},
          {"root_mean_square", e.root_mean_square},
          {"largest", e.largest}};
}

ordered_json mean_json(const ServoError& e, long runs) {
  ordered_json j{{"runs", runs}};
  j.update(as_json(e));
  return j;
}

ordered_json runs_json(const ServoStudy& s) {
  ordered_json all = ordered_json::array();
  for (std::size_t i = 0; i < s.runs.size(); ++i) {
    ordered_json j{{"run", s.runs[i].name},
                   {"gain", s.runs[i].gain},
                   {"samples", s.runs[i].time.size()},
                   {"held_out", bool(s.held_out[i])}};
    j.update(as_json(s.errors[i]));
    if (!s.folds.empty()) j["left_out"] = as_json(s.unseen_errors[i]);
    all.push_back(j);
  }
  return all;
}

ordered_json folds_json(const ServoReport& r) {
  const ServoStudy& s = r.study;
  ordered_json j{{"column", r.left_out}};
  j.update(mean_json(s.unseen, long(s.runs.size())));
  j["folds"] = ordered_json::array();
  for (const auto& fold : s.folds) {
    ordered_json names = ordered_json::array(), values;
    for (const int i : fold.held_out) names.push_back(s.runs[std::size_t(i)].name);
    for (const auto& e : fold.fit.estimates) values[e.name] = e.value;
    j["folds"].push_back(
        {{"value", r.measurement.records[std::size_t(fold.held_out.front())].group},
         {"runs", names},
         {"converged", fold.fit.converged()},
         {"error", as_json(mean_error(fold.errors))},
         {"parameters", values}});
  }
  return j;
}

// Rows of numbers behind the names of their runs, which may be words.
std::string named_rows(const std::vector<std::string>& names, const std::string& numbers) {
  std::string text = "run,";
  std::size_t row = 0;
  for (std::size_t at = 0; at < numbers.size();) {
    const std::size_t end = numbers.find('\n', at) + 1;
    if (at > 0) {
      std::string name = names[row++];
      std::replace(name.begin(), name.end(), ',', ' ');
      text += name + ",";
    }
    text += numbers.substr(at, end - at);
    at = end;
  }
  return text;
}

std::string samples_csv(const ServoStudy& s, const std::vector<std::vector<double>>& positions,
                        bool unseen) {
  std::vector<std::string> names;
  std::vector<double> time, goal, position, fitted, held;
  const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (std::size_t i = 0; i < s.runs.size(); ++i) {
    const ServoRun& run = s.runs[i];
    names.insert(names.end(), run.time.size(), run.name);
    append(time, run.time), append(goal, run.goal), append(position, run.position);
    append(fitted, positions[i]);
    held.insert(held.end(), run.time.size(), unseen || s.held_out[i] ? 1.0 : 0.0);
  }
  return named_rows(names, csv_text({{"time", time},
                                     {"goal", goal},
                                     {"position", position},
                                     {"fitted_position", fitted},
                                     {"held_out", held}}));
}

}  // namespace

std::string servo_fit_csv(const ServoStudy& s) { return samples_csv(s, s.positions, false); }
std::string servo_unseen_csv(const ServoStudy& s) {
  return samples_csv(s, s.unseen_positions, true);
}

std::string servo_folds_csv(const ServoStudy& s) {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values(s.fit.estimates.size());
  for (const auto& fold : s.folds)
    for (const int run : fold.held_out) {
      names.push_back(s.runs[std::size_t(run)].name);
      for (std::size_t k = 0; k < values.size(); ++k)
        values[k].push_back(fold.fit.estimates[k].value);
    }
  std::vector<std::pair<std::string, std::span<const double>>> columns;
  for (std::size_t k = 0; k < values.size(); ++k)
    columns.emplace_back(s.fit.estimates[k].name, values[k]);
  return named_rows(names, csv_text(columns));
}

ordered_json servo_json(const ServoReport& r) {
  const ServoStudy& s = r.study;
  const long held = std::count(s.held_out.begin(), s.held_out.end(), true);
  ordered_json j{{"data", r.data},
                 {"model", GearFriction<>::name},
                 {"mechanism", ServoPendulum<>::name},
                 {"converged", s.converged()},
                 {"message", s.fit.message}};
  j["parameters"] = parameters_json(all_estimates(s.fit));
  j["unit"] = "rad";
  j["fitted"] = mean_json(s.fitted, long(s.runs.size()) - held);
  if (held > 0) j["held_out"] = mean_json(s.held, held);
  if (!s.folds.empty()) j["left_out"] = folds_json(r);
  j["doing_nothing"] = {{"at_its_mean", as_json(s.at_mean)}, {"at_its_goal", as_json(s.at_goal)}};
  j["runs"] = runs_json(s);
  j["rollout"] = {{"input", r.measurement.input_name},
                  {"output", "position"},
                  {"step", r.options.step},
                  {"step_error", s.step_error}};
  j["warnings"] = s.warnings;
  j["columns"] = columns_json(r.measurement);
  j["notes"] = r.measurement.notes;
  j["search"] = {{"starts", r.options.starts},
                 {"seed", r.options.seed},
                 {"cost", s.fit.cost},
                 {"refined_costs", s.fit.refined_costs},
                 {"rollouts", s.fit.rollouts}};
  j["provenance"] = {{"bristle", version}, {"command", r.command}};
  return j;
}

}  // namespace bristle::io
