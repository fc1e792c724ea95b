// SPDX-License-Identifier: MIT
#include "machine_fit.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "bristle/identify/machine_fit.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/files.hpp"
#include "bristle/machine/parameters.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

// Options of other fits.
void refuse_without_meaning(const FitArguments& a) {
  const auto refuse = [](bool given, const std::string& option, const std::string& why) {
    if (given) throw io::InputError(option + " has no meaning with --machine: " + why);
  };
  refuse(!a.model.empty(), "--model", "the laws are in the file of the machine");
  refuse(!a.mechanism.empty(), "--mechanism", "the machine takes its place");
  refuse(a.choice.steady, "--steady", "a map has no motion");
  refuse(!a.choice.input.empty(), "--input", "write --measured NAME=COLUMN");
  const std::string motion = "write --measured BODY.position=COLUMN";
  refuse(!a.choice.position.empty(), "--position", motion);
  refuse(!a.choice.velocity.empty(), "--velocity", motion);
  refuse(!a.choice.force.empty(), "--force", "motion is fitted, not force");
  refuse(!a.choice.load.empty(), "--load", "the loads are in the file of the machine");
  refuse(!a.bandwidth.empty(), "--bandwidth", "no velocity is made from position");
  refuse(a.offset, "--offset", "free the bias of an input instead: --free input.NAME.bias");
  refuse(a.asymmetric, "--asymmetric", "there is no force to fit");
  refuse(a.robust, "--robust", "it is not known there");
  refuse(!a.profiles.empty(), "--profile", "intervals are those of the linearised problem");
  refuse(!a.gain.empty() || !a.enabled.empty() || !a.leave_out.empty(),
         "an option of servos (--gain, --enabled, --leave-out)", "it is for servo_pendulum");
}

struct Columns {
  io::MeasurementChoice choice;
  std::vector<Reading> readings;
  std::vector<std::string> roles;  // of each column: the name of an input, or empty for a reading
};

// What is measured of the machine.
Columns columns_of(const FitArguments& a, const MachineParts& parts) {
  Columns all;
  all.choice = a.choice;
  all.choice.others_alone = true;
  for (const auto& text : a.measured) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw io::InputError("--measured " + text + ": must read NAME=COLUMN");
    const std::string name = text.substr(0, equals), column = text.substr(equals + 1);
    std::vector<std::string> known;
    std::string unit;
    bool found = false;
    for (const auto& input : parts.inputs) {
      known.push_back(input.name);
      if (input.name != name) continue;
      found = true;
      all.roles.push_back(name);
      if (input.settings.gain == 1.0) unit = turns(parts, {{{input.on, 1.0}}}) ? "N m" : "N";
    }
    for (const auto& body : parts.bodies)
      for (const bool velocity : {false, true}) {
        known.push_back(body.name + (velocity ? ".velocity" : ".position"));
        if (known.back() != name) continue;
        found = true;
        all.roles.emplace_back();
        all.readings.push_back({body.name, velocity});
        unit = body.body.motion == Body::rotation ? "rad" : "m";
        if (velocity) unit += "/s";
      }
    if (!found)
      throw io::InputError("--measured " + text + ": " +
                           not_found("input or reading", name, known));
    all.choice.others.push_back({column, {name}, "--measured " + name + "=", false, unit});
  }
  if (all.readings.empty())
    throw io::InputError(
        "--machine " + a.machine +
        ": needs what was measured of its motion, such as --measured BODY.position=COLUMN");
  return all;
}

