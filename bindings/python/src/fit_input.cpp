// SPDX-License-Identifier: MIT
#include "fit_input.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/ensemble/parallel.hpp"
#include "bristle/identify/force_sign.hpp"
#include "bristle/io/condition_columns.hpp"
#include "bristle/model/load_dependence.hpp"

namespace bristle::python {
namespace {

std::string mechanism_of(const py::dict& options) {
  const auto name = option<std::string>(options, "mechanism", "");
  const auto known = rolled_mechanisms();
  if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end())
    throw InvalidInput("mechanism", not_found("mechanism", name, known));
  return name;
}

void take_terms(const py::dict& given, FitOptions& o) {
  for (const auto& name : option(given, "terms", std::vector<std::string>{})) {
    if (name == "inertia") o.terms.inertia = true;
    else if (name == "gravity") o.terms.gravity = true;
    else if (name == "viscous") o.terms.viscous = true;
    else if (name == "offset") o.offset = true;
    else if (name != "friction")
      throw InvalidInput(
          "terms", "terms: " + not_found("term", name,
                                         {"inertia", "gravity", "offset", "viscous", "friction"}));
  }
}

// Dependences as the command names them, NAME=COLUMN:FORM.
std::vector<DependOption> depends_in(const py::dict& given) {
  std::vector<DependOption> all;
  for (const auto& text : option(given, "depends", std::vector<std::string>{})) {
    try {
      all.push_back(io::depend_option(text));
    } catch (const InvalidInput& error) {
      throw InvalidInput("depends", "depends = " + text + ": " + error.what());
    }
  }
  return all;
}

// A part of each run, or the names of runs.
void take_held_out(const py::dict& given, FitOptions& o) {
  if (!given.contains("hold_out")) return;
  const py::object held = given["hold_out"];
  if (py::isinstance<py::list>(held) || py::isinstance<py::tuple>(held))
    o.hold_out_runs = cast_as<std::set<std::string>>(held, "hold_out");
  else Given(given).take("hold_out", o.hold_out, 0.0, 0.9);
}

void take_rollout(const py::dict& given, FitOptions& o) {
  o.rollout.mechanism = mechanism_of(given);
  const auto output = option<std::string>(given, "output", "position");
  if (output != "position" && output != "velocity")
    throw InvalidInput(
        "output", "output = " + output + " is not allowed, it must be one of position, velocity");
  o.rollout.output = output == "velocity" ? FitOutput::velocity : FitOutput::position;
  Given(given).take("steps", o.rollout.steps, 1, 10000);
  if (!o.rollout.mechanism.empty() && (o.terms.any() || o.steady))
    throw InvalidInput("mechanism",
                       "mechanism: motion under an input is fitted, so neither terms "
                       "nor steady have a meaning beside it");
}

}  // namespace

FitOptions fit_options_from(const py::dict& given) {
  FitOptions o;
  o.threads = std::clamp(available_threads(), 1, 16);
  Given options(given);
  options.take("offset", o.offset);
  options.take("asymmetric", o.asymmetric);
  options.take("steady", o.steady);
  options.take("robust", o.robust);
  options.take("backlash", o.backlash);
  options.take("starts", o.starts, 0, 100000);
  options.take("refined", o.refined, 1, 100000);
  options.take("seed", o.seed);
  options.take("repetitions", o.repetitions, 0, 100000);
  options.take("threads", o.threads, 1, 1024);
  options.take("free", o.free);
  options.take("guess", o.guess);
  options.take("bounds", o.bounds);
  o.depends = depends_in(given);
  take_held_out(given, o);
  take_terms(given, o);
  take_rollout(given, o);
  return o;
}

FitInput input_from(const py::list& runs, const std::vector<std::string>& conditions) {
  FitInput input;
  for (const std::string& name : conditions) input.conditions.push_back({name, ""});
  for (const auto& one : runs) {
    const auto columns = py::cast<py::dict>(one);
    Record record;
    record.name = std::to_string(input.records.size() + 1);
    const std::pair<const char*, std::vector<double>*> known[]{
        {"time", &record.time},   {"position", &record.position}, {"velocity", &record.velocity},
        {"force", &record.force}, {"load", &record.load},         {"input", &record.input}};
    for (const auto& [name, values] : known)
      if (columns.contains(name)) *values = numbers_from(columns[name], name);
    for (const std::string& name : conditions) {
      if (!columns.contains(name))
        throw InvalidInput("depends", "run " + record.name + " has no column " + name);
      record.others.push_back(numbers_from(columns[name.c_str()], name));
    }
    if (!record.input.empty()) record.input_time = record.time;
    input.records.push_back(std::move(record));
  }
  return input;
}

