// SPDX-License-Identifier: MIT
#include "machine_problem.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/machine/parameters.hpp"

namespace bristle::detail {
namespace {

constexpr double huge = 1e300;
constexpr double start_units = 30.0;  // how far a start may be from its guess

double range_of(const std::vector<double>& values) {
  double low = huge, high = -huge;
  for (const double v : values)
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  return high > low ? high - low : 0.0;
}

// The power of a force in a unit such as "N s/m" or "kg m2".
double force_power(std::string_view unit) {
  const bool above = unit.starts_with("N") || unit.starts_with("kg");
  return above && unit.find("per unit") == std::string_view::npos ? 1.0
         : unit.find("/(N") != std::string_view::npos             ? -1.0
                                                                  : 0.0;
}

void check(const MachineRecord& run, const MachineFitOptions& options) {
  const auto refuse = [&](const std::string& field, const std::string& sentence) {
    throw InvalidInput(field, "run " + run.name + ": " + sentence);
  };
  const std::size_t n = run.time.size();
  if (n < 4) refuse("time", "has " + std::to_string(n) + " samples, it must have at least 4");
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(run.time[i]) || (i > 0 && !(run.time[i] > run.time[i - 1])))
      refuse("time", "time must increase, sample " + std::to_string(i + 1) + " is at " +
                         words(run.time[i]) + " s");
  if (run.readings.size() != options.readings.size())
    refuse("readings", "has " + std::to_string(run.readings.size()) + " readings for " +
                           std::to_string(options.readings.size()) + " that are asked for");
  for (std::size_t k = 0; k < run.readings.size(); ++k)
    if (run.readings[k].size() != n)
      refuse("readings", "reading of " + options.readings[k].body + " has " +
                             std::to_string(run.readings[k].size()) + " numbers for " +
                             std::to_string(n) + " times");
  for (const auto& [name, values] : run.inputs)
    if (values.size() != n)
      refuse("inputs", "input " + name + " has " + std::to_string(values.size()) + " numbers for " +
                           std::to_string(n) + " times");
}

}  // namespace

double MachineUnknown::value(double x) const {
  return logarithmic ? std::exp(x) : guess + unit * x;
}
double MachineUnknown::slope(double x) const { return logarithmic ? std::exp(x) : unit; }
double MachineUnknown::x_of(double value) const {
  return logarithmic ? std::log(value) : (value - guess) / unit;
}

MachineProblem::MachineProblem(const MachineParts& parts, const std::vector<MachineRecord>& runs,
                               const MachineFitOptions& options)
    : options_(options) {
  if (options.steps > 0) steps = options.steps;
  if (runs.empty()) throw InvalidInput("runs", "a fit needs at least one run");
  if (options.readings.empty())
    throw InvalidInput("readings",
                       "a fit needs something that was measured: position or velocity "
                       "of a body");
  if (options.free.empty()) throw InvalidInput("free", "a fit needs at least one free parameter");
  add_shared(parts);
  noise.assign(readings(), 0.0);
  for (const MachineRecord& record : runs) {
    check(record, options);
    OneRun run;
    run.parts = parts;
    for (const double t : record.time) run.time.push_back(t - record.time.front());
    set_parameters(run.parts, record.values);
    take_inputs(record, run);
    for (std::size_t i = 0; i < run.time.size(); ++i)
      for (const auto& reading : record.readings) run.measured.push_back(reading[i]);
    for (std::size_t k = 0; k < readings(); ++k)
      noise[k] = std::max(noise[k], (options.robust ? 0.01 : 0.02) * range_of(record.readings[k]));
    std::vector<double> widths;
    for (std::size_t i = 1; i < run.time.size(); ++i)
      widths.push_back(run.time[i] - run.time[i - 1]);
    std::nth_element(widths.begin(), widths.begin() + long(widths.size() / 2), widths.end());
    run.step = widths[widths.size() / 2];
    run.fitted = std::size_t(std::max(4.0, double(run.time.size()) * (1.0 - options.hold_out)));
    run.fitted = std::min(run.fitted, run.time.size());
    if (options.hold_out_runs.contains(record.name)) run.fitted = 0;
    runs_.push_back(std::move(run));
  }
  for (double& size : noise)
    if (!(size > 0.0)) size = 1.0;
  for (std::size_t k = 0; k < runs.size(); ++k) add_starts(k, runs[k]);
  measured_force_ = std::all_of(runs.begin(), runs.end(), [&](const MachineRecord& run) {
    return std::any_of(parts.inputs.begin(), parts.inputs.end(),
                       [&](const InputPart& input) { return run.inputs.contains(input.name); });
  });
  only_fixed_ = !Machine(runs_[0].parts).only_fixed.empty();
  std::vector<std::string> names;
  for (const auto& run : runs) names.push_back(run.name);
  for (const auto& name : options.hold_out_runs)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InvalidInput("hold_out", not_found("run", name, names));
  if (std::all_of(runs_.begin(), runs_.end(), [](const OneRun& run) { return run.fitted == 0; }))
    throw InvalidInput("hold_out", "all runs are held out, none is left to be fitted");
}

