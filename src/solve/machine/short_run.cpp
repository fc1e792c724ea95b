// SPDX-License-Identifier: MIT
#include "short_run.hpp"

#include <algorithm>
#include <cmath>

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
    out.input_name = form.input_name;
    out.input_unit = form.input_unit;
    for (const auto& one : form.transducers) {
      out.measured.push_back({one.name});
      out.measured.back().values.reserve(std::size_t(options.samples));
    }
  }

  void sample(double t, const std::vector<double>& y, const MachineMode& mode) {
    const Look look = look_at(t, y, mode);
    const auto& contact = sys_.machine().contacts.front();
    out_.time.push_back(t);
    out_.input.push_back(form_.input(t));
    out_.position.push_back(look.position);
    out_.velocity.push_back(look.velocity);
    out_.state.push_back(contact.state >= 0 ? y[std::size_t(sys_.z_at() + contact.state)] : 0.0);
    out_.force.push_back(look.force);
    out_.mode.push_back(sys_.mode_of(0, &look.velocity, mode));
    out_.work_in.push_back(y[std::size_t(sys_.states)]);
    out_.dissipated.push_back(y[std::size_t(sys_.states + 1)]);
    out_.friction_work.push_back(y[std::size_t(sys_.states + 2)]);
    out_.stored.push_back(sys_.stored(t, y.data(), mode));
    for (std::size_t k = 0; k < form_.transducers.size(); ++k)
      out_.measured[k].values.push_back(form_.transducers[k].read(y.data(), y.data() + sys_.v_at(),
                                                                  sys_.drives.front(), look.force));
  }

  void step(MachinePath& path, const MachineMode& mode, double t, double end) override {
    times_.within(path, t, end,
                  [&](double time, const std::vector<double>& y) { sample(time, y, mode); });
    if (!(end > t)) return;
    path.open_dense();
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
      out_.periods.push_back({end, path.y1()[std::size_t(sys_.states)]});
  }

  void event(double t, const std::vector<double>& y, const MachineMode& before,
             const MachineMode& after) override {
    if (out_.events.size() >= event_room) return;
    const auto &was = before.branch[0], &is = after.branch[0];
    const EventKind kind = event_kind(sys_, 0, was, is);
    const Look look = look_at(t, y, after);
    out_.events.push_back({kind, t, look.position, look.velocity, look.force});
  }

  bool cancelled(double t) override { return options_.cancelled(t / options_.end); }

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
};

// The machine from where the options start it.
Machine started(const ShortForm& form, const Initial& initial) {
  MachineParts parts = form.parts;
  for (std::size_t i = 0; i < std::min(form.moving, parts.bodies.size()); ++i) {
    parts.bodies[i].body.position += initial.position;
    parts.bodies[i].body.velocity += initial.velocity;
  }
  parts.contacts[0].settings.state = initial.state;
  return Machine(std::move(parts));
}

}  // namespace

Simulation simulate_short(const ShortForm& form, const Options& options) {
  const Machine machine = started(form, options.initial);
  Simulation result;
  MachineSystem system(machine);
  check_method(system, options);
  TrajectoryRecorder record(system, form, options, result.trajectory);
  const MachineEnd end = run_machine(system, options, record);
  result.summary.seconds = end.seconds;
  finish(end.outcome, end.stored_first, end.stored_last,
         largest_energy(end.outcome, end.stored_first, result.trajectory), options, result.summary);
  return result;
}

}  // namespace bristle::detail
