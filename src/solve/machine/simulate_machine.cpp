// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include "../verify.hpp"
#include "../warnings.hpp"
#include "bristle/machine/parameters.hpp"
#include "bristle/solve/machine_run.hpp"
#include "recording.hpp"
#include "run_machine.hpp"

namespace bristle {
namespace {

// Takes samples and events while the driver steps. All room for samples is reserved before the
// first step.
class MachineRecorder final : public detail::MachineObserver {
 public:
  static constexpr std::size_t event_room = 200'000;

  MachineRecorder(detail::MachineSystem& system, const Options& options, MachineResult& out)
      : sys_(system), options_(options), out_(out), times_(options) {
    out.columns = columns_of(system.machine());
    for (auto& column : out.columns) column.values.reserve(std::size_t(options.samples));
    out.events.reserve(1024);
    force_.resize(system.machine().lines.size());
    velocity_.resize(system.machine().lines.size());
    for (std::size_t i = 0; i < system.machine().parts().bodies.size(); ++i)
      bodies_.push_back(system.machine().row_of_body(i));
    shared_.assign(std::size_t(system.contacts), 0);
  }

  // Contacts that shared a force in stick at some time: what each of them carries is not unique.
  const std::vector<char>& shared() const { return shared_; }

  void sample(double t, const std::vector<double>& y, const detail::MachineMode& mode) {
    const Machine& m = sys_.machine();
    sys_.contact_forces(t, y.data(), mode, force_, velocity_);
    const double stored = sys_.stored(t, y.data(), mode);  // leaves the drives at t
    std::size_t at = 0;
    const auto put = [&](double value) { out_.columns[at++].values.push_back(value); };
    put(t);
    const double *q = y.data(), *v = q + sys_.v_at();
    for (const MotionRow& row : bodies_) {
      put(row.offset + detail::MachineSystem::sum(row, q));
      put(detail::MachineSystem::sum(row, v));
    }
    for (const auto& drive : sys_.drives) put(drive.value);
    for (std::size_t i = 0; i < m.inputs.size(); ++i)
      put(m.inputs[i].state >= 0 ? y[std::size_t(sys_.p_at() + m.inputs[i].state)]
                                 : sys_.inputs[i].value);
    for (const auto& control : m.controllers) {
      const double when =
          std::max(0.0, t - control.settings.step * control.settings.reference_delay);
      put(control.reference.value(when, control.reference.piece(when)));
    }
    for (std::size_t c = 0; c < m.contacts.size(); ++c) {
      const auto& contact = m.contacts[c];
      const auto line = std::size_t(contact.line), d = std::size_t(contact.dimension);
      for (std::size_t axis = 0; axis < d; ++axis) put(velocity_[line + axis]);
      for (std::size_t axis = 0; axis < d; ++axis) put(force_[line + axis]);
      for (int i = 0; i < contact.states; ++i) put(y[std::size_t(sys_.z_at() + contact.state + i)]);
      if (contact.states == 0) put(0.0);
      put(sys_.mode_of(c, velocity_.data(), mode));
      put(y[std::size_t(sys_.states + 2) + c]);
    }
    put(y[std::size_t(sys_.states)]);
    put(y[std::size_t(sys_.states + 1)]);
    put(stored);
  }

  void step(detail::MachinePath& path, const detail::MachineMode& mode, double t,
            double end) override {
    if (changed_ && sys_.held().redundant()) sys_.held().mark_shared(shared_);
    changed_ = false;
    detail::take_samples(times_, detail::steps_are_fixed(options_), path, t, end,
                         [&](double time, const std::vector<double>& y) { sample(time, y, mode); });
  }

