// SPDX-License-Identifier: MIT
#include "short_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "../warnings.hpp"
#include "recording.hpp"
#include "run_machine.hpp"

namespace bristle::detail {
namespace {

class TrajectoryRecorder final : public MachineObserver {
 public:
  static constexpr std::size_t event_room = 200'000;

  TrajectoryRecorder(MachineSystem& system, const ShortForm& form, const Options& options,
                     Trajectory& out)
      : sys_(system), form_(form), options_(options), out_(out), times_(options) {
    for (auto* column :
         {&out.time, &out.input, &out.position, &out.velocity, &out.state, &out.force, &out.mode,
          &out.work_in, &out.dissipated, &out.stored, &out.friction_work})
      column->reserve(std::size_t(options.samples));
    // If more events come than there is room for, the first ones are kept and all are counted.
    out.events.reserve(event_room);
    out.crossings.reserve(event_room);
    out.periods.reserve(event_room);
    row_.reserve(std::size_t(system.states + system.powers));
    out.input_name = form.input_name;
    out.input_unit = form.input_unit;
    for (const auto& one : form.transducers) {
      out.measured.push_back({one.name});
      out.measured.back().values.reserve(std::size_t(options.samples));
    }
  }

  // `damped` is what the damper beside the contact has taken until then.
  void sample(double t, const std::vector<double>& y, const MachineMode& mode, double damped) {
    const Look look = look_at(t, y, mode);
    out_.time.push_back(t);
    out_.input.push_back(form_.input(t));
    out_.position.push_back(look.position);
    out_.velocity.push_back(look.velocity);
    out_.state.push_back(shown(look, y, mode));
    out_.force.push_back(look.force);
    out_.mode.push_back(sys_.mode_of(0, &look.velocity, mode));
    out_.work_in.push_back(y[std::size_t(sys_.states)] - damped);
    out_.dissipated.push_back(y[std::size_t(sys_.states + 1)] - damped);
    out_.friction_work.push_back(y[std::size_t(sys_.states + 2)]);
    out_.stored.push_back(sys_.stored(t, y.data(), mode));
    for (std::size_t k = 0; k < form_.transducers.size(); ++k)
      out_.measured[k].values.push_back(form_.transducers[k].read(y.data(), y.data() + sys_.v_at(),
                                                                  sys_.drives.front(), look.force));
  }

  void step(MachinePath& path, const MachineMode& mode, double t, double end) override {
    take_samples(times_, steps_are_fixed(options_), path, t, end,
                 [&](double time, const std::vector<double>& y) {
                   row_ = y;
                   sample(time, row_, mode, damped_ + damped_over(path, mode, t, time, end));
                 });
    if (!(end > t)) return;
    path.open_dense();
    damped_ += damped_over(path, mode, t, end, end);
    if (form_.section != 0.0)
      cross(
          path, mode, t, end, [&](const Look& look) { return look.velocity - form_.section; }, true,
          [&](double time, const Look& look) {
            if (out_.crossings.size() < event_room) out_.crossings.push_back({time, look.position});
          });
    for (std::size_t k = 0; k < options_.watches.size(); ++k)
      cross(
          path, mode, t, end,
          [&](const Look& look) { return options_.watches[k].value(look.motion, look.force); },
          false,
          [&](double time, const Look& look) {
            if (out_.events.size() < event_room)
              out_.events.push_back({EventKind::watched, time, look.position, look.velocity,
                                     look.force, 0.0, int(k)});
          });
    if (form_.period > 0.0 && out_.periods.size() < event_room &&
        std::abs(end - std::round(end / form_.period) * form_.period) <= 1e-12 * end)
      out_.periods.push_back({end, path.y1()[std::size_t(sys_.states)] - damped_});
  }

  void event(double t, const std::vector<double>& y, const MachineMode& before,
             const MachineMode& after) override {
    if (out_.events.size() >= event_room) return;
    const auto &was = before.branch[0], &is = after.branch[0];
    const EventKind kind = event_kind(sys_, 0, was, is);
    const Look look = look_at(t, y, after);
    out_.events.push_back({kind, t, look.position, look.velocity, look.force});
  }

  bool cancelled(double t) override { return stopped() || options_.cancelled(t / options_.end); }
  bool stopped() const { return times_.stopped(); }

  double damped() const { return damped_; }

 private:
  struct Look {
    double position, velocity, force;
    Motion<double> motion;
  };

  Look look_at(double t, const std::vector<double>& y, const MachineMode& mode) {
    Look look{};
    sys_.contact_forces(t, y.data(), mode, {&look.force, 1}, {&look.velocity, 1});
    look.position = sys_.stretch(sys_.machine().lines.front(), y.data());
    look.motion = sys_.motion(0, t, look.position, look.velocity);
    return look;
  }

