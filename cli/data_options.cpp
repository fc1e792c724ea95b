// SPDX-License-Identifier: MIT
#include "data_options.hpp"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <thread>

#include "bristle/identify/force_sign.hpp"
#include "bristle/io/condition_columns.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/model/load_dependence.hpp"
#include "bristle/model/registry.hpp"
#include "data_conditions.hpp"
#include "data_delay.hpp"
#include "data_torque.hpp"
#include "numbers.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

std::pair<std::string, std::string> halves(const std::string& text, const std::string& option) {
  const auto at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw io::InputError(option + " " + text +
                         ": must read NAME=" + (option == "--bound" ? "LOW:HIGH" : "VALUE"));
  return {text.substr(0, at), text.substr(at + 1)};
}

double number(const std::string& text, const std::string& where) {
  const auto value = io::number_in(text);
  if (!value) throw io::InputError(where + ": '" + text + "' must be a number");
  return *value;
}

std::string mechanism_names() {
  std::string all;
  for (const auto& name : rolled_mechanisms()) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

void add_data_options(CLI::App& command, DataArguments& a) {
  command
      .add_option(
          "files", a.files,
          "tables (CSV, also .gz, MATLAB, HDF5), one run per file (or see --run and --join)")
      ->required();
  const auto column = [&](const char* name, std::string& into, const char* what) {
    command.add_option(name, into, what)->type_name("COLUMN[:UNIT|FACTOR]");
  };
  column("--time", a.choice.time, "column of time");
  column("--position", a.choice.position, "column of position or angle");
  column("--velocity", a.choice.velocity, "column of velocity; without, made from position");
  column("--force", a.choice.force,
         "column of friction force or torque, with --motor-constant of a current");
  column("--load", a.choice.load, "column of normal force");
  command.add_option("--run", a.choice.run, "column whose values number the runs")
      ->type_name("COLUMN");
  command
      .add_option("--join", a.choice.join,
                  "join all files into one table by this column of time; the other files are "
                  "interpolated at the times of the first")
      ->type_name("COLUMN[:UNIT]");
  command
      .add_option(
          "--clock", a.clock,
          "clock of joined files: same (default), or start: each file counts from its first row")
      ->type_name("WORD")
      ->check(one_of({"same", "start"}));
  command.add_option("--skip", a.choice.skip, "lines at the start of each file that are skipped")
      ->type_name("N")
      ->check(a_whole_number(0, 1e9));
  command.add_option("--where", a.choice.where, "only rows with this value; may be repeated")
      ->type_name("COLUMN=VALUE");
  command.add_option("--from", a.choice.from, "first time used, in the unit of its column")
      ->type_name("T")
      ->check(a_number());
  command.add_option("--to", a.choice.to, "last time used, in that unit")
      ->type_name("T")
      ->check(a_number());
  command
      .add_option("--bandwidth", a.bandwidth,
                  "cutoff frequency of the smoothed motion, in place of one chosen by the noise of "
                  "the position; none: the position as measured")
      ->type_name("HZ|none");
  command
      .add_option("--differentiate", a.differentiate,
                  "how a velocity that was not measured is made from the position: parabola "
                  "(default, see --bandwidth) or central differences")
      ->type_name("WORD")
      ->check(one_of({"parabola", "central"}));
  command
      .add_option(
          "--delay", a.delay,
          "delay of the force behind the motion, which is removed; auto: it is estimated from "
          "the data, up to 25 steps or as given")
      ->type_name("S|auto[:S]");
  command.add_flag("--steady", a.choice.steady,
                   "the rows are points of a steady map of velocity and force");
  command.add_flag("--offset", a.offset, "fit a constant beside the force");
  command.add_flag("--asymmetric", a.asymmetric,
                   "let the forces in the two directions differ by a factor");
  command.add_flag("--robust", a.robust, "weigh outliers less (Huber's loss)");
  command
      .add_option("--fix", a.fix,
                  "hold a parameter at a value, or choose a form: NAME=VALUE; may be repeated")
      ->type_name("NAME=VALUE");
  command.add_option("--free", a.free, "fit a parameter that is held otherwise; may be repeated")
      ->type_name("NAME");
  command
      .add_option("--hold-out", a.hold_out,
                  "data held out of the fit: a fraction of each run such as 0.3, or names of runs")
      ->type_name("PART|RUN");
  command
      .add_option("--starts", a.starts,
                  "starting points of the search, default 256, of a machine 64")
      ->type_name("N")
      ->check(a_whole_number(0, 100000));
  command.add_option("--seed", a.seed, "seed of the starting points, default 1")
      ->type_name("N")
      ->check(a_whole_number(0, 1e9));
}

void add_motion_options(CLI::App& command, DataArguments& a) {
  command
      .add_option("--mechanism", a.mechanism,
                  "fit motion: simulate this mechanism under --input (" + mechanism_names() + ")")
      ->type_name("NAME");
  command
      .add_option("--input", a.choice.input,
                  "column of the input of the mechanism: force, torque, position, command or goal")
      ->type_name("COLUMN[:UNIT]");
  command
      .add_option("--output", a.output,
                  "what the simulation is compared with: position (default) or velocity")
      ->type_name("WORD")
      ->check(one_of({"position", "velocity"}));
  command.add_option("--steps", a.steps, "steps of the simulation per sample, default 4")
      ->type_name("N")
      ->check(a_whole_number(1, 10000));
}

namespace {

// A fit of motion needs other columns than one of force.
io::MeasurementChoice choice_of(const DataArguments& a) {
  io::MeasurementChoice choice = a.choice;
  choose_torque(a, choice);
  if (!a.clock.empty() && choice.join.empty())
    throw io::InputError("--clock " + a.clock + ": has no meaning without --join");
  choice.from_start = a.clock == "start";
  choose_conditions(a, choice);
  if (a.mechanism.empty()) {
    if (!choice.input.empty())
      throw io::InputError("--input " + choice.input +
                           ": needs --mechanism, the one that is driven by it (" +
                           mechanism_names() + ")");
    return choice;
  }
  if (choice.input.empty()) {
    const auto [name, unit] = rolled_input(a.mechanism);
    throw io::InputError("--mechanism " + a.mechanism + ": needs --input, the column of its " +
                         name + " [" + unit + "]");
  }
  if (choice.steady)
    throw io::InputError("--steady and --mechanism exclude each other: a map has no motion");
  if (!choice.force.empty())
    throw io::InputError("--force and --mechanism exclude each other: motion is fitted, not force");
  choice.motion = true;
  choice.input_unit = rolled_input(a.mechanism).second;
  return choice;
}

// The bandwidth asked for, 0 for none.
double bandwidth_of(const DataArguments& a) {
  if (a.bandwidth.empty() || a.bandwidth == "none") return 0.0;
  const std::string where = "--bandwidth " + a.bandwidth;
  const auto value = io::number_in(a.bandwidth);
  if (!value || !std::isfinite(*value) || *value < 0.0)
    throw io::InputError(where + ": must be a frequency in Hz, or none for the motion as measured");
  if (a.choice.steady) throw io::InputError(where + ": has no part in a steady map");
  return *value;
}

// What the output is compared with must have been measured.
void check_output(const DataArguments& a, const io::Measurement& m) {
  for (const Record& r : m.records) {
    const bool there = a.output == "position" ? !r.position.empty() : !r.velocity.empty();
    if (!there)
      throw io::InputError("--output " + a.output + ": run " + r.name + " has no column of " +
                           a.output + ", name it by --" + a.output);
  }
}

}  // namespace

void check_mechanism(const std::string& mechanism) {
  const auto known = rolled_mechanisms();
  if (!mechanism.empty() && std::find(known.begin(), known.end(), mechanism) == known.end())
    throw InvalidInput("mechanism", not_found("mechanism", mechanism, known));
}

std::string file_names(const std::vector<std::string>& paths) {
  std::string all;
  for (const auto& path : paths)
    all += (all.empty() ? "" : ", ") + io::utf8(std::filesystem::path(path).filename().string());
  return all;
}

std::pair<std::string, double> named_number(const std::string& text, const char* option) {
  const auto [name, value] = halves(text, option);
  return {name, number(value, std::string(option) + " " + text)};
}

std::pair<std::string, std::pair<double, double>> named_range(const std::string& text) {
  const auto [name, range] = halves(text, "--bound");
  const auto colon = range.find(':');
  if (colon == std::string::npos)
    throw io::InputError("--bound " + text + ": must read NAME=LOW:HIGH");
  return {name,
          {number(range.substr(0, colon), "--bound " + text),
           number(range.substr(colon + 1), "--bound " + text)}};
}

namespace {

// A column of load that the law has no use for.
void weigh_load(const DataArguments& a, const std::string& law, FitInput& input) {
  io::Measurement& m = input.measurement;
  const auto load = std::find_if(m.columns.begin(), m.columns.end(),
                                 [](const io::ColumnReading& r) { return r.role == "load"; });
  if (load == m.columns.end()) return;
  if (!a.terms.empty() && !a.choice.load.empty()) {
    if (!law.empty() && depends_on_load(law))
      throw io::InputError("--load " + a.choice.load + ": with --terms it is a payload, and " +
                           law + " takes a load for that of the contact: choose another law");
    load->remark = "the payload, by its weight";
    return;
  }
  std::string using_it;
  for (const auto& name : fitted_laws())
    if (depends_on_load(name)) using_it += (using_it.empty() ? "" : ", ") + name;
  if (law.empty()) {
    load->remark = "the laws that depend on it are " + using_it;
    io::keep_load(m.records, load->column, load->read_as, true, input.conditions);
    return;
  }
  if (depends_on_load(law)) return;
  if (!a.choice.load.empty())
    throw io::InputError("--load " + a.choice.load + ": the force of " + law +
                         " does not depend on the load (laws that do: " + using_it + ")");
  load->remark = "not used, the force of " + law + " does not depend on it";
  for (Record& r : m.records) {
    if (!r.load.empty()) {
      const auto [least, most] = std::minmax_element(r.load.begin(), r.load.end());
      if (!input.unused_load) input.unused_load = {*least, *most};
      input.unused_load = {std::min(input.unused_load->first, *least),
                           std::max(input.unused_load->second, *most)};
    }
  }
  io::keep_load(m.records, load->column, load->read_as, false, input.conditions);
}

// The option that reads a force with the other sign.
std::string reversing(const DataArguments& a, const io::ColumnReading& force) {
  if (a.motor_constant) return "--motor-constant " + words(-*a.motor_constant);
  const bool reversed = force.unit.starts_with('-');
  const std::string unit = force.unit.empty() ? words(-force.factor)
                           : reversed         ? force.unit.substr(1)
                                              : "-" + force.unit;
  return fmt::format("--force \"{}:{}\"", force.column, unit);
}

void doubt_sign(const DataArguments& a, const std::vector<Track>& runs, FitInput& input) {
  const ForceSign sign = force_sign(runs);
  if (!sign.reversed()) return;
  for (const io::ColumnReading& r : input.measurement.columns)
    if (r.role == "force")
      input.warnings.push_back(fmt::format(
          "the force opposes the motion in {:.0f} % of the sliding samples: is its sign reversed? "
          "{} reverses it",
          100.0 * sign.opposing, reversing(a, r)));
}

}  // namespace

FitInput read_input(const DataArguments& a, const std::string& law) {
  const bool motion = !a.mechanism.empty();
  if (!law.empty()) find_law(law);
  FitInput input{io::read_measurement(a.files, choice_of(a))};
  if (motion) check_output(a, input.measurement);
  apply_gear(a, input.measurement);
  input.conditions = io::conditions_of(input.measurement);
  weigh_load(a, law, input);
  input.name = file_names(a.files);
  const double bandwidth = bandwidth_of(a);
  const DelayAsked delay = delay_of(a);
  if (delay.automatic && law.empty())
    throw io::InputError("--delay " + a.delay +
                         ": a delay is found along one law: find it by bristle fit, and give it "
                         "here in seconds");
  input.preparing = {.bandwidth = bandwidth,
                     .differentiator = a.differentiate == "central" ? Differentiator::central
                                                                    : Differentiator::parabola,
                     .smooth = a.bandwidth.empty() || bandwidth > 0.0,
                     .steady = a.choice.steady,
                     .motion = motion};
  for (auto& record : input.measurement.records) {
    if (delay.automatic) input.records.push_back(record);
    else if (delay.seconds != 0.0) record = delayed(record, delay.seconds);
    input.runs.push_back(prepare(record, input.preparing));
    record = Record{.name = record.name, .group = record.group};  // the run has it all
  }
  if (!motion && a.terms.empty()) doubt_sign(a, input.runs, input);
  return input;
}

void check_contradictions(const DataArguments& a) {
  std::map<std::string, std::string> fixed;
  for (const auto& text : a.fix) {
    const std::string name = halves(text, "--fix").first;
    if (const auto [other, fresh] = fixed.try_emplace(name, text); !fresh)
      throw io::InputError("--fix " + other->second + " and --fix " + text +
                           " contradict each other: both hold " + name);
  }
  const auto check = [&](const std::vector<std::string>& all, const std::string& option,
                         bool named) {
    std::map<std::string, std::string> seen;
    for (const auto& text : all) {
      const std::string name = named ? text : halves(text, option).first;
      const auto held = fixed.find(name);
      if (held != fixed.end())
        throw io::InputError("--fix " + held->second + " and " + option + " " + text +
                             " contradict each other: " + name + " is held and not fitted");
      const auto [other, fresh] = seen.try_emplace(name, text);
      if (!fresh && other->second != text)
        throw io::InputError(option + " " + other->second + " and " + option + " " + text +
                             " contradict each other");
    }
  };
  check(a.free, "--free", true);
  check(a.guess, "--guess", false);
  check(a.bound, "--bound", false);
}

void print_columns(const io::Measurement& measurement) {
  for (const io::ColumnReading& r : measurement.columns) fmt::print("  {}\n", r.words());
}

FitOptions fit_options(const DataArguments& a, std::string_view law, const FitInput& input) {
  FitOptions o;
  o.terms = terms_of(a, &o.offset);
  o.offset = o.offset || a.offset;
  o.asymmetric = a.asymmetric, o.robust = a.robust, o.backlash = a.backlash;
  for (const auto& text : a.depends) o.depends.push_back(depend_option(text));
  o.steady = a.choice.steady;
  o.rollout.mechanism = a.mechanism;
  o.rollout.output = a.output == "velocity" ? FitOutput::velocity : FitOutput::position;
  o.rollout.steps = a.steps.value_or(4);
  o.starts = a.starts.value_or(256);
  o.seed = unsigned(a.seed);
  o.threads = int(std::clamp(std::thread::hardware_concurrency(), 1u, 16u));
  o.solver.stop = interrupted;
  std::vector<std::string> runs;
  for (const Track& run : input.runs) runs.push_back(run.name);
  for (const auto& part : a.hold_out) {
    const auto value = io::number_in(part);
    if (std::find(runs.begin(), runs.end(), io::utf8(part)) != runs.end())
      o.hold_out_runs.insert(io::utf8(part));
    else if (!value || !(*value >= 0.0 && *value <= 0.9))
      throw io::InputError(
          "--hold-out " + part +
          ": must be a fraction of each run from 0 to 0.9, or the name of a run; " +
          not_found("run", io::utf8(part), runs));
    else o.hold_out = *value;
  }
  if (law.empty()) return o;
  const Description& description = find_law(law).description;
  const auto is_choice = [&](const std::string& name) {
    for (const auto& f : description.fields)
      if (f.name == name) return !f.choices.empty();
    return false;
  };
  for (const auto& text : a.fix) {
    const auto [name, value] = halves(text, "--fix");
    if (name.starts_with(mechanism_prefix) && !a.mechanism.empty())
      o.rollout.values[name.substr(mechanism_prefix.size())] = number(value, "--fix " + text);
    else if (is_choice(name)) o.values[name] = value;
    else o.values[name] = number(value, "--fix " + text);
  }
  for (const auto& name : a.free) o.free.insert(name);
  for (const auto& text : a.guess) {
    const auto [name, value] = named_number(text, "--guess");
    for (const auto& f : description.fields)
      if (f.name == name && f.held && !o.free.contains(name))
        throw io::InputError("--guess " + text + ": " + name +
                             " is held and not fitted; fit it with --free " + name +
                             ", or hold it elsewhere with --fix " + text);
    o.guess[name] = value;
  }
  for (const auto& text : a.bound) o.bounds.insert(named_range(text));
  return o;
}

}  // namespace bristle::cli