std::vector<MachineRecord> records_of(const io::Measurement& m, const Columns& columns) {
  std::vector<MachineRecord> runs;
  for (const Record& r : m.records) {
    MachineRecord run;
    run.name = r.name, run.time = r.time;
    for (std::size_t i = 0; i < columns.roles.size(); ++i) {
      if (columns.roles[i].empty()) run.readings.push_back(r.others[i]);
      else run.inputs[columns.roles[i]] = r.others[i];
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

std::string name_of(const Reading& r) { return r.body + (r.velocity ? ".velocity" : ".position"); }

nlohmann::ordered_json as_json(const Agreement& a) {
  return {{"samples", a.samples}, {"rmse", a.rmse}, {"nrmse", a.nrmse}, {"r2", a.r2}};
}

nlohmann::ordered_json as_json(const MachineFit& fit, const FitArguments& a) {
  nlohmann::ordered_json j{{"machine", a.machine}, {"data", file_names(a.files)}};
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
  for (const auto& one : fit.agreements) {
    j["runs"].push_back(
        {{"run", one.run}, {"reading", name_of(one.reading)}, {"fitted", as_json(one.fitted)}});
    if (one.held_out.samples > 0) j["runs"].back()["held_out"] = as_json(one.held_out);
  }
  j["noise"] = fit.noise;
  j["correlation_time"] = fit.correlation_time;
  j["evaluations"] = fit.evaluations;
  j["warnings"] = fit.warnings;
  return j;
}

void print(const MachineFit& fit, const io::Measurement& measurement, const FitArguments& a) {
  fmt::print("{} fitted to {}\n", a.machine, file_names(a.files));
  print_columns(measurement);
  fmt::print("\n");
  print_parameters(fit.parameters);
  fmt::print("\n");
  for (const auto& one : fit.agreements) {
    fmt::print("  {:<16} {:<22} rmse {:.5g}, {:.2f} % of the range, R2 {:.5f}\n", one.run,
               name_of(one.reading), one.fitted.rmse, 100.0 * one.fitted.nrmse, one.fitted.r2);
    if (one.held_out.samples > 0)
      fmt::print("  {:<16} {:<22} rmse {:.5g}, {:.2f} % of the range, R2 {:.5f}\n", "", "held out",
                 one.held_out.rmse, 100.0 * one.held_out.nrmse, one.held_out.r2);
  }
  if (!fit.warnings.empty()) fmt::print("\n");
  for (const auto& w : fit.warnings) fmt::print("  ! {}\n", w);
  for (const auto& n : measurement.notes) fmt::print("  note: {}\n", n);
  std::string settings;
  for (const auto& p : fit.parameters) settings += " --set " + p.name + "=" + words(p.value);
  fmt::print("\nThe machine as fitted: bristle run {}{}\n", a.machine, settings);
}

void write(const MachineFit& fit, const std::vector<MachineRecord>& runs, const Columns& columns,
           const FitArguments& a) {
  io::ResultDirectory out(a.out);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    std::vector<std::pair<std::string, std::span<const double>>> table{{"time", runs[k].time}};
    for (const auto& [name, values] : runs[k].inputs) table.push_back({name, values});
    for (std::size_t r = 0; r < columns.readings.size(); ++r) {
      const std::string name = name_of(columns.readings[r]);
      table.push_back({name, runs[k].readings[r]});
      table.push_back({"fitted_" + name, fit.predicted[k][r]});
    }
    out.write("fit-" + std::to_string(k + 1) + ".csv", io::csv_text(table));
  }
  out.write("summary.json", as_json(fit, a).dump(2) + "\n");
  out.commit();
}

}  // namespace

int run_machine_fit(const FitArguments& a) {
  refuse_without_meaning(a);
  std::vector<io::Setting> settings;
  for (const auto& text : a.fix) settings.push_back(io::parse_setting(text));
  const io::Experiment experiment = io::read_experiment(a.machine, settings);
  if (!experiment.cases.front().machine)
    throw io::InputError(a.machine + ": is no machine, it must have a [[body]]");
  const MachineParts& parts = experiment.cases.front().machine->parts();
  const Columns columns = columns_of(a, parts);
  const io::Measurement measurement = io::read_measurement(a.files, columns.choice);
  const auto runs = records_of(measurement, columns);
  MachineFitOptions o;
  o.readings = columns.readings;
  o.free = a.free;
  for (const auto& text : a.guess) o.guess.insert(named_number(text, "--guess"));
  for (const auto& text : a.bound) o.bounds.insert(named_range(text));
  for (const auto& text : a.hold_out) {
    const auto part = io::number_in(text);
    if (!part || !(*part >= 0.0 && *part <= 0.9))
      throw io::InputError("--hold-out " + text +
                           ": must be a part of each run from 0 to 0.9 with --machine");
    o.hold_out = *part;
  }
  if (a.starts) o.starts = *a.starts;
  if (a.steps) o.steps = *a.steps;
  o.seed = unsigned(a.seed);
  o.threads = int(std::max(1u, std::thread::hardware_concurrency()));
  MachineFit fit;
  {
    Progress progress("fit");
    o.progress = [&](double part) { return progress.show(part); };
    fit = fit_machine(parts, runs, o);
  }
  if (fit.status == FitStatus::stopped || interrupted()) throw io::Interrupted();
  if (fit.parameters.empty()) throw io::InputError(a.machine + ": " + fit.message);
  for (const auto& input : parts.inputs)
    if (std::find(columns.roles.begin(), columns.roles.end(), input.name) == columns.roles.end())
      fit.warnings.push_back("input " + input.name + " was not measured: it acts as the file says");
  if (!a.out.empty()) write(fit, runs, columns, a);
  if (a.json) fmt::print("{}\n", as_json(fit, a).dump(2));
  else print(fit, measurement, a);
  if (!a.out.empty() && !a.json) fmt::print("results: {}/summary.json\n", a.out);
  return fit.converged() ? io::success : io::fit_unfinished;
}

}  // namespace bristle::cli