  void event(double t, const std::vector<double>& y, const detail::MachineMode& before,
             const detail::MachineMode& after) override {
    changed_ = true;
    if (out_.events.size() >= event_room) return;
    sys_.contact_forces(t, y.data(), after, force_, velocity_);
    for (std::size_t c = 0; c < std::size_t(sys_.contacts); ++c) {
      const auto &was = before.branch[c], &is = after.branch[c];
      // A contact in the plane that only turns has no event.
      if (was.direction == is.direction && was.cell == is.cell && was.contacts == is.contacts)
        continue;
      const EventKind kind = detail::event_kind(sys_, c, was, is);
      const auto line = std::size_t(sys_.machine().contacts[c].line);
      const double force =
          sys_.planar(int(c)) ? std::hypot(force_[line], force_[line + 1]) : force_[line];
      out_.events.push_back(
          {kind, t, int(c), -1, sys_.mode_of(c, was), sys_.mode_of(c, is), force});
    }
    for (std::size_t i = 0; i < after.piece.size(); ++i)
      if (before.piece[i] != after.piece[i])
        out_.events.push_back({EventKind::switched, t, -1, int(sys_.machine().others[i].part),
                               double(before.piece[i]), double(after.piece[i]), 0.0});
  }

  bool cancelled(double t) override { return stopped() || options_.cancelled(t / options_.end); }
  bool stopped() const { return times_.stopped(); }

 private:
  detail::MachineSystem& sys_;
  const Options& options_;
  MachineResult& out_;
  std::vector<MotionRow> bodies_;
  std::vector<double> force_, velocity_;
  std::vector<char> shared_;
  bool changed_ = true;  // the mode, since the last step
  SampleTimes times_;
};

}  // namespace

const std::vector<double>& MachineResult::operator[](std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& column : columns) {
    if (column.name == name) return column.values;
    names.push_back(column.name);
  }
  throw InvalidInput("column", not_found("column", name, names));
}

namespace {

// What cannot be known of the forces, in words.
void tell_shared(const Machine& machine, const std::vector<char>& shared, Summary& summary) {
  constexpr std::size_t most = 6;
  std::vector<std::string> names;
  bool planar = false;
  for (std::size_t c = 0; c < shared.size(); ++c)
    if (shared[c]) {
      names.push_back(machine.parts().contacts[c].name);
      planar = planar || machine.contacts[c].dimension == 2;
    }
  if (names.empty()) return;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    list += (i > 0 ? ", " : "") + names[i];
  if (names.size() > most) list += " and " + std::to_string(names.size() - most) + " more";
  detail::warn(
      "the motion does not determine how the contacts " + list + " share their force in stick; " +
          (planar ? "one of the many solutions is given" : "forces of least norm are given"),
      summary);
}

}  // namespace

std::vector<Column> columns_of(const Machine& machine) {
  const MachineParts& parts = machine.parts();
  std::vector<Column> all{{"time", "s", "time"}};
  std::map<std::string, bool, std::less<>> turning_bodies;
  for (const auto& body : parts.bodies)
    turning_bodies[body.name] = body.body.motion == Body::rotation;
  const auto turns = [&](const std::string& name) {
    const auto body = turning_bodies.find(name);
    return body != turning_bodies.end() && body->second;
  };
  for (const auto& body : parts.bodies) {
    const bool turning = body.body.motion == Body::rotation;
    all.push_back({body.name + ".position", turning ? "rad" : "m",
                   (turning ? "angle of " : "position of ") + body.name});
    all.push_back({body.name + ".velocity", turning ? "rad/s" : "m/s", "velocity of " + body.name});
  }
  for (const auto& drive : parts.drives)
    all.push_back({drive.name + ".position", "m", "given position of " + drive.name});
  for (const auto& input : parts.inputs)
    all.push_back(
        {input.name + ".force", turns(input.on) ? "N m" : "N", "force of the input " + input.name});
  for (const auto& control : parts.controllers)
    all.push_back({control.name + ".force", turns(control.on) ? "N m" : "N",
                   "force of the controller " + control.name});
  for (const auto& control : parts.controllers) {
    const bool speed = control.controller.form == Controller::velocity;
    const std::string unit = turns(control.reads) ? "rad" : "m";
    all.push_back({control.name + ".reference", speed ? unit + "/s" : unit,
                   "reference of the controller " + control.name});
  }
  for (std::size_t c = 0; c < parts.contacts.size(); ++c) {
    const auto& contact = parts.contacts[c];
    const int d = machine.contacts[c].dimension, states = machine.contacts[c].states;
    const bool turning = bristle::turns(parts, contact.path);
    const std::string& n = contact.name;
    // One column, or one for each axis or state.
    const auto add = [&](const char* what, int count, const char* unit, const std::string& words) {
      for (int i = 0; i < count; ++i)
        all.push_back({n + "." + what + (count > 1 ? "_" + std::to_string(i + 1) : ""), unit,
                       words + n + (count > 1 ? ", number " + std::to_string(i + 1) : "")});
    };
    add("velocity", d, turning ? "rad/s" : "m/s", "relative velocity of ");
    add("force", d, turning ? "N m" : "N", "friction of ");
    add("state", std::max(states, 1), turning ? "rad" : "m", "state of the law of ");
    all.push_back({n + ".mode", "",
                   d == 2 ? "1 where " + n + " slides, 0 in stick"
                          : "direction of sliding of " + n + ", 0 in stick"});
    all.push_back({n + ".work", "J", "work done on " + n});
  }
  all.push_back({"work_in", "J", "work of inputs and drives"});
  all.push_back({"dissipated", "J", "dissipated"});
  all.push_back({"stored", "J", "stored in bodies, springs and bristles"});
  return all;
}