  // What is recorded as the state of the law. A body at rest counts as moving where it is pushed.
  double shown(const Look& look, const std::vector<double>& y, const MachineMode& mode) const {
    const auto& contact = sys_.machine().contacts.front();
    const double z = contact.state >= 0 ? y[std::size_t(sys_.z_at() + contact.state)] : 0.0;
    if (contact.block) return z;
    double direction = mode.branch[0].direction;
    if (sys_.sticks(0, mode)) direction = look.force < 0.0 ? -1.0 : 1.0;
    return contact.law->shown(z, look.motion, direction);
  }

  // The energy that the damper beside the contact takes from t to `until`, in a step that ends at
  // `end`, by the rule of Gauss and Lobatto.
  double damped_over(MachinePath& path, const MachineMode& mode, double t, double until,
                     double end) {
    if (form_.damping == 0.0 || !(until > t)) return 0.0;
    constexpr std::array node{0.0, 0.17267316464601146, 0.5, 0.82732683535398854, 1.0};
    constexpr std::array weight{0.05, 49.0 / 180.0, 16.0 / 45.0, 49.0 / 180.0, 0.05};
    path.open_dense();
    double sum = 0.0;
    for (std::size_t i = 0; i < node.size(); ++i) {
      const double at = t + node[i] * (until - t), s = std::min((at - t) / (end - t), 1.0);
      sum += weight[i] * square(look_at(at, s == 1.0 ? path.y1() : path.dense(s), mode).velocity);
    }
    return form_.damping * (until - t) * sum;
  }

  // Where a value passes through zero within a step, to rounding of its interpolation.
  template <class Value, class Found>
  void cross(MachinePath& path, const MachineMode& mode, double t, double end, const Value& value,
             bool upward, const Found& found) {
    const auto look = [&](double s) {
      return look_at(t + s * (end - t), s == 1.0 ? path.y1() : path.dense(s), mode);
    };
    double low = 0.0, high = 1.0;
    const double first = value(look(low)), last = value(look(high));
    const bool crosses =
        upward ? first < 0.0 && last >= 0.0 : first * last < 0.0 || (last == 0.0 && first != 0.0);
    if (!crosses) return;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (value(look(middle)) * first > 0.0 ? low : high) = middle;
    }
    found(t + high * (end - t), look(high));
  }

  MachineSystem& sys_;
  const ShortForm& form_;
  const Options& options_;
  Trajectory& out_;
  SampleTimes times_;
  std::vector<double> row_;  // of the sample that is taken
  double damped_ = 0.0;      // until the end of the last step [J]
};

// The machine from where the options start it.
Machine started(const ShortForm& form, const Initial& initial) {
  MachineParts parts = form.parts;
  for (std::size_t i = 0; i < std::min(form.moving, parts.bodies.size()); ++i) {
    parts.bodies[i].body.position += initial.position;
    parts.bodies[i].body.velocity += initial.velocity;
  }
  if (!parts.contacts[0].law->set_valued()) parts.contacts[0].settings.state = initial.state;
  return Machine(std::move(parts));
}

// The first sample that is not finite.
NotFinite not_finite_in(const Trajectory& t) {
  NotFinite found;
  for (std::size_t i = 0; i < t.size() && !found; ++i)
    found.look(t.time[i],
               std::array{t.input[i], t.position[i], t.velocity[i], t.state[i], t.force[i],
                          t.work_in[i], t.dissipated[i], t.stored[i]},
               std::array<std::string_view, 8>{"input", "position", "velocity", "state", "force",
                                               "work_in", "dissipated", "stored"});
  return found;
}

}  // namespace

Simulation simulate_short(const ShortForm& form, const Options& options) {
  const Machine machine = started(form, options.initial);
  Simulation result;
  MachineSystem system(machine);
  check_method(system, options, true);
  TrajectoryRecorder record(system, form, options, result.trajectory);
  MachineEnd end = run_machine(system, options, record);
  result.summary.seconds = end.seconds;
  StepReport& report = end.outcome.report;
  if (record.stopped()) report.status = Status::cancelled;
  end.outcome.work[0] -= record.damped();
  end.outcome.work[2] -= record.damped();
  // A run that ended early is accounted for up to its last sample.
  if (report.status != Status::done && result.trajectory.size() > 0) {
    end.outcome.work[0] = result.trajectory.work_in.back();
    end.outcome.work[2] = result.trajectory.dissipated.back();
    end.stored_last = result.trajectory.stored.back();
  }
  if (const NotFinite found = not_finite_in(result.trajectory);
      found && report.status != Status::cancelled) {
    report.status = Status::not_finite;
    report.not_finite = found;
  }
  finish(end.outcome, end.stored_first, end.stored_last,
         largest_energy(end.outcome, end.stored_first, result.trajectory), options, result.summary);
  warn_of_rounding(options, result.summary);
  return result;
}

}  // namespace bristle::detail
