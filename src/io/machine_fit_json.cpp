// SPDX-License-Identifier: MIT
// A fit of a machine as JSON and tables.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bristle/io/csv.hpp"
#include "bristle/io/machine_fit_report.hpp"
#include "bristle/version.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;

// The fold that held a run out.
const MachineFold& fold_of(const MachineFitReport& r, std::size_t run) {
  for (const auto& fold : r.folds)
    if (std::find(fold.held_out.begin(), fold.held_out.end(), run) != fold.held_out.end())
      return fold;
  return r.folds.front();
}

RunError error_of(const std::vector<double>& measured, const std::vector<double>& predicted) {
  RunError e;
  double count = 0.0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (!std::isfinite(measured[i])) continue;
    const double off = std::abs(predicted[i] - measured[i]);
    e.mean_absolute += off, e.root_mean_square += off * off, count += 1.0;
    e.largest = std::max(e.largest, off);
  }
  e.mean_absolute /= count;
  e.root_mean_square = std::sqrt(e.root_mean_square / count);
  return e;
}

RunError mean_of(const std::vector<RunError>& all) {
  RunError mean;
  for (const auto& e : all) {
    mean.mean_absolute += e.mean_absolute / double(all.size());
    mean.root_mean_square += e.root_mean_square / double(all.size());
    mean.largest = std::max(mean.largest, e.largest);
  }
  return mean;
}

ordered_json as_json(const Agreement& a) {
  return {{"samples", a.samples}, {"rmse", a.rmse}, {"nrmse", a.nrmse}, {"r2", a.r2}};
}
ordered_json as_json(const RunError& e) {
  return {{"mean_absolute", e.mean_absolute},
          {"root_mean_square", e.root_mean_square},
          {"largest", e.largest}};
}

ordered_json folds_json(const MachineFitReport& r) {
  ordered_json j{{"column", r.left_out}};
  for (const auto& fold : r.folds) {
    ordered_json names = ordered_json::array(), values;
    for (const std::size_t i : fold.held_out) names.push_back(r.runs[i].name);
    for (const auto& p : fold.fit.parameters) values[p.name] = p.value;
    j["folds"].push_back({{"value", fold.group},
                          {"runs", names},
                          {"converged", fold.fit.converged()},
                          {"parameters", values}});
  }
  return j;
}

}  // namespace

std::string name_of(const Reading& r) { return r.body + (r.velocity ? ".velocity" : ".position"); }

RunError fitted_error(const MachineFitReport& r, std::size_t run, std::size_t reading) {
  return error_of(r.runs[run].readings[reading], r.fit.predicted[run][reading]);
}
RunError unseen_error(const MachineFitReport& r, std::size_t run, std::size_t reading) {
  return error_of(r.runs[run].readings[reading], fold_of(r, run).fit.predicted[run][reading]);
}

MeanErrors mean_errors(const MachineFitReport& r, std::size_t reading) {
  std::vector<RunError> fitted, held, unseen;
  MeanErrors all;
  for (std::size_t k = 0; k < r.runs.size(); ++k) {
    (r.held_out.contains(r.runs[k].name) ? held : fitted).push_back(fitted_error(r, k, reading));
    if (!r.folds.empty()) unseen.push_back(unseen_error(r, k, reading));
    all.at_mean +=
        r.fit.agreements[k * r.readings.size() + reading].at_mean / double(r.runs.size());
  }
  all.fitted = mean_of(fitted), all.held_out = mean_of(held), all.left_out = mean_of(unseen);
  return all;
}

ordered_json machine_fit_json(const MachineFitReport& r) {
  const MachineFit& fit = r.fit;
  ordered_json j{{"machine", r.machine}, {"data", r.data}};
  j["status"] = fit.converged() ? "converged" : "not converged";
  j["message"] = fit.message;
  for (const auto& p : fit.parameters)
    j["parameters"].push_back({{"name", p.name},
                               {"unit", p.unit},
                               {"value", p.value},
                               {"lower", p.lower},
                               {"upper", p.upper},
                               {"determined", p.determined},
                               {"at_bound", p.at_bound}});
  j["correlation"] = fit.correlation;
  for (std::size_t k = 0; k < r.runs.size(); ++k)
    for (std::size_t i = 0; i < r.readings.size(); ++i) {
      const auto& one = fit.agreements[k * r.readings.size() + i];
      ordered_json run{{"run", one.run},
                       {"reading", name_of(one.reading)},
                       {"is_held_out", r.held_out.contains(one.run)}};
      run.update(as_json(fitted_error(r, k, i)));
      if (one.fitted.samples > 0) run["fitted"] = as_json(one.fitted);
      if (one.held_out.samples > 0) run["held_out"] = as_json(one.held_out);
      if (!r.folds.empty()) run["left_out"] = as_json(unseen_error(r, k, i));
      j["runs"].push_back(run);
    }
  for (std::size_t i = 0; i < r.readings.size(); ++i) {
    const MeanErrors e = mean_errors(r, i);
    ordered_json mean{{"reading", name_of(r.readings[i])}, {"fitted", as_json(e.fitted)}};
    if (!r.held_out.empty()) mean["held_out"] = as_json(e.held_out);
    if (!r.folds.empty()) mean["left_out"] = as_json(e.left_out);
    mean["at_its_mean"] = e.at_mean;
    j["mean_of_runs"].push_back(mean);
  }
  if (!r.folds.empty()) j["left_out"] = folds_json(r);
  j["noise"] = fit.noise;
  j["correlation_time"] = fit.correlation_time;
  j["intervals_by_runs"] = fit.by_runs;
  j["step_error"] = fit.step_error;
  j["evaluations"] = fit.evaluations;
  j["warnings"] = fit.warnings;
  j["notes"] = r.measurement.notes;
  j["version"] = version;
  j["command"] = r.command;
  return j;
}

std::string machine_fit_csv(const MachineFitReport& r, std::size_t k) {
  const MachineRecord& run = r.runs[k];
  std::vector<std::pair<std::string, std::span<const double>>> table{{"time", run.time}};
  for (const auto& [name, values] : run.inputs) table.push_back({name, values});
  for (std::size_t i = 0; i < r.readings.size(); ++i) {
    const std::string name = name_of(r.readings[i]);
    table.push_back({name, run.readings[i]});
    table.push_back({"fitted_" + name, r.fit.predicted[k][i]});
    if (!r.folds.empty()) table.push_back({"left_out_" + name, fold_of(r, k).fit.predicted[k][i]});
  }
  return csv_text(table);
}

std::string folds_csv(const MachineFitReport& r) {
  // The names of runs may be words.
  std::string text = "run";
  for (const auto& p : r.fit.parameters) text += "," + p.name;
  text += "\n";
  for (std::size_t k = 0; k < r.runs.size(); ++k) {
    std::string name = r.runs[k].name;
    std::replace(name.begin(), name.end(), ',', ' ');
    text += name;
    for (const auto& p : fold_of(r, k).fit.parameters) text += "," + words(p.value);
    text += "\n";
  }
  return text;
}

}  // namespace bristle::io
