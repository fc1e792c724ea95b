// SPDX-License-Identifier: MIT
#include "bristle/ensemble/loop_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "../solve/machine/recording.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/stribeck.hpp"
#include "lane_laws.hpp"
#include "lane_table.hpp"
#include "loop_schedule.hpp"

namespace bristle {
namespace {

using Numbers = LawNumbers<LoopRun::most_parameters>;

struct KnownLaw {
  LoopLaw which;
  Numbers numbers;
};

// The law if lanes have it, without anything beside it.
std::optional<KnownLaw> find_law(const AnyLaw& law) {
  constexpr int most = LoopRun::most_parameters;
  if (const auto* one = as_law<LuGre<>>(law)) return KnownLaw{loop_lugre, numbers_of<most>(*one)};
  if (const auto* one = as_law<FrBD<>>(law)) return KnownLaw{loop_frbd, numbers_of<most>(*one)};
  if (const auto* one = as_law<Coulomb<>>(law))
    return KnownLaw{loop_coulomb, numbers_of<most>(*one)};
  if (const auto* one = as_law<Stribeck<>>(law))
    return KnownLaw{loop_stribeck, numbers_of<most>(*one)};
  return std::nullopt;
}

bool same(const Signal& a, const Signal& b) {
  for (const auto& field : Signal::fields())
    if (field.number ? a.*field.number != b.*field.number : a.*field.choice != b.*field.choice)
      return false;
  return a.curve == b.curve && a.motion == b.motion;
}

// Where the numbers of a column come from.
struct Reading {
  enum Kind { time, channel, reference, input } kind = channel;
  LoopChannel of = loop_position;
  int part = -1;  // number of the body, or of the input
};

std::optional<Reading> find_reading(const Machine& m, const std::string& column) {
  using R = Reading;
  const MachineParts& parts = m.parts();
  if (column == "time") return R{R::time};
  const auto is = [&](const std::string& part, const char* what) {
    return column == part + "." + what;
  };
  for (int i = 0; i < int(parts.bodies.size()); ++i) {
    const std::string& name = parts.bodies[std::size_t(i)].name;
    if (is(name, "position")) return R{R::channel, loop_position, i};
    if (is(name, "velocity")) return R{R::channel, loop_velocity, i};
  }
  for (int i = 0; i < int(parts.inputs.size()); ++i)
    if (is(parts.inputs[std::size_t(i)].name, "force")) return R{R::input, loop_output, i};
  for (const auto& control : parts.controllers) {
    if (is(control.name, "force")) return R{R::channel, loop_output};
    if (is(control.name, "reference")) return R{R::reference};
  }
  for (const auto& contact : parts.contacts) {
    if (is(contact.name, "velocity")) return R{R::channel, loop_velocity};
    if (is(contact.name, "force")) return R{R::channel, loop_friction};
    if (is(contact.name, "state")) return R{R::channel, loop_state};
    if (is(contact.name, "mode")) return R{R::channel, loop_mode};
  }
  return std::nullopt;
}

LoopRun run_of(const Machine& m, const Numbers& law) {
  LoopRun r;
  r.inertia = m.inertia[0];
  r.position = m.position0[0], r.velocity = m.velocity0[0];
  for (const auto& one : m.linear) {
    const double weight = one.row.coordinates[0].weight;
    r.stiffness += weight * weight * one.pull.stiffness;
    r.damping += weight * weight * one.pull.damping;
    r.pull += weight * one.pull.stiffness * (one.row.offset - one.pull.rest);
  }
  const auto& contact = m.contacts[0];
  r.line = m.line(contact).coordinates[0].weight, r.line_offset = m.line(contact).offset;
  r.load = contact.load, r.scale = contact.per_load ? contact.load : 1.0;
  r.force_scale = r.scale * contact.law->force_scale(contact.load);
  if (contact.states > 0) r.state = contact.first_states[0];
  std::copy(std::begin(law.parameters), std::end(law.parameters), r.parameters);
  if (m.controllers.empty()) return r;
  const auto& control = m.controllers[0];
  const Controller& c = control.settings;
  r.eye = control.sensor.coordinates[0].weight, r.eye_offset = control.sensor.offset;
  r.hand = m.inputs[control.input].weight * c.gain;
  r.position_gain = c.position_gain, r.velocity_gain = c.velocity_gain;
  r.integral_gain = c.integral_gain, r.feedforward = c.feedforward;
  r.saturation = c.saturation, r.resolution = c.resolution;
  return r;
}

// One batch: what acts on its runs from outside, and what is recorded of them.
class Batch final : public LoopHost {
 public:
  Batch(std::vector<const Machine*> machines, const Options& options,
        const std::vector<Reading>& readings, int lanes)
      : machines_(std::move(machines)),
        readings_(readings),
        lanes_(lanes),
        times_(options),
        schedule_(options, first().controllers.empty() ? 0.0 : control().settings.step) {
    const std::size_t inputs = first().parts().inputs.size();
    for (std::size_t i = 0; i < inputs; ++i) {
      alike_.push_back(1);
      for (const Machine* m : machines_)
        alike_[i] = alike_[i] && same(m->inputs[i].signal, first().inputs[i].signal) &&
                    m->inputs[i].settings.delay == first().inputs[i].settings.delay;
    }
    for (const Machine* m : machines_) {
      if (m->controllers.empty()) continue;
      one_reference_ = one_reference_ && same(m->controllers[0].reference, control().reference);
      fed_forward_ = fed_forward_ || m->controllers[0].settings.feedforward != 0.0;
    }
    for (const Reading& one : readings_)
      if (one.kind == Reading::channel &&
          std::find(kept_.begin(), kept_.end(), one.of) == kept_.end())
        kept_.push_back(one.of);
  }