FitInput input_of_files(const std::vector<std::string>& files, const py::dict& columns,
                        const py::dict& options) {
  io::MeasurementChoice choice;
  choice.time = option(columns, "time", choice.time);
  choice.position = option(columns, "position", choice.position);
  choice.velocity = option(columns, "velocity", choice.velocity);
  choice.force = option(columns, "force", choice.force);
  choice.load = option(columns, "load", choice.load);
  choice.input = option(columns, "input", choice.input);
  choice.run = option(columns, "run", choice.run);
  choice.where = option(columns, "where", choice.where);
  choice.from = option(columns, "start", choice.from);
  choice.to = option(columns, "end", choice.to);
  choice.skip = option(columns, "skip", choice.skip);
  choice.join = option(columns, "join", choice.join);
  choice.from_start = option<std::string>(columns, "clock", "same") == "start";
  choice.steady = option(options, "steady", false);
  choice.beside = io::condition_columns(depends_in(options));
  if (const std::string mechanism = mechanism_of(options); !mechanism.empty()) {
    const auto [name, unit] = rolled_input(mechanism);
    if (choice.input.empty())
      throw InvalidInput("columns", "columns: mechanism " + mechanism +
                                        " needs input, the column of its " + name + " [" + unit +
                                        "]");
    choice.motion = true;
    choice.input_unit = unit;
  }
  io::Measurement measurement = io::read_measurement(files, choice);
  const auto conditions = io::conditions_of(measurement);
  return {std::move(measurement.records), measurement.units, std::move(measurement.notes), files,
          conditions};
}

Preparing::Preparing(const py::dict& options) {
  const auto differentiate = option<std::string>(options, "differentiate", "parabola");
  if (differentiate != "parabola" && differentiate != "central")
    throw InvalidInput("differentiate", "differentiate = " + differentiate +
                                            " is not allowed, it must be one of parabola, central");
  double bandwidth = 0.0;
  Given(options).take("bandwidth", bandwidth, 0.0, 1e12);
  prepare = {.bandwidth = bandwidth,
             .differentiator =
                 differentiate == "central" ? Differentiator::central : Differentiator::parabola,
             .smooth = option(options, "smooth", true),
             .steady = option(options, "steady", false),
             .motion = !mechanism_of(options).empty()};
  if (!options.contains("delay")) return;
  const py::object given = options["delay"];
  find_delay = py::isinstance<py::str>(given);
  if (find_delay && text_from(given, "delay") != "auto")
    throw InvalidInput("delay", "delay = " + text_from(given, "delay") +
                                    " is not allowed, it must be a time in seconds or auto");
  Given times(options);
  if (!find_delay) times.take("delay", delay, -1e9, 1e9);
  times.take("longest_delay", longest, 0.0, 1e9);
  if (prepare.steady || prepare.motion)
    throw InvalidInput("delay", "delay: is for a force along a measured motion");
}

std::vector<Track> Preparing::runs(const std::vector<Record>& records) const {
  std::vector<Track> all;
  for (const Record& record : records)
    all.push_back(bristle::prepare(delay != 0.0 ? delayed(record, delay) : record, prepare));
  return all;
}

void apply_drive(const py::dict& options, FitInput& input) {
  double gear = 1.0, constant = 1.0;
  Given given(options);
  given.take("gear", gear);
  given.take("motor_constant", constant);
  if (option(options, "rotation", false)) input.units = {"N m", "rad"};
  for (const auto& [name, value] : {std::pair{"gear", gear}, {"motor_constant", constant}})
    if (!std::isfinite(value) || value == 0.0)
      throw InvalidInput(name, std::string(name) + " = " + words(value) +
                                   " is not allowed, it must be finite and not 0");
  if (gear == 1.0 && constant == 1.0) return;
  if (!mechanism_of(options).empty())
    throw InvalidInput("gear",
                       "gear and motor_constant are for a measured force or torque, "
                       "mechanism is for motion under an input");
  for (Record& r : input.records) {
    for (auto* column : {&r.position, &r.velocity})
      for (double& x : *column) x /= gear;
    for (double& f : r.force) f *= constant * gear;
  }
}

namespace {

std::pair<double, double> range_of_load(const std::vector<Record>& records) {
  std::pair<double, double> range{INFINITY, -INFINITY};
  for (const Record& r : records)
    for (const double load : r.load)
      range = {std::min(range.first, load), std::max(range.second, load)};
  return range;
}

}  // namespace

void weigh_load(const std::string& law, FitInput& input, FitOptions& options) {
  const bool loaded = std::any_of(input.records.begin(), input.records.end(),
                                  [](const Record& r) { return !r.load.empty(); });
  if (loaded && options.terms.any()) {
    if (!law.empty() && depends_on_load(law))
      throw InvalidInput("load", "load: with terms it is a payload, and " + law +
                                     " takes a load for that of the contact: choose another law");
    options.terms.payload = true;
  } else if (loaded && (law.empty() || !depends_on_load(law))) {
    if (!law.empty()) {
      input.unused_load = range_of_load(input.records);
      input.notes.push_back("load: not used, the force of " + law + " does not depend on it");
    }
    io::keep_load(input.records, "load", "N", law.empty(), input.conditions);
    if (!law.empty())
      for (Record& r : input.records) r.load.clear();
  }
  options.conditions = input.conditions;
}

std::string sign_doubt(const std::vector<Track>& runs) {
  const ForceSign sign = force_sign(runs);
  if (!sign.reversed()) return "";
  return "the force opposes the motion in " + words(std::round(100.0 * sign.opposing)) +
         " % of the sliding samples: is its sign reversed?";
}

}  // namespace bristle::python