// Puts the measured signals where they act.
void MachineProblem::take_inputs(const MachineRecord& record, OneRun& run) const {
  std::vector<std::string> known;
  std::map<std::string, Signal*> places;
  for (auto& input : run.parts.inputs) places[input.name] = &input.signal;
  for (auto& part : run.parts.couplings) {
    const auto names = part.coupling->signal_names();
    const auto rest = part.coupling->signal_rest();
    while (part.signals.size() < names.size()) {
      Signal constant;
      constant.shape = Signal::ramp;
      constant.offset = rest[part.signals.size()];
      part.signals.push_back(constant);
    }
    for (std::size_t k = 0; k < names.size(); ++k)
      places[part.name + "." + std::string(names[k])] = &part.signals[k];
  }
  for (const auto& place : places) known.push_back(place.first);
  for (const auto& [name, values] : record.inputs) {
    const auto at = places.find(name);
    if (at == places.end()) throw InvalidInput("input", not_found("input", name, known));
    Signal& signal = *at->second;
    signal = {};
    signal.shape = Signal::samples;
    signal.curve = std::make_shared<const SampledCurve>(run.time, values);
  }
}

void MachineProblem::add_shared(const MachineParts& parts) {
  const auto table = parameters_of(parts);
  std::vector<std::string> names;
  for (const auto& one : table)
    if (one.numeric && std::holds_alternative<double>(one.value)) names.push_back(one.field.name);
  for (const auto& name : options_.free) {
    const auto at = std::find_if(table.begin(), table.end(),
                                 [&](const auto& one) { return one.field.name == name; });
    if (at == table.end() || std::find(names.begin(), names.end(), name) == names.end())
      throw InvalidInput("free", not_found("parameter", name, names));
    MachineUnknown u;
    u.name = name;
    double value = std::get<double>(at->value);
    if (const auto given = options_.guess.find(name); given != options_.guess.end())
      value = given->second;
    double low = at->field.bounds.lower, high = at->field.bounds.upper;
    if (const auto given = options_.bounds.find(name); given != options_.bounds.end())
      std::tie(low, high) = given->second;
    if (!(value >= low && value <= high))
      throw InvalidInput(name, name + " starts at " + words(value) + ", it must be from " +
                                   words(low) + " to " + words(high));
    // Parts of something, such as an efficiency, are searched as they are.
    u.logarithmic = low >= 0.0 && value > 0.0 && !(high < huge);
    u.guess = value;
    u.unit = u.logarithmic ? 1.0 : std::max(std::abs(value), 1e-3);
    // Nothing that is measured tells thirty decades apart.
    u.lower = u.logarithmic ? std::log(std::max(low, value * 1e-15))
                            : std::max((low - value) / u.unit, -1e12);
    u.upper = u.logarithmic ? std::log(std::min(high, value * 1e15))
                            : std::min((high - value) / u.unit, 1e12);
    u.force = force_power(at->field.unit);
    // Between two bounds starts are looked for half way to both.
    if (low > -huge && high < huge) u.range = 1e300;
    unknowns.push_back(u);
  }
  shared = unknowns.size();
}