  bool next(LoopStep& step) override {
    if (begun_ && !schedule_.next(step)) return false;
    step.records = times_.due(step.end);
    if (step.records) time_.push_back(step.end);
    begun_ = true;
    return true;
  }
  void forces(double t, double* force) override {
    std::fill(force, force + lanes_, 0.0);
    for (std::size_t i = 0; i < alike_.size(); ++i) {
      double shared = 0.0;
      for (int k = 0; k < lanes_; ++k) {
        const auto& input = machine(k).inputs[i];
        if (k == 0 || !alike_[i])
          shared = input.signal.value(t - input.settings.delay, input.piece(t));
        force[k] += input.weight * (input.settings.gain * shared + input.settings.bias);
      }
    }
  }
  void reference(double* value, double* slope) override {
    for (int k = 0; k < lanes_; ++k) {
      if (k > 0 && one_reference_) {
        value[k] = value[0], slope[k] = slope[0];
        continue;
      }
      const auto& c = machine(k).controllers[0];
      const double t = when(c.settings, schedule_.sample_time());
      const int piece = c.reference.piece(t);
      value[k] = c.reference.value(t, piece);
      slope[k] = fed_forward_ ? c.reference.slope(t, piece) : 0.0;
    }
  }
  void record(const double* channels) override {
    for (const LoopChannel of : kept_)
      rows_.insert(rows_.end(), channels + int(of) * lanes_, channels + (int(of) + 1) * lanes_);
  }

  // The columns of one of the runs; none if one of its numbers is not finite.
  std::optional<MachineResult> result(int lane, const std::vector<std::string>& names) const {
    const Machine& m = machine(lane);
    std::optional<MachineResult> out(std::in_place);
    for (std::size_t i = 0; i < names.size(); ++i) {
      out->columns.push_back({names[i], "", "", {}});
      std::vector<double>& values = out->columns.back().values;
      read(m, readings_[i], lane, values);
      for (const double value : values)
        if (!std::isfinite(value)) return std::nullopt;
    }
    out->summary.method = "coupled in lanes";
    out->summary.message = "done";
    return out;
  }

