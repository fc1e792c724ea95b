// SPDX-License-Identifier: MIT
// Parameters of a fit from the table of fields, and where to look for them from units and data.
#include <algorithm>
#include <cmath>

#include "bristle/identify/fit.hpp"
#include "bristle/model/registry.hpp"
#include "law_kernel.hpp"
#include "make_rollout.hpp"
#include "search_range.hpp"

namespace bristle {
namespace {

struct Range {
  double from, to;
};

Range power(Range r, int p) {
  if (p == 0) return {1.0, 1.0};
  const double a = std::pow(r.from, p), b = std::pow(r.to, p);
  return {std::min(a, b), std::max(a, b)};
}
Range times(Range a, Range b) { return {a.from * b.from, a.to * b.to}; }

}  // namespace

Dimensions dimensions_of(std::string_view unit) {
  Dimensions d;
  int side = 1;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const char c = unit[i];
    if (c == '/') side = -1;
    int power = side;
    if (i + 1 < unit.size() && unit[i + 1] >= '2' && unit[i + 1] <= '9') power *= unit[i + 1] - '0';
    if (c == 'N') d.force += power;
    else if (c == 'm' || unit.substr(i, 3) == "rad") d.length += power, i += c == 'r' ? 2 : 0;
    else if (c == 's') d.time += power;
  }
  return d;
}

// N^a m^b s^c is a force to the a, a speed to the -c and a length to the b + c.
std::pair<double, double> search_range(std::string_view name, std::string_view unit,
                                       const Bounds& bounds, const DataScales& data) {
  const Range force{0.02 * data.force, 3.0 * data.force};
  const Range speed{0.3 * data.slowest, data.fastest};
  const Range length{data.shortest, data.longest};
  const double load = std::max(std::abs(data.load), 1e-300);
  if (unit.starts_with('('))  // a power of one over a speed, up to the square
    return {0.0, std::clamp(1.0 / (speed.from * speed.from), bounds.lower, bounds.upper)};
  const Dimensions d = dimensions_of(unit);
  // What resists speed must not exceed the forces at the top speed.
  const bool resists = d.time > 0 && d.length + d.time == 0;
  if (resists) {
    const double most =
        3.0 * data.force / std::pow(data.fastest, d.time) / (d.force == 0 ? load : 1.0);
    return {std::clamp(1e-4 * most, bounds.lower, bounds.upper),
            std::clamp(most, bounds.lower, bounds.upper)};
  }
  Range r =
      times(power(force, d.force), times(power(speed, -d.time), power(length, d.length + d.time)));
  // Plain numbers are exponents and ratios of the size of one, unless they are coefficients.
  const bool plain = d.force == 0 && d.length == 0 && d.time == 0;
  if (plain && name.find("coefficient") == name.npos) r = {0.2, 5.0};
  // Coefficients normalised by the load.
  const bool normalised = d.force == 0 && d.length <= 0 && d.time == 0;
  const bool shape = bounds.lower > -largest && bounds.upper < largest;
  if (normalised && !shape && (!plain || name.find("coefficient") != name.npos))
    r = times(r, {force.from / load, force.to / load});
  if (shape) r = {bounds.lower, bounds.upper};
  r.from = std::clamp(r.from, bounds.lower, bounds.upper);
  r.to = std::clamp(r.to, bounds.lower, bounds.upper);
  return {r.from, r.to};
}

