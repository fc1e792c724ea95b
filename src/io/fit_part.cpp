// SPDX-License-Identifier: MIT
// A fit as a part, and as a file that runs it.
#include "bristle/io/fit_part.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numbers>

#include "bristle/io/files.hpp"
#include "bristle/io/fit_report.hpp"
#include "bristle/mechanism/driven_mass.hpp"
#include "bristle/model/bias.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/version.hpp"
#include "toml_text.hpp"

namespace bristle::io {
namespace {

// The mechanism of a rollout as it was fitted: driven by the input of the first run, beside the
// file, or dragged at the mean speed of it.
std::string rollout_text(const FitSummary& f) {
  const Track& run = f.problem.runs.front();
  const bool dragged = input_replaces_parameter(f.problem.mechanism);
  const double begin = run.samples.front().time, end = run.samples.back().time - begin;
  std::string text = "\n[mechanism]\npart = \"part.toml\"\n";
  const auto start = rollout_start(f.problem, f.x, 0);
  double position = start.position;
  if (dragged) {
    const double from = run.drive.front(), to = run.drive.back();
    text += "# The mean speed of the measured input; positions count from where it began.\n";
    text += "drag_velocity = " + toml_number((to - from) / end) + "\n";
    position -= from;
  } else {
    text += "\n[input]\nfile = \"input.csv\"\n";
  }
  return text + "\n[initial]\nposition = " + toml_number(position) +
         "\nvelocity = " + toml_number(start.velocity) + "\nstate = " + toml_number(start.state) +
         "\n\n[solve]\nend = " + toml_number(end) +
         "\n\n[[figure]]\nname = \"motion\"\nx = \"time\"\ny = \"" +
         std::string(f.problem.measured_name()) + "\"\n";
}

// What a parameter of a fit belongs to.
std::string owner_of(const FitSummary& f, const std::string& name) {
  if (name.starts_with(mechanism_prefix)) return "mechanism";
  for (const FitParameter& p : f.problem.parameters) {
    if (p.name != name) continue;
    if (p.coefficient) return "dependence";
    // A run has no gap before its law.
    if (p.term >= 0 || p.name == backlash_name) return "terms";
  }
  return f.values.contains(name) ? "law" : "bias";
}

// Without limits that are no numbers: an interval ends where the search did.
PartParameter part_parameter(const FittedParameter& p) {
  PartParameter q{.name = p.name, .value = p.value, .unit = p.unit, .fitted = p.free};
  if (!p.free) return q;
  q.least = std::min(p.least, p.value), q.most = std::max(p.most, p.value);
  q.deviation = std::isfinite(p.deviation) ? p.deviation : 0.0;
  q.no_lower_limit = p.no_lower_limit() || !std::isfinite(p.lower);
  q.no_upper_limit = p.no_upper_limit() || !std::isfinite(p.upper);
  const auto end = [&](double x) {
    const double held = std::clamp(std::isnan(x) ? p.value : x, q.least, q.most);
    return std::isfinite(held) ? held : p.value;
  };
  q.lower = end(p.lower), q.upper = end(p.upper);
  q.determined = p.determined, q.at_bound = p.at_bound;
  return q;
}

std::string reading_unit(const MachineParts& parts, const Reading& reading) {
  std::string unit = "m";
  for (const auto& body : parts.bodies)
    if (body.name == reading.body && body.body.motion == Body::rotation) unit = "rad";
  return reading.velocity ? unit + "/s" : unit;
}

// The largest and the least of what is seen.
struct Seen {
  double from = INFINITY, to = -INFINITY;
  void add(double x) { from = std::min(from, x), to = std::max(to, x); }
  void put(std::vector<PartRange>& into, const char* quantity, const std::string& unit) const {
    if (from <= to && std::isfinite(from) && std::isfinite(to))
      into.push_back({quantity, from, to, unit});
  }
};

// How often the motion turns round; noise below a twentieth of the largest speed turns nothing.
long reversals_of(const Track& run) {
  double fastest = 0.0;
  for (const Sample& s : run.samples) fastest = std::max(fastest, std::abs(s.velocity));
  long count = 0;
  double before = 0.0;
  for (const Sample& s : run.samples) {
    if (!(std::abs(s.velocity) > 0.05 * fastest)) continue;
    if (s.velocity * before < 0.0) ++count;
    before = s.velocity;
  }
  return count;
}

std::vector<PartRange> domain_of(const FitProblem& problem) {
  Seen speed, position, load, force, step, frequency, input;
  const bool steady = problem.kind == FitKind::steady;
  for (const Track& run : problem.runs) {
    if (run.samples.empty()) continue;  // let go by a comparison
    for (const Sample& s : run.samples) {
      speed.add(std::abs(s.velocity));
      if (!steady) position.add(s.position);
      if (run.loaded) load.add(s.load);
      if (problem.kind != FitKind::rollout) force.add(s.force);
      if (run.timed && !steady && s.step > 0.0) step.add(s.step);
    }
    for (const double u : run.input) input.add(u);
    const double lasted = run.samples.back().time - run.samples.front().time;
    if (run.timed && !steady && lasted > 0.0)
      frequency.add(0.5 * double(reversals_of(run)) / lasted);
  }
  const DataUnits& units = problem.units;
  std::vector<PartRange> all;
  const bool timed = std::all_of(problem.runs.begin(), problem.runs.end(),
                                 [](const Track& run) { return run.timed; });
  if (timed || steady) speed.put(all, "speed", units.way + "/s");
  position.put(all, "position", units.way);
  load.put(all, "load", "N");
  force.put(all, "force", units.force);
  step.put(all, "time_step", "s");
  frequency.put(all, "frequency", "Hz");
  if (problem.kind == FitKind::rollout)
    input.put(all, "input", rolled_input(problem.mechanism).second);
  return all;
}

// Columns beside the motion, where they have numbers.
void add_conditions(const FitProblem& problem, const std::vector<ConditionColumn>& columns,
                    std::vector<PartRange>& domain) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k].load) continue;  // a quantity of its own
    Seen seen;
    for (const Track& run : problem.runs)
      for (const Sample& s : run.samples)
        if (run.conditions)
          if (const double c = (*run.conditions)[std::size_t(s.row) * columns.size() + k];
              std::isfinite(c))
            seen.add(c);
    seen.put(domain, columns[k].name.c_str(), columns[k].unit);
  }
}