 private:
  const Machine& first() const { return *machines_.front(); }
  const Machine& machine(int lane) const {
    return *machines_[std::min(std::size_t(lane), machines_.size() - 1)];
  }
  const Machine::Control& control() const { return first().controllers[0]; }
  static double when(const Controller& c, double t) {
    return std::max(0.0, t - c.step * c.reference_delay);
  }

  void read(const Machine& m, const Reading& one, int lane, std::vector<double>& values) const {
    values.reserve(time_.size());
    if (one.kind == Reading::time) {
      values = time_;
    } else if (one.kind == Reading::input) {
      const auto& input = m.inputs[std::size_t(one.part)];
      for (const double t : time_) values.push_back(input.value(t, input.piece(t)));
    } else if (one.kind == Reading::reference) {
      const auto& c = m.controllers[0];
      for (const double t : time_) {
        const double at = when(c.settings, t);
        values.push_back(c.reference.value(at, c.reference.piece(at)));
      }
    } else {
      double weight = 1.0, offset = 0.0;
      if (one.of == loop_output) {
        weight = m.controllers[0].settings.gain;
      } else if (one.part >= 0) {
        const MotionRow row = m.row_of_body(std::size_t(one.part));
        weight = row.coordinates[0].weight;
        if (one.of == loop_position) offset = row.offset;
      } else if (one.of == loop_velocity) {
        weight = m.line(m.contacts[0]).coordinates[0].weight;
      }
      const auto place = std::find(kept_.begin(), kept_.end(), one.of) - kept_.begin();
      const std::size_t stride = kept_.size() * std::size_t(lanes_);
      for (std::size_t at = std::size_t(place * lanes_ + lane); at < rows_.size(); at += stride)
        values.push_back(offset + weight * rows_[at]);
    }
  }