namespace {

MachineResult simulate_once(const Machine& machine, const Options& options) {
  MachineResult result;
  detail::MachineSystem system(machine);
  detail::check_method(system, options);
  MachineRecorder record(system, options, result);
  detail::MachineEnd end = detail::run_machine(system, options, record);
  detail::Outcome& outcome = end.outcome;
  if (record.stopped()) outcome.report.status = Status::cancelled;
  result.summary.seconds = end.seconds;
  const double first = end.stored_first, last = end.stored_last;
  for (const auto& column : result.columns) {
    const auto& time = result.columns.front().values;
    for (std::size_t i = 0; i < column.values.size() && !outcome.report.not_finite; ++i)
      if (!std::isfinite(column.values[i])) {
        outcome.report.status = Status::not_finite;
        outcome.report.not_finite = {column.name, time[i]};
      }
  }
  // Without drive and loss nothing changes but by rounding of what is stored. What is in motion
  // counts by itself: the energy of a body that falls is the negative of its height.
  double largest = 1e-3 * std::max({std::abs(first), std::abs(last), end.moving});
  for (const double w : result["work_in"]) largest = std::max(largest, std::abs(w));
  for (const double d : result["dissipated"]) largest = std::max(largest, std::abs(d));
  for (const double e : result["stored"]) largest = std::max(largest, std::abs(e - first));
  detail::finish(outcome, first, last, largest, options, result.summary);
  if (!system.settled())
    result.summary.message += "; the forces of the contacts at rest were not found";
  tell_shared(machine, record.shared(), result.summary);
  detail::warn_of_rounding(options, result.summary);
  result.summary.counts.not_finite = {};  // it points into the columns; the message tells it
  return result;
}

}  // namespace

MachineResult simulate(const Machine& machine, const Options& options) {
  validate(options);
  for (const auto& control : machine.parts().controllers)
    if (options.end / control.controller.step > options.step_limit)
      throw InvalidInput("step", "controller: step = " + words(control.controller.step) +
                                     " s of \"" + control.name + "\" needs " +
                                     words(options.end / control.controller.step) +
                                     " samples to reach end = " + words(options.end) +
                                     " s, more than step_limit = " + words(options.step_limit));
  check_loads(machine, options.end);
  return detail::verified(
      options, machine.parts().bodies.empty(),
      [&](const Options& o) { return simulate_once(machine, o); },
      [&](const MachineResult& a, const MachineResult& b) {
        return detail::distance(machine, a, b);
      });
}

}  // namespace bristle