std::vector<PartDependence> dependences_in(const FitProblem& problem,
                                           const std::vector<ConditionColumn>& columns) {
  std::vector<PartDependence> all;
  for (const Dependence& d : problem.depends) {
    const ConditionColumn& column = columns[std::size_t(d.column)];
    all.push_back({d.parameter < 0 ? std::string(whole_force)
                                   : problem.parameters[std::size_t(d.parameter)].name,
                   column.name, column.unit, d.form, d.reference});
  }
  return all;
}

// Where a variance is not known at all, half the range of the search takes its place.
void mend_covariance(Part& part) {
  const auto free = part.fitted();
  const std::size_t n = free.size();
  for (std::size_t i = 0; i < n; ++i) {
    bool known = true;
    for (std::size_t j = 0; j < n; ++j) known = known && std::isfinite(part.covariance[i * n + j]);
    if (known) continue;
    const PartParameter& p = part.parameters[free[i]];
    const double range =
        p.logarithmic ? std::log(p.most / std::max(p.least, 1e-300)) : p.most - p.least;
    for (std::size_t j = 0; j < n; ++j)
      part.covariance[i * n + j] = part.covariance[j * n + i] = 0.0;
    if (std::isfinite(range)) part.covariance[i * n + i] = 0.25 * range * range;
  }
}

}  // namespace

void note_origin(Part& part, const PartOrigin& origin) {
  part.version = version;
  part.command = origin.command, part.licence = origin.licence, part.source = origin.source;
  for (const auto& file : origin.files) {
    std::error_code ignored;
    const bool twice = std::filesystem::is_regular_file(file, ignored);
    part.data.push_back({file, twice ? file_fingerprint(file) : ""});
  }
}

