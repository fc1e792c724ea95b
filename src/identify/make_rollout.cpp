// SPDX-License-Identifier: MIT
#include "make_rollout.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "bristle/mechanism/driven_mass.hpp"
#include "law_kernel.hpp"

namespace bristle {
namespace {

// A mechanism that rollouts know.
struct RolledMechanism {
  Description description;
  std::string input_name, input_unit;
  std::string replaced;  // the parameter whose place the input takes
  bool turns = false;
};

const std::vector<RolledMechanism>& all_rolled() {
  static const std::vector<RolledMechanism> all = [] {
    std::vector<RolledMechanism> list;
    for_each_driven([&]<class M>(const M& m) {
      list.push_back({describe<M>(), std::string(M::input_name), std::string(M::input_unit),
                      std::string(replaced_by_input(m)), turns(m)});
    });
    return list;
  }();
  return all;
}

// Throws with the nearest name.
const RolledMechanism& rolled_mechanism(std::string_view name) {
  for (const auto& one : all_rolled())
    if (one.description.name == name) return one;
  throw InvalidInput("mechanism", not_found("mechanism with an input to be fitted with", name,
                                            rolled_mechanisms()));
}

std::string full(const std::string& name) { return std::string(mechanism_prefix) + name; }

// The value a parameter is held at or starts from.
double value_of(const RolloutOptions& options, const std::map<std::string, double>& guess,
                const FieldInfo& field) {
  if (const auto given = options.values.find(field.name); given != options.values.end())
    return checked(options.mechanism, field, given->second);
  if (const auto start = guess.find(full(field.name)); start != guess.end())
    return checked(options.mechanism, field, start->second);
  return field.default_value;
}

// The input between its samples, by monotone cubics.
Signal signal_of(const Track& run) {
  Signal signal{.shape = Signal::samples};
  signal.curve = std::make_shared<SampledCurve>(run.input_time, run.input);
  return signal;
}

// The input at the first sample and at both stages of every step.
void lay_drive(Track& run) {
  constexpr double gamma = detail::stage_gamma;
  const Signal signal = signal_of(run);
  const auto input = [&](double t) { return signal.value(t, signal.piece(t)); };
  run.drive.assign(1, input(run.samples.front().time));
  StopLook stop;
  for (const Sample& s : run.samples)
    for (int i = 0; i < s.steps; ++i) {
      stop();
      const double h = s.step / s.steps, time = s.time - (s.steps - i) * h;
      run.drive.push_back(input(time + gamma * h));
      run.drive.push_back(input(i + 1 == s.steps ? s.time : time + h));
    }
}

void lay_steps(Track& run, int steps) {
  std::vector<double> intervals;
  for (const Sample& s : run.samples)
    if (s.step > 0.0) intervals.push_back(s.step);
  const auto middle = intervals.begin() + long(intervals.size() / 2);
  std::nth_element(intervals.begin(), middle, intervals.end());
  for (Sample& s : run.samples) {
    if (!(s.step > 0.0)) continue;
    const double count = std::ceil(steps * s.step / *middle - 1e-6);
    if (!(count <= 1e7))
      throw InvalidInput("time", "the sample at " + words(s.time) + " s comes " + words(s.step) +
                                     " s after the one before it, where " + words(*middle) +
                                     " s are usual; a rollout over that gap takes too many steps");
    s.steps = std::max(1, int(count));
  }
}

// F = push - mass v', with the acceleration by the smoothing differentiator. Only the search for
// starts sees it.
void ask_force(Track& run, const DrivenMass<double>& body) {
  const std::size_t n = run.samples.size();
  std::vector<double> time(n), velocity(n);
  for (std::size_t i = 0; i < n; ++i)
    time[i] = run.samples[i].time, velocity[i] = run.samples[i].velocity;
  const double typical = (time.back() - time.front()) / double(n - 1);
  const auto acceleration = smooth_slope(time, velocity, std::max(run.window, 4.5 * typical));
  const Signal signal = signal_of(run);
  double lagged = signal.value(time[0], signal.piece(time[0]));
  for (std::size_t i = 0; i < n; ++i) {
    Sample& s = run.samples[i];
    const double input = signal.value(s.time, signal.piece(s.time));
    if (body.lag > 0.0) lagged += (input - lagged) * (1.0 - std::exp(-s.step / body.lag));
    else lagged = input;
    s.force = body.push(s.position, lagged) - body.mass * acceleration[i];
  }
}

FitParameter rollout_parameter(const FieldInfo& field, double value, const DataScales& data) {
  FitParameter p{full(field.name), field.unit, value};
  p.meaning = field.meaning;
  p.logarithmic = field.bounds.lower == 0.0 && field.bounds.open_below;
  if (p.logarithmic) {
    const double middle = std::log(value), near = std::log(3.0), far = std::log(1e4);
    p.lower = middle - far, p.upper = middle + far;
    p.search_from = middle - near, p.search_to = middle + near;
  } else if (field.bounds.lower == 0.0) {
    const double size = value > 0.0 ? value : data.force / data.longest;
    p.upper = 1e4 * size;
    p.search_from = value > 0.0 ? value / 3.0 : 0.0, p.search_to = 3.0 * size;
  } else {
    const double size = std::max(std::abs(value), data.force);
    p.lower = value - 1e4 * size, p.upper = value + 1e4 * size;
    p.search_from = value - 0.5 * size, p.search_to = value + 0.5 * size;
  }
  return p;
}

}  // namespace

std::vector<std::string> rolled_mechanisms() {
  std::vector<std::string> names;
  for (const auto& one : all_rolled()) names.push_back(one.description.name);
  return names;
}

std::pair<std::string, std::string> rolled_input(std::string_view mechanism) {
  const RolledMechanism& one = rolled_mechanism(mechanism);
  return {one.input_name, one.input_unit};
}

void lay_rollout(FitProblem& problem, std::vector<Track>& runs, const FitOptions& options) {
  const RolloutOptions& rollout = options.rollout;
  const RolledMechanism& rolled = rolled_mechanism(rollout.mechanism);
  const Description& description = rolled.description;
  if (!rollout_kernel_of(problem.law)) {
    std::string known;
    for (const auto& name : rolled_laws()) known += (known.empty() ? "" : ", ") + name;
    throw InvalidInput("model",
                       problem.law + " cannot be fitted to motion (models: " + known + ")");
  }
  refuse_unknown(description, rollout.values);
  if (rollout.values.contains(rolled.replaced))
    throw InvalidInput(rolled.replaced, rolled.replaced +
                                            " has no part in a fit: the input says where the "
                                            "spring is pulled to");
  if (rollout.steps < 1 || rollout.steps > 10000)
    throw InvalidInput("steps", "steps = " + std::to_string(rollout.steps) +
                                    " per sample must be at least 1 and at most 10000");
  problem.kind = FitKind::rollout;
  problem.mechanism = rollout.mechanism;
  problem.output = rollout.output;
  if (rolled.turns) problem.units = {"N m", "rad"};
  const auto value = [&](std::string_view name) {
    for (const FieldInfo& f : description.fields)
      if (f.name == name) return value_of(rollout, options.guess, f);
    return 0.0;
  };
  const auto body = *driven_mass<double>(rollout.mechanism, value);
  for (Track& run : runs) {
    if (run.input.empty())
      throw InvalidInput("input",
                         run.name + ": a fit of motion needs the input of " + rollout.mechanism);
    if (!run.loaded)
      for (Sample& s : run.samples) s.load = value("load");
    lay_steps(run, rollout.steps);
    lay_drive(run);
    ask_force(run, body);
  }
  // Starts are looked for within some hundredths of the stroke and tenths of the speed.
  const DataScales data = scales_of(runs);
  problem.position_unit = 0.02 * data.longest;
  problem.velocity_unit = 0.2 * data.fastest;
}

std::vector<FitParameter> mechanism_parameters(const RolloutOptions& options,
                                               const std::map<std::string, double>& guess,
                                               const DataScales& data) {
  std::vector<FitParameter> all;
  const RolledMechanism& rolled = rolled_mechanism(options.mechanism);
  for (const FieldInfo& field : rolled.description.fields)
    if (field.name != rolled.replaced)
      all.push_back(rollout_parameter(field, value_of(options, guess, field), data));
  return all;
}

RolloutStart rollout_start(const FitProblem& problem, std::span<const double> x, std::size_t run) {
  const auto start = detail::start_of(problem, x, problem.shared().size(), run);
  const Sample& first = problem.runs[run].samples.front();
  return {first.position + problem.position_unit * start[1],
          first.velocity + problem.velocity_unit * start[2],
          start[0] * rollout_kernel_of(problem.law)->state_scale(problem, x)};
}

FitProblem with_steps(const FitProblem& problem, double times) {
  FitProblem other = problem;
  for (Track& run : other.runs) {
    for (Sample& s : run.samples)
      if (s.steps > 0) s.steps = std::max(1, int(std::lround(times * s.steps)));
    lay_drive(run);
  }
  return other;
}

double rollout_step_error(const FitProblem& problem, std::span<const double> x) {
  const FitProblem fine = with_steps(problem, 2.0);
  const auto coarse = fit_predict(problem, x), halved = fit_predict(fine, x);
  double squares = 0.0, count = 0.0;
  for (std::size_t k = 0; k < coarse.size(); ++k)
    for (std::size_t i = 0; i < coarse[k].size(); ++i) {
      if (problem.runs[k].samples[i].weight == 0.0) continue;
      const double d = coarse[k][i] - halved[k][i];
      squares += d * d, count += 1.0;
    }
  return count > 0.0 ? std::sqrt(squares / count) : 0.0;
}

}  // namespace bristle