void MachineProblem::add_starts(std::size_t k, const MachineRecord& record) {
  OneRun& run = runs_[k];
  const Machine machine(run.parts);
  // Where the bodies are at the start: as measured, and the others as far from where the machine
  // has them.
  double shift = 0.0;
  int known = 0;
  std::map<std::string, double> position, velocity, length, speed;
  for (std::size_t r = 0; r < readings(); ++r) {
    const auto& reading = options_.readings[r];
    const double first = record.readings[r].front();
    const double size = range_of(record.readings[r]);
    if (reading.velocity) {
      if (std::isfinite(first)) velocity[reading.body] = first;
      speed[reading.body] = 0.02 * size;
      continue;
    }
    if (std::isfinite(first)) {
      position[reading.body] = first;
      for (const auto& body : run.parts.bodies)
        if (body.name == reading.body) shift += first - body.body.position, ++known;
    }
    length[reading.body] = 0.02 * size;
    const double slope = (record.readings[r][1] - first) / (run.time[1] - run.time[0]);
    if (std::isfinite(slope)) velocity.try_emplace(reading.body, slope);
    speed.try_emplace(reading.body, 0.1 * size / run.time.back() + 0.5 * std::abs(slope));
  }
  if (known > 0) shift /= known;
  double way = 0.0, pace = 0.0;
  for (const auto& [body, size] : length) way = std::max(way, size);
  for (const auto& [body, size] : speed) pace = std::max(pace, size);
  if (!(way > 0.0)) way = pace * run.time.back();
  if (!(pace > 0.0)) pace = way / run.time.back();
  const auto add = [&](const std::string& name, double guess, double unit, bool prior) {
    MachineUnknown u;
    u.name = name, u.run = int(k);
    u.guess = guess, u.unit = unit > 0.0 ? unit : 1e-6;
    u.lower = -start_units, u.upper = start_units, u.prior = prior;
    unknowns.push_back(u);
  };
  // Gears tie the starts of bodies, which then are as measured, or given.
  const bool tied = machine.coordinates() < int(run.parts.bodies.size());
  for (std::size_t b = 0; tied && b < run.parts.bodies.size(); ++b) {
    const auto at = position.find(run.parts.bodies[b].name);
    if (at == position.end()) continue;
    const auto own = machine.row_of_body(b).coordinates[0];
    const double moved = at->second - run.parts.bodies[b].body.position;
    for (std::size_t k2 = 0; k2 < run.parts.bodies.size(); ++k2) {
      const auto other = machine.row_of_body(k2).coordinates[0];
      if (other.index == own.index)
        run.parts.bodies[k2].body.position += other.weight / own.weight * moved;
    }
  }
  const bool fitted = options_.free_start && run.fitted > 0;
  for (auto& body : run.parts.bodies) {
    const auto at = position.find(body.name);
    const double x = at != position.end() ? at->second : body.body.position + shift;
    const auto moving = velocity.find(body.name);
    const double v = moving != velocity.end() ? moving->second : body.body.velocity;
    if (tied) continue;
    body.body.position = x;
    if (options_.free_start) body.body.velocity = v;
    if (!fitted) continue;
    const auto size = [&](const auto& map, double other) {
      const auto own = map.find(body.name);
      return own != map.end() && own->second > 0.0 ? own->second : other;
    };
    add("body." + body.name + ".position", x, size(length, way), false);
    add("body." + body.name + ".velocity", v, size(speed, pace), false);
  }
  for (std::size_t c = 0; c < machine.contacts.size(); ++c)
    if (fitted && machine.contacts[c].state >= 0 && !machine.contacts[c].block)
      add("contact." + run.parts.contacts[c].name + ".state", 0.0,
          machine.contacts[c].law->state_scale(), true);
}

std::vector<double> MachineProblem::start() const {
  std::vector<double> x;
  for (const auto& u : unknowns) x.push_back(u.x_of(u.guess));
  return x;
}

MachineParts MachineProblem::parts_at(std::span<const double> x, int run) const {
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    if (unknowns[i].run < 0 || unknowns[i].run == run)
      values[unknowns[i].name] = unknowns[i].value(x[i]);
  MachineParts parts = runs_[std::size_t(std::max(run, 0))].parts;
  set_parameters(parts, values);
  return parts;
}

}  // namespace bristle::detail