Part part_of(const FitSummary& f, const PartOrigin& origin) {
  Part part;
  part.law = f.law;
  part.unusable = f.unusable, part.warnings = f.warnings;
  if (f.problem.kind == FitKind::rollout) part.mechanism = f.problem.mechanism;
  for (const auto& [name, value] : f.values)
    if (!std::holds_alternative<double>(value)) part.choices[name] = value;
  for (const FittedParameter& p : f.parameters) {
    PartParameter q = part_parameter(p);
    q.of = owner_of(f, p.name);
    for (const FitParameter& one : f.problem.parameters) {
      if (one.name != p.name) continue;
      q.logarithmic = p.free && one.logarithmic;
      if (p.free && one.above >= 0) q.above = f.problem.parameters[std::size_t(one.above)].name;
    }
    part.parameters.push_back(std::move(q));
  }
  // Numbers of the law that are no parameters of the fit.
  for (const auto& field : find_law(f.law).description.fields)
    if (const auto* number = std::get_if<double>(&f.values.at(field.name));
        number && !part.find(field.name))
      part.parameters.push_back(
          {.name = field.name, .value = *number, .unit = f.problem.units.of(field.unit)});
  part.covariance = f.covariance;
  mend_covariance(part);
  if (!f.problem.depends.empty()) part.depends = dependences_in(f.problem, origin.conditions);
  part.domain = domain_of(f.problem);
  add_conditions(f.problem, origin.conditions, part.domain);
  if (origin.load && !part.range("load"))
    part.domain.push_back({"load", origin.load->first, origin.load->second, "N"});
  for (const RunAgreement& r : f.runs)
    part.runs.push_back({r.run, std::string(f.problem.measured_name()), f.problem.measured_unit(),
                         r.fitted, r.held_out});
  note_origin(part, origin);
  return part;
}

namespace {

// What the runs of a machine have seen: readings, inputs, parameters that differ, time steps.
std::vector<PartRange> domain_of(const MachineFitReport& r) {
  std::map<std::string, Seen> seen;
  Seen step;
  for (const MachineRecord& run : r.runs) {
    for (std::size_t i = 0; i < r.readings.size(); ++i)
      for (const double x : run.readings[i]) seen[name_of(r.readings[i])].add(x);
    for (const auto& [name, values] : run.inputs)
      for (const double x : values) seen[name].add(x);
    for (const auto& [name, value] : run.values) seen[name].add(value);
    for (std::size_t i = 1; i < run.time.size(); ++i) step.add(run.time[i] - run.time[i - 1]);
  }
  std::vector<PartRange> all;
  for (const auto& [name, range] : seen) {
    std::string unit;
    for (const Reading& one : r.readings)
      if (name_of(one) == name) unit = reading_unit(r.fit.parts, one);
    range.put(all, name.c_str(), unit);
  }
  step.put(all, "time_step", "s");
  return all;
}

}  // namespace

Part part_of(const MachineFitReport& r, const std::string& machine, const PartOrigin& origin) {
  const MachineFit& f = r.fit;
  Part part;
  part.kind = "machine";
  part.machine = machine;
  part.warnings = f.warnings;
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    PartParameter q = part_parameter(f.parameters[i]);
    q.of = "machine", q.logarithmic = f.logarithmic[i];
    part.parameters.push_back(std::move(q));
  }
  part.covariance = f.covariance;
  mend_covariance(part);
  part.domain = domain_of(r);
  for (const ReadingAgreement& a : f.agreements)
    part.runs.push_back(
        {a.run, name_of(a.reading), reading_unit(f.parts, a.reading), a.fitted, a.held_out});
  // Errors by the fits that have not seen a run.
  for (std::size_t k = 0; k < r.runs.size() && !r.folds.empty(); ++k)
    for (std::size_t i = 0; i < r.readings.size(); ++i)
      for (PartRun& run : part.runs) {
        if (run.name != r.runs[k].name || run.quantity != name_of(r.readings[i])) continue;
        const RunError unseen = unseen_error(r, k, i);
        run.held_out = {long(r.runs[k].time.size()), unseen.root_mean_square, NAN, NAN,
                        unseen.largest};
      }
  note_origin(part, origin);
  return part;
}

std::string fit_run_text(const FitSummary& f) {
  const DataScales data = scales_of(f.problem.runs);
  std::string text = "title = \"" + f.law + ", fitted\"\n# Written by bristle " +
                     std::string(version) + ".\n\n[model]\npart = \"part.toml\"\n";
  if (!f.unusable.empty()) text += "# This fit must not be used: " + f.unusable + ".\n";
  if (f.problem.kind == FitKind::rollout) return text + rollout_text(f);
  const double amplitude = 0.5 * data.longest;
  const double frequency = amplitude > 0.0 ? data.fastest / amplitude : 1.0;
  text += "\n[mechanism]\nname = \"prescribed_motion\"\nload = " +
          toml_number(std::max(data.load, 1e-9)) +
          "\n\n[input]\nshape = \"sine\"\namplitude = " + toml_number(amplitude) +
          "\nfrequency = " + toml_number(frequency) +
          "\n\n[solve]\nend = " + toml_number(6.0 * std::numbers::pi / frequency) +
          "\n\n[[figure]]\nname = \"loop\"\nx = \"input\"\ny = \"force\"\n";
  return text;
}

}  // namespace bristle::io