namespace {

FitParameter parameter_of(const FieldInfo& field, double value, const DataScales& data) {
  FitParameter p{field.name, field.unit, value};
  p.meaning = field.meaning;
  const auto [from, to] = search_range(field.name, field.unit, field.bounds, data);
  p.logarithmic = field.bounds.lower == 0.0 && field.bounds.open_below;
  const bool bounded = field.bounds.upper < largest;
  if (p.logarithmic) {
    const double low = bounded ? 1e-4 * to : 1e-5 * from;
    p.search_from = std::log(bounded ? 0.05 * to : from), p.search_to = std::log(to);
    p.lower = std::log(low), p.upper = std::log(bounded ? field.bounds.upper : 1e5 * to);
    // Forces far beyond all that were measured only stand for a curve of another shape.
    const bool force = field.unit == "N" || field.name.find("coefficient") != std::string::npos;
    if (force && !bounded) p.lower = std::log(0.1 * from), p.upper = std::log(4.0 * to);
  } else {
    p.search_from = bounded ? from : 0.0, p.search_to = to;
    p.lower = field.bounds.lower, p.upper = bounded ? field.bounds.upper : 1e6 * std::abs(to);
    if (field.bounds.lower <= -largest) p.lower = -p.upper;
  }
  return p;
}

void bound(FitParameter& p, std::pair<double, double> limits) {
  auto [low, high] = limits;
  if (!(low <= high))
    throw InvalidInput(p.name, "the bounds of " + p.name + " contradict each other: " + words(low) +
                                   " is more than " + words(high) +
                                   (p.unit.empty() ? "" : " " + p.unit));
  if (p.above >= 0) {
    p.above = -1;  // counted from zero after all
    p.lower = 0.0;
  }
  if (p.logarithmic && !(low > 0.0)) low = std::exp(p.lower);
  p.lower = p.logarithmic ? std::log(low) : low;
  p.upper = p.logarithmic ? std::log(high) : high;
  p.search_from = std::clamp(p.search_from, p.lower, p.upper);
  p.search_to = std::clamp(p.search_to, p.lower, p.upper);
  p.value = std::clamp(p.value, low, high);
}

// What the law allows of the bounds that are given; a guess must lie within them.
void bound(FitParameter& p, const FitOptions& options, const Bounds& allowed) {
  const auto given = options.bounds.find(p.name);
  if (given == options.bounds.end()) return;
  auto [low, high] = given->second;
  const std::string range =
      words(low) + " to " + words(high) + (p.unit.empty() ? "" : " " + p.unit);
  if (std::isnan(low) || std::isnan(high))
    throw InvalidInput(p.name, "the bounds of " + p.name + ", " + range + ", must be numbers");
  const bool above = allowed.open_below ? high <= allowed.lower : high < allowed.lower;
  if (low <= high && (above || low > allowed.upper))
    throw InvalidInput(p.name, "the bounds of " + p.name + " from " + range +
                                   " leave no value, it must be " + words(allowed, p.unit));
  if (low <= high) low = std::max(low, allowed.lower), high = std::min(high, allowed.upper);
  const auto guess = options.guess.find(p.name);
  if (guess != options.guess.end() && low <= high &&
      !(guess->second >= low && guess->second <= high))
    throw InvalidInput(p.name, "the guess of " + p.name + ", " + words(guess->second) +
                                   (p.unit.empty() ? "" : " " + p.unit) +
                                   ", lies outside its bounds from " + words(low) + " to " +
                                   words(high));
  bound(p, {low, high});
}

void hold_back(std::vector<Track>& runs, const FitOptions& options) {
  std::set<std::string> unseen = options.hold_out_runs;
  long kept = 0;
  for (Track& run : runs) {
    const bool whole = options.hold_out_runs.contains(run.name);
    unseen.erase(run.name);
    const double end = (1.0 - options.hold_out) * double(run.samples.size());
    for (std::size_t i = 0; i < run.samples.size(); ++i) {
      // Of a map every n-th point, of a motion the last part.
      const bool held = options.steady
                            ? options.hold_out > 0.0 && std::fmod(double(i + 1) * options.hold_out,
                                                                  1.0) < options.hold_out - 1e-12
                            : double(i) >= end;
      run.samples[i].weight = whole || held ? 0.0 : 1.0;
      kept += run.samples[i].weight > 0.0;
    }
  }
  if (!unseen.empty()) {
    std::vector<std::string> names;
    for (const Track& run : runs) names.push_back(run.name);
    throw InvalidInput("hold_out", not_found("run", *unseen.begin(), names));
  }
  if (kept < 3) throw InvalidInput("hold_out", "nothing is left to fit once this is held out");
}

void refuse_unknown_names(std::string_view law, const FitOptions& options,
                          const std::vector<std::string>& names) {
  const auto known = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InvalidInput(name, not_found("parameter of " + std::string(law), name, names));
  };
  for (const auto& name : options.free) known(name);
  for (const auto& [name, limits] : options.bounds) known(name);
  for (const auto& [name, value] : options.guess) known(name);
}

void add_mechanism(FitProblem& problem, const FitOptions& options, const DataScales& data,
                   std::vector<std::string>& names) {
  if (options.free.contains(std::string(mechanism_prefix) + "load"))
    throw InvalidInput("mechanism.load",
                       "mechanism.load cannot be fitted: only its product with the coefficients "
                       "of the law acts");
  for (FitParameter& p : mechanism_parameters(options.rollout, options.guess, data)) {
    p.free = options.free.contains(p.name);
    const double least = p.logarithmic ? 0.0 : -largest;
    bound(p, options, {least, largest, p.logarithmic});
    names.push_back(p.name);
    problem.parameters.push_back(std::move(p));
  }
}

