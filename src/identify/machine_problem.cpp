// SPDX-License-Identifier: MIT
#include "machine_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/machine/parameters.hpp"
#include "bristle/solve/cancel.hpp"
#include "in_parallel.hpp"

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
    for (auto& input : run.parts.inputs) {
      const auto at = record.inputs.find(input.name);
      if (at == record.inputs.end()) continue;
      input.signal = {};
      input.signal.shape = Signal::samples;
      input.signal.curve = std::make_shared<const SampledCurve>(run.time, at->second);
    }
    for (const auto& [name, values] : record.inputs) {
      std::vector<std::string> names;
      for (const auto& input : parts.inputs) names.push_back(input.name);
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw InvalidInput("input", not_found("input", name, names));
    }
    for (std::size_t i = 0; i < run.time.size(); ++i)
      for (const auto& reading : record.readings) run.measured.push_back(reading[i]);
    for (std::size_t k = 0; k < readings(); ++k)
      noise[k] = std::max(noise[k], 0.02 * range_of(record.readings[k]));
    std::vector<double> widths;
    for (std::size_t i = 1; i < run.time.size(); ++i)
      widths.push_back(run.time[i] - run.time[i - 1]);
    std::nth_element(widths.begin(), widths.begin() + long(widths.size() / 2), widths.end());
    run.step = widths[widths.size() / 2];
    run.fitted = std::size_t(std::max(4.0, double(run.time.size()) * (1.0 - options.hold_out)));
    run.fitted = std::min(run.fitted, run.time.size());
    runs_.push_back(std::move(run));
  }
  for (double& size : noise)
    if (!(size > 0.0)) size = 1.0;
  for (std::size_t k = 0; k < runs.size(); ++k) add_starts(k, runs[k]);
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
    u.logarithmic = low >= 0.0 && value > 0.0;
    u.guess = value;
    u.unit = u.logarithmic ? 1.0 : std::max(std::abs(value), 1e-3);
    // Nothing that is measured tells thirty decades apart.
    u.lower = u.logarithmic ? std::log(std::max(low, value * 1e-15))
                            : std::max((low - value) / u.unit, -1e12);
    u.upper = u.logarithmic ? std::log(std::min(high, value * 1e15))
                            : std::min((high - value) / u.unit, 1e12);
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
  // Gears tie the starts of bodies, which then stay as measured or given.
  const bool tied = machine.coordinates() < int(run.parts.bodies.size());
  for (auto& body : run.parts.bodies) {
    const auto at = position.find(body.name);
    const double x = at != position.end() ? at->second : body.body.position + shift;
    const auto moving = velocity.find(body.name);
    const double v = moving != velocity.end() ? moving->second : body.body.velocity;
    if (tied) continue;
    body.body.position = x, body.body.velocity = v;
    const auto size = [&](const auto& map, double other) {
      const auto own = map.find(body.name);
      return own != map.end() && own->second > 0.0 ? own->second : other;
    };
    add("body." + body.name + ".position", x, size(length, way), false);
    add("body." + body.name + ".velocity", v, size(speed, pace), false);
  }
  for (std::size_t c = 0; c < machine.contacts.size(); ++c)
    if (machine.contacts[c].state >= 0 && !machine.contacts[c].block)
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

bool MachineProblem::read_exactly(std::span<const double> x, std::size_t k,
                                  std::span<const double> times,
                                  std::vector<double>& values) const {
  const Status status = read_machine(Machine(parts_at(x, int(k))), options_.readings, times,
                                     options_.tolerance, values);
  if (status == Status::cancelled) stop_if_asked();
  return status == Status::done;
}

std::vector<double> MachineProblem::predict(std::span<const double> x, std::size_t k) const {
  const OneRun& run = runs_[k];
  std::vector<double> values;
  if (exact) {
    read_exactly(x, k, run.time, values);
    return values;
  }
  Rollout rollout(Machine(parts_at(x, int(k))), options_.readings);
  rollout.run(run.time, run.step / steps, values);
  return values;
}

