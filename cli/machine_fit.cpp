// SPDX-License-Identifier: MIT
#include "machine_fit.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "bristle/identify/machine_fit.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/fit_part.hpp"
#include "bristle/io/machine_fit_report.hpp"
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
  refuse(!a.profiles.empty(), "--profile", "intervals are those of the linearised problem");
}

// What a column is of the machine.
struct Role {
  enum Kind { reading, input, value } kind;
  std::string name;
};
struct Columns {
  io::MeasurementChoice choice;
  std::vector<Reading> readings;
  std::vector<Role> roles;
};

// What a column can be, with the unit it is read in.
struct Known {
  Role role;
  std::string unit;
  Reading reading{};
};
std::vector<Known> all_known(const MachineParts& parts) {
  std::vector<Known> all;
  for (const auto& input : parts.inputs) {
    const char* unit = turns(parts, {{{input.on, 1.0}}}) ? "N m" : "N";
    all.push_back({{Role::input, input.name}, input.settings.gain == 1.0 ? unit : ""});
  }
  for (const auto& part : parts.couplings) {
    const bool turning = turns(parts, {{{part.between[0], 1.0}}});
    for (const auto name : part.coupling->signal_names())
      all.push_back({{Role::input, part.name + "." + std::string(name)},
                     name != "goal" ? ""
                     : turning      ? "rad"
                                    : "m"});
  }
  for (const auto& body : parts.bodies)
    for (const bool velocity : {false, true}) {
      std::string unit = body.body.motion == Body::rotation ? "rad" : "m";
      if (velocity) unit += "/s";
      all.push_back({{Role::reading, body.name + (velocity ? ".velocity" : ".position")},
                     unit,
                     {body.name, velocity}});
    }
  for (const auto& one : parameters_of(parts))
    if (one.numeric && std::holds_alternative<double>(one.value))
      all.push_back({{Role::value, one.field.name}, ""});
  return all;
}

Columns columns_of(const FitArguments& a, const MachineParts& parts) {
  Columns all;
  all.choice = a.choice;
  all.choice.others_alone = true;
  // Each run is a group of its own if the same column separates them.
  all.choice.group = !a.leave_out.empty() && a.leave_out == a.choice.run ? "run" : a.leave_out;
  const auto known = all_known(parts);
  std::vector<std::string> names;
  for (const auto& one : known) names.push_back(one.role.name);
  for (const auto& text : a.measured) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      throw io::InputError("--measured " + text + ": must read NAME=COLUMN");
    const std::string name = text.substr(0, equals), column = text.substr(equals + 1);
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
      throw io::InputError("--measured " + text + ": " +
                           not_found("input, reading or parameter", name, names));
    const Known& found = known[std::size_t(at - names.begin())];
    all.roles.push_back(found.role);
    if (found.role.kind == Role::reading) all.readings.push_back(found.reading);
    all.choice.others.push_back({column, {name}, "--measured " + name + "=", false, found.unit});
  }
  if (all.readings.empty())
    throw io::InputError(
        "--machine " + a.machine +
        ": needs what was measured of its motion, such as --measured BODY.position=COLUMN");
  return all;
}

// The number that a column holds throughout a run.
double one_value(const std::vector<double>& column, const std::string& name,
                 const std::string& run) {
  for (const double v : column)
    if (v != column.front())
      throw io::InputError("--measured " + name + ": goes from " + words(column.front()) + " to " +
                           words(v) + " within run " + run +
                           ", a parameter must be the same throughout a run");
  return column.front();
}