// A gap is found by where bristles begin to bend: a law without a state has no such place.
void add_backlash(FitProblem& problem, const FitOptions& options, const DataScales& data) {
  if (options.backlash && (problem.kind != FitKind::direct || !shaped_kernel_of(problem.law) ||
                           !kernel_of(problem.law).state))
    throw InvalidInput("backlash",
                       problem.kind != FitKind::direct
                           ? "a gap between drive and body is fitted along a measured motion only"
                           : "the force of " + problem.law +
                                 " has no state that bends, so a gap before it cannot be fitted");
  FitParameter p{std::string(backlash_name), "m", 0.0, 0.0, data.longest, 0.0, 0.2 * data.longest};
  p.free = options.backlash;
  if (p.free) p.value = 0.02 * data.longest;
  p.meaning = "half the gap between the drive, whose motion is measured, and the body";
  problem.parameters.push_back(p);
}

}  // namespace

FitProblem make_problem(std::string_view law, std::vector<Track> runs, const FitOptions& options) {
  FitProblem problem;
  problem.law = law;
  const Description& description = find_law(law).description;
  refuse_unknown(description, options.values);
  hold_back(runs, options);
  problem.kind = options.steady ? FitKind::steady : FitKind::direct;
  problem.units = options.units;
  const bool rollout = !options.rollout.mechanism.empty();
  if (rollout) lay_rollout(problem, runs, options);
  const DataScales data = scales_of(runs);
  std::vector<std::string> names;
  int index = 0;
  for (const FieldInfo& field : description.fields) {
    const auto given = options.values.find(field.name);
    const bool set = given != options.values.end();
    const double value = set ? checked(law, field, given->second) : field.default_value;
    problem.fields.push_back(value);
    if (field.choices.empty()) {
      FitParameter p = parameter_of(field, value, data);
      if (set && options.free.contains(field.name))
        throw InvalidInput(field.name,
                           field.name + " is both held and free, only one of them can be meant");
      p.free = !set && (!field.held || options.free.contains(field.name));
      if (p.free && !field.at_least.empty()) {
        const auto other = std::find(names.begin(), names.end(), field.at_least);
        p.above = int(other - names.begin());
        p.lower = 0.0, p.search_from = 0.0, p.logarithmic = false;
        p.search_to = problem.parameters[std::size_t(p.above)].search_to;
        p.upper = 10.0 * data.force;
      }
      const auto guess = options.guess.find(field.name);
      if (guess != options.guess.end()) p.value = checked(law, field, guess->second);
      bound(p, options, field.bounds);
      problem.parameters.push_back(p);
      problem.field_of.push_back(index);
      names.push_back(field.name);
    }
    ++index;
  }
  FitParameter offset{"offset", "N", 0.0, -1e3 * data.force, 1e3 * data.force};
  offset.search_from = std::min(data.mean_force, 0.0) - 0.2 * data.force;
  offset.search_to = std::max(data.mean_force, 0.0) + 0.2 * data.force;
  offset.free = options.offset;
  FitParameter asymmetry{"asymmetry", "", 0.0, -0.99, 0.99, -0.3, 0.3, options.asymmetric};
  offset.meaning = "constant added to the force";
  asymmetry.meaning = "part by which forces of positive sign are larger";
  problem.parameters.push_back(offset);
  problem.parameters.push_back(asymmetry);
  add_backlash(problem, options, data);
  if (rollout) add_mechanism(problem, options, data, names);
  problem.field_of.resize(problem.parameters.size(), -1);
  problem.runs = std::move(runs);
  add_dependences(problem, options);
  for (const FitParameter& p : problem.parameters)
    if (p.coefficient) names.push_back(p.name);
  refuse_unknown_names(law, options, names);
  add_terms(problem, options);
  if (const int slopes = int(problem.shared().size()) + problem.starts_per_run();
      slopes > detail::most_slopes)
    throw InvalidInput("free", std::to_string(slopes - problem.starts_per_run()) +
                                   " parameters are more than the " +
                                   std::to_string(detail::most_slopes - problem.starts_per_run()) +
                                   " a fit can find at once: hold some of them");
  return problem;
}

}  // namespace bristle