  std::vector<const Machine*> machines_;
  const std::vector<Reading>& readings_;
  int lanes_;
  SampleTimes times_;
  LoopSchedule schedule_;
  std::vector<char> alike_;    // of each input: whether all runs have the same signal
  bool one_reference_ = true;  // and so the reference
  bool fed_forward_ = false;   // some controller reads the slope of the reference
  bool begun_ = false;
  std::vector<LoopChannel> kept_;
  std::vector<double> time_, rows_;  // rows: instant by instant, channel by channel, lane by lane
};

// Runs that may share a batch have the same key.
std::vector<double> key_of(const Machine& m, const Options& o, LoopLaw which, const Numbers& law) {
  std::vector<double> key{o.end,        o.step, o.samples, o.record_from, double(m.inputs.size()),
                          double(which)};
  for (const int choice : law.choices) key.push_back(choice);
  for (const auto& c : m.controllers)
    for (const double one : {double(c.settings.form), double(c.settings.sensing), c.settings.step,
                             c.settings.delay, c.settings.reference_delay})
      key.push_back(one);
  return key;
}

LoopChoices choices_of(const Machine& m, const Numbers& law) {
  LoopChoices all;
  std::copy(std::begin(law.choices), std::end(law.choices), all.law);
  all.forced = !m.parts().inputs.empty();
  all.controlled = !m.controllers.empty();
  if (!all.controlled) return all;
  const Controller& c = m.controllers[0].settings;
  all.form = c.form, all.sensing = c.sensing, all.control_step = c.step, all.delay = c.delay;
  return all;
}

}  // namespace

std::string loop_lanes_refuse(const Machine& m, const Options& options) {
  if (options.method != Options::coupled) return "their method for machines is coupled";
  if (options.verify == Options::yes) return "they do not verify runs";
  if (m.coordinates() != 1)
    return "they step machines of one coordinate, this one has " + std::to_string(m.coordinates());
  const MachineParts& parts = m.parts();
  if (!parts.drives.empty()) return "they do not have drives such as " + parts.drives[0].name;
  for (const auto& part : parts.couplings)
    if (part.coupling->kind() != AnyCoupling::Kind::linear &&
        part.coupling->kind() != AnyCoupling::Kind::rigid)
      return "the coupling " + part.name + " is not linear";
  if (m.contacts.size() != 1)
    return "they step one contact, this machine has " + std::to_string(m.contacts.size());
  const auto& contact = m.contacts[0];
  const auto& line = m.line(contact).coordinates;
  if (line.size() != 1 || line[0].weight == 0.0)
    return "the contact " + parts.contacts[0].name + " does not move with the axis";
  if (contact.load_part >= 0 || contact.carried >= 0)
    return "the load of " + parts.contacts[0].name + " varies";
  if (!find_law(*contact.law)) {
    const std::string_view name = contact.law->name();
    if (name == LuGre<>::name || name == FrBD<>::name || name == Coulomb<>::name ||
        name == Stribeck<>::name)
      return "the law has a bias";
    return "the law " + std::string(name) + " is not one of lugre, frbd, coulomb and stribeck";
  }
  if (m.controllers.size() > 1)
    return "they step one controller, this machine has " + std::to_string(m.controllers.size());
  for (const auto& control : m.controllers)
    if (options.end / control.settings.step > options.step_limit)
      return "the controller takes more samples than step_limit";
  for (std::size_t i = 0; i < parts.inputs.size(); ++i)
    if (m.inputs[i].settings.lag > 0.0) return "the input " + parts.inputs[i].name + " lags";
  return "";
}

bool loop_lanes_have(const Machine& machine, const std::string& column) {
  return find_reading(machine, column).has_value();
}

std::vector<std::optional<MachineResult>> simulate_loops_in_lanes(
    std::span<const LoopCase> cases, const std::vector<std::string>& columns, std::size_t set) {
  std::vector<std::optional<MachineResult>> all(cases.size());
  const LaneLoops& loops = lane_choices().at(set).loops;
  std::map<std::vector<double>, std::vector<std::size_t>> groups;
  std::vector<LoopRun> runs(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Machine& m = *cases[i].machine;
    if (!loop_lanes_refuse(m, cases[i].options).empty()) continue;
    const KnownLaw law = *find_law(*m.contacts[0].law);
    runs[i] = run_of(m, law.numbers);
    groups[key_of(m, cases[i].options, law.which, law.numbers)].push_back(i);
  }
  std::vector<std::string> names{"time"};
  for (const auto& name : columns)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  for (const auto& [key, members] : groups) {
    const LoopCase& head = cases[members.front()];
    const Machine& m = *head.machine;
    validate(head.options);
    const KnownLaw law = *find_law(*m.contacts[0].law);
    const LoopChoices choices = choices_of(m, law.numbers);
    std::vector<Reading> readings;
    for (const auto& name : names) {
      const auto one = find_reading(m, name);
      if (!one) throw InvalidInput("column", "runs in lanes do not have the column " + name);
      readings.push_back(*one);
    }
    const auto lanes = std::size_t(loops.lanes);
    for (std::size_t at = 0; at < members.size(); at += lanes) {
      const std::size_t count = std::min(lanes, members.size() - at);
      std::vector<const Machine*> machines;
      std::vector<LoopRun> batch;
      for (std::size_t k = 0; k < count; ++k) {
        machines.push_back(cases[members[at + k]].machine);
        batch.push_back(runs[members[at + k]]);
      }
      Batch host(std::move(machines), head.options, readings, loops.lanes);
      std::vector<char> failed(count, 0);
      if (!loops.fixed[law.which](batch.data(), int(count), choices, host, failed.data(),
                                  stop_asked))
        throw Cancelled();
      for (std::size_t k = 0; k < count; ++k)
        if (!failed[k]) all[members[at + k]] = host.result(int(k), names);
    }
  }
  return all;
}

}  // namespace bristle