std::vector<MachineRecord> records_of(const io::Measurement& m, const Columns& columns) {
  std::vector<MachineRecord> runs;
  for (const Record& r : m.records) {
    MachineRecord run;
    run.name = r.name, run.time = r.time;
    for (std::size_t i = 0; i < columns.roles.size(); ++i) {
      const auto& [kind, name] = columns.roles[i];
      if (kind == Role::reading) run.readings.push_back(r.others[i]);
      else if (kind == Role::input) run.inputs[name] = r.others[i];
      else run.values[name] = one_value(r.others[i], name, r.name);
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

void print_mean(const io::MachineFitReport& r, std::size_t reading) {
  const auto line = [](const std::string& name, const io::RunError& e) {
    fmt::print("  {:<30} {:>13.5g} {:>16.5g} {:>10.4g}\n", name, e.mean_absolute,
               e.root_mean_square, e.largest);
  };
  const io::MeanErrors e = io::mean_errors(r, reading);
  fmt::print("\n  {:<30} {:>13} {:>16} {:>10}\n", io::name_of(r.readings[reading]), "mean absolute",
             "root mean square", "largest");
  line("fitted, mean of runs", e.fitted);
  if (!r.held_out.empty()) line("held out", e.held_out);
  if (!r.folds.empty()) line("each " + r.left_out + " left out", e.left_out);
  fmt::print("  {:<30} {:>13.5g}\n", "at the mean of the run", e.at_mean);
  for (std::size_t k = 0; k < r.runs.size() && r.runs.size() > 1; ++k) {
    const bool held = r.held_out.contains(r.runs[k].name);
    line("run " + r.runs[k].name + (held ? ", held out" : ""), io::fitted_error(r, k, reading));
    if (!r.folds.empty())
      line("run " + r.runs[k].name + ", left out", io::unseen_error(r, k, reading));
  }
}

void print(const io::MachineFitReport& r) {
  fmt::print("{} fitted to {}\n", r.machine, r.data);
  print_columns(r.measurement);
  fmt::print("\n");
  print_parameters(r.fit.parameters);
  fmt::print("\n");
  for (const auto& one : r.fit.agreements) {
    const auto line = [](const std::string& run, const std::string& what, const Agreement& a) {
      if (a.samples > 0)
        fmt::print("  {:<16} {:<22} rmse {:.5g}, {:.2f} % of the range, R2 {:.5f}\n", run, what,
                   a.rmse, 100.0 * a.nrmse, a.r2);
    };
    line(one.run, io::name_of(one.reading), one.fitted);
    line(one.fitted.samples > 0 ? "" : one.run, "held out", one.held_out);
  }
  for (std::size_t i = 0; i < r.readings.size(); ++i) print_mean(r, i);
  if (!r.fit.warnings.empty()) fmt::print("\n");
  for (const auto& w : r.fit.warnings) fmt::print("  ! {}\n", w);
  for (const auto& n : r.measurement.notes) fmt::print("  note: {}\n", n);
  std::string settings;
  for (const auto& p : r.fit.parameters) settings += " --set " + p.name + "=" + words(p.value);
  fmt::print("\nThe machine as fitted: bristle run {}{}\n", r.machine, settings);
}

void write(io::ResultDirectory& out, const io::MachineFitReport& r, const io::Part& part) {
  for (std::size_t k = 0; k < r.runs.size(); ++k)
    out.write("fit-" + std::to_string(k + 1) + ".csv", io::machine_fit_csv(r, k));
  if (!r.folds.empty()) out.write("folds.csv", io::folds_csv(r));
  out.write("part.toml", io::part_text(part));
  out.write("report.html", io::machine_fit_html(r));
  out.write("summary.json", io::machine_fit_json(r).dump(2) + "\n");
  out.commit();
}

// With what was fixed beside the file.
io::Part machine_part(const io::MachineFitReport& r, const std::string& text,
                      const std::vector<io::Setting>& fixed, const io::PartOrigin& origin) {
  io::Part part = io::part_of(r, text, origin);
  for (const io::Setting& s : fixed) {
    const std::string name = s.section + "." + s.field;
    if (const auto number = io::number_in(s.value))
      part.parameters.push_back({.name = name, .of = "machine", .value = *number});
    else part.choices[name] = s.value;
  }
  return part;
}

MachineFitOptions options_of(const FitArguments& a, const Columns& columns,
                             const std::vector<MachineRecord>& runs) {
  MachineFitOptions o;
  o.readings = columns.readings;
  o.free = a.free;
  for (const auto& text : a.guess) o.guess.insert(named_number(text, "--guess"));
  for (const auto& text : a.bound) o.bounds.insert(named_range(text));
  std::vector<std::string> names;
  for (const auto& run : runs) names.push_back(run.name);
  for (const auto& text : a.hold_out) {
    if (std::find(names.begin(), names.end(), text) != names.end()) {
      o.hold_out_runs.insert(text);
      continue;
    }
    const auto part = io::number_in(text);
    if (!part || !(*part >= 0.0 && *part <= 0.9))
      throw io::InputError(
          "--hold-out " + text +
          ": must be a fraction of each run from 0 to 0.9, or the name of a run; " +
          not_found("run", text, names));
    o.hold_out = *part;
  }
  if (!a.leave_out.empty() && !a.hold_out.empty())
    throw io::InputError("--leave-out: --hold-out and --leave-out exclude each other");
  if (a.starts) o.starts = *a.starts;
  // More starts than usual are refined from free simulations as well.
  if (o.starts > 64) o.refined = 4 + o.starts / 16;
  if (a.steps) o.steps = *a.steps;
  o.robust = a.robust;
  o.free_start = !a.measured_start;
  o.seed = unsigned(a.seed);
  o.threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
  return o;
}

// What the folds add to the warnings.
void doubt_folds(const io::MachineFitReport& r, MachineFit& fit) {
  const auto unfinished = std::count_if(r.folds.begin(), r.folds.end(),
                                        [](const MachineFold& f) { return !f.fit.converged(); });
  if (unfinished > 0)
    fit.warnings.push_back(std::to_string(unfinished) + " of " + std::to_string(r.folds.size()) +
                           " fits without some of the runs did not converge");
  for (std::size_t i = 0; i < r.readings.size() && !r.folds.empty(); ++i) {
    const io::MeanErrors e = io::mean_errors(r, i);
    if (e.left_out.mean_absolute > 2.0 * e.fitted.mean_absolute)
      fit.warnings.push_back("the error of held-out runs is " +
                             fmt::format("{:.4g}", e.left_out.mean_absolute) +
                             ", more than twice that of fitted runs");
    if (e.left_out.mean_absolute >= e.at_mean)
      fit.warnings.push_back("the machine is no better than the mean of each run");
  }
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
  MachineFitOptions o = options_of(a, columns, runs);
  // A directory that must not be replaced is better refused now than after the fit.
  std::optional<io::ResultDirectory> out;
  if (!a.out.empty()) out.emplace(a.out);
  MachineFit fit;
  std::vector<MachineFold> folds;
  {
    Progress progress("fit");
    std::vector<std::string> groups;
    for (const Record& r : measurement.records) groups.push_back(r.group);
    const std::set<std::string> kinds(groups.begin(), groups.end());
    // Each fold is about as much work as the fit itself.
    const double part = a.leave_out.empty() ? 1.0 : 1.0 / (1.0 + double(kinds.size()));
    if (!a.leave_out.empty() && kinds.size() < 2)
      throw io::InputError(
          "--leave-out " + a.leave_out +
          ": all runs have the same value: without them none would be left to fit");
    o.progress = [&](double done) { return progress.show(part * done); };
    fit = fit_machine(parts, runs, o);
    if (fit.status != FitStatus::stopped && !a.leave_out.empty()) {
      o.progress = [&](double done) { return progress.show(part + (1.0 - part) * done); };
      folds = cross_validate(parts, runs, groups, o);
    }
  }
  bool stopped = fit.status == FitStatus::stopped, converged = fit.converged();
  for (const auto& fold : folds) {
    stopped = stopped || fold.fit.status == FitStatus::stopped;
    converged = converged && fold.fit.converged();
  }
  if (stopped || interrupted()) throw io::Interrupted();
  if (fit.parameters.empty()) throw io::InputError(a.machine + ": " + fit.message);
  for (const auto& fold : folds)
    if (fold.fit.parameters.empty())
      throw io::InputError(a.machine + ": without " + a.leave_out + " " + fold.group + ", " +
                           fold.fit.message);
  for (const auto& input : parts.inputs)
    if (std::none_of(columns.roles.begin(), columns.roles.end(),
                     [&](const Role& role) { return role.name == input.name; }))
      fit.warnings.push_back("input " + input.name +
                             " was not measured: it acts as given in the file");
  const io::MachineFitReport report{
      fit,         folds,     runs,        columns.readings, o.hold_out_runs,
      measurement, a.machine, a.leave_out, a.command_line,   file_names(a.files)};
  doubt_folds(report, fit);
  if (out)
    write(*out, report,
          machine_part(report, experiment.text, settings,
                       {a.files, a.command_line, a.licence, a.source}));
  if (a.json) fmt::print("{}\n", io::machine_fit_json(report).dump(2));
  else print(report);
  if (out && !a.json) fmt::print("results: {}/report.html\n", a.out);
  return converged ? io::success : io::fit_unfinished;
}

}  // namespace bristle::cli