// Derivatives with respect to the unknowns of a run, by central differences of exact runs.
bool MachineProblem::differences(std::span<const double> x, std::size_t k,
                                 const std::vector<std::size_t>& own,
                                 std::vector<double>& slopes) const {
  const auto times = std::span(runs_[k].time).first(runs_[k].fitted);
  const std::size_t rows = times.size() * readings(), count = own.size();
  slopes.assign(rows * count, 0.0);
  std::atomic<bool> fine{true};
  in_parallel(int(count), threads, [&](int j) {
    const std::size_t i = own[std::size_t(j)];
    // Far above the error of a run, far below where curvature matters.
    constexpr double width = 1e-3;
    std::vector<double> sides[2], at(x.begin(), x.end());
    double to = std::min(x[i] + width, unknowns[i].upper);
    double from = std::max(x[i] - width, unknowns[i].lower);
    bool good = true;
    try {
      at[i] = to;
      good = read_exactly(at, k, times, sides[1]);
      at[i] = from;
      good = good && read_exactly(at, k, times, sides[0]);
    } catch (const InvalidInput&) {
      good = false;
    }
    if (!good) {
      fine = false;
      return;
    }
    for (std::size_t r = 0; r < rows; ++r)
      slopes[r * count + std::size_t(j)] = (sides[1][r] - sides[0][r]) / (to - from);
  });
  return fine;
}

double MachineProblem::add_run(std::span<const double> x, std::size_t k,
                               NormalEquations* equations) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const OneRun& run = runs_[k];
  std::vector<double> values, slopes, row;
  std::vector<std::size_t> own;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    if (unknowns[i].run < 0 || unknowns[i].run == int(k))
      own.push_back(i), names.push_back(unknowns[i].name);
  const auto times = std::span(run.time).first(run.fitted);
  try {
    if (exact) {
      if (!read_exactly(x, k, times, values)) return nan;
      if (equations && !differences(x, k, own, slopes)) return nan;
    } else {
      if (!equations) names.clear();
      Rollout rollout(Machine(parts_at(x, int(k))), options_.readings, names);
      if (follow > 0.0) rollout.follow(follow, run.measured);
      const Status status =
          rollout.run(times, run.step / steps, values, equations ? &slopes : nullptr);
      if (status == Status::cancelled) stop_if_asked();
      if (status != Status::done) return nan;
      // With respect to the unknowns, not the values.
      for (std::size_t i = 0; equations && i < slopes.size(); ++i) {
        const std::size_t j = own[i % own.size()];
        slopes[i] *= unknowns[j].slope(x[j]);
      }
    }
  } catch (const InvalidInput&) {
    return nan;  // such as a static force below the Coulomb force
  }
  double sum = 0.0;
  row.resize(own.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double measured = run.measured[i];
    if (!std::isfinite(measured)) continue;
    const double per = 1.0 / noise[i % readings()];
    const double off = (values[i] - measured) * per;
    sum += 0.5 * off * off;
    if (!equations) continue;
    for (std::size_t j = 0; j < own.size(); ++j) row[j] = per * slopes[i * own.size() + j];
    for (std::size_t a = 0; a < own.size(); ++a) {
      equations->gradient[own[a]] += row[a] * off;
      for (std::size_t b = 0; b <= a; ++b)
        equations->at(int(own[a]), int(own[b])) += row[a] * row[b];
    }
  }
  return sum;
}

double MachineProblem::cost(std::span<const double> x, NormalEquations* equations) const {
  const std::size_t n = unknowns.size();
  if (equations) equations->reset(int(n));
  double sum = 0.0;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    stop_if_asked();
    sum += add_run(x, k, equations);
    if (!std::isfinite(sum)) return sum;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!unknowns[i].prior) continue;
    sum += 0.5 * x[i] * x[i];
    if (equations) equations->gradient[i] += x[i], equations->at(int(i), int(i)) += 1.0;
  }
  if (equations)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b)
        equations->at(int(b), int(a)) = equations->at(int(a), int(b));
  return sum;
}

}  // namespace bristle::detail
