// SPDX-License-Identifier: MIT
// Takes samples, events and section crossings while a solver steps. All room is reserved before the
// first step; if more events come than were reserved for, the first ones are kept and all are
// counted.
#pragma once

#include <cmath>

#include "bristle/solve/options.hpp"
#include "bristle/solve/sample_times.hpp"
#include "bristle/solve/system.hpp"
#include "bristle/solve/trajectory.hpp"

namespace bristle {

template <class Sys>
class Recorder {
 public:
  using State = typename Sys::State;
  using Powers = std::array<double, 3>;
  static constexpr std::size_t event_room = 200'000;

  Recorder(const Sys& system, const Options& options, const State& start, Trajectory& out)
      : system_(system), options_(options), out_(out), origin_(start), times_(options) {
    if constexpr (Sys::moves) origin_[1] = 0.0;
    extend(start);
    const auto n = std::size_t(options.samples);
    for (auto* column :
         {&out.time, &out.input, &out.position, &out.velocity, &out.state, &out.force, &out.mode,
          &out.work_in, &out.dissipated, &out.stored, &out.friction_work})
      column->reserve(n);
    if constexpr (requires { system.mechanism().lift; }) out.height.reserve(n);
    out.events.reserve(event_room);
    out.crossings.reserve(event_room);
    out.periods.reserve(event_room);
    out.input_name = system.mechanism().input_name;
    out.input_unit = system.mechanism().input_unit;
    section_ = options.section != 0.0 ? options.section : system.mechanism().section();
  }

  const Sys& system() const { return system_; }

  double next_sample() const { return times_.next(); }

  void sample(double t, const State& y, const Powers& work, const Mode& mode) {
    const Motion<double> m = system_.motion(t, y, mode);
    const double input = system_.mechanism().input(t, mode.piece);
    const double state = system_.shown(t, y, mode), force = system_.friction(t, y, mode);
    const double stored = system_.stored(t, y, mode);
    out_.time.push_back(t);
    out_.input.push_back(input);
    out_.position.push_back(m.position);
    out_.velocity.push_back(m.velocity);
    out_.state.push_back(state);
    out_.force.push_back(force);
    out_.mode.push_back(Sys::set_valued ? mode.branch.direction : sign(m.velocity));
    out_.work_in.push_back(work[0]);
    out_.dissipated.push_back(work[2]);
    out_.friction_work.push_back(work[1]);
    out_.stored.push_back(stored);
    if constexpr (requires { system_.mechanism().lift; }) out_.height.push_back(m.height);
    not_finite.look(
        t,
        std::array{input, m.position, m.velocity, state, force, work[0], work[2], stored, m.height},
        names);
    times_.taken();
  }

  // Keeps how far each state goes: from its start, a velocity from rest.
  void extend(const State& y) {
    for (int i = 0; i < Sys::size; ++i)
      extent_[i] = std::max(extent_[i], std::abs(y[i] - origin_[i]));
  }
  const State& extent() const { return extent_; }

  void event(int index, double t, const State& y, const Mode& before, const Mode& after) {
    const double energy = index == 1 ? system_.released(before) : 0.0;
    if (energy > 0.0) ++releases, released_energy += energy;
    if (out_.events.size() >= event_room) return;
    const Motion<double> m = system_.motion(t, y, after);
    EventKind kind = energy > 0.0 ? EventKind::release : EventKind::switched;
    if (index == 0) {
      kind = EventKind::reversal;
      if (Sys::set_valued && after.stuck()) kind = EventKind::stick;
      else if (Sys::set_valued && before.stuck()) kind = EventKind::slip;
    }
    out_.events.push_back({kind, t, m.position, m.velocity, system_.friction(t, y, after), energy});
  }

  // Looks for passages of the watched values within a step, to rounding of its interpolation.
  template <class At>
  void watch(double t, double h, const Mode& mode, const At& at) {
    for (std::size_t k = 0; k < options_.watches.size(); ++k) {
      const auto value = [&](double s) {
        const State y = at(s);
        return options_.watches[k].value(system_.motion(t + s * h, y, mode),
                                         system_.friction(t + s * h, y, mode));
      };
      double low = 0.0, high = 1.0;
      const double first = value(low), last = value(high);
      if (!(first * last < 0.0 || (last == 0.0 && first != 0.0))) continue;
      for (int i = 0; i < 60 && low < high; ++i) {
        const double middle = 0.5 * (low + high);
        (value(middle) * first > 0.0 ? low : high) = middle;
      }
      if (out_.events.size() >= event_room) return;
      const State y = at(high);
      const Motion<double> m = system_.motion(t + high * h, y, mode);
      out_.events.push_back({EventKind::watched, t + high * h, m.position, m.velocity,
                             system_.friction(t + high * h, y, mode), 0.0, int(k)});
    }
  }

  // Keeps the work at the end of a step that ends a period of the drive.
  void mark(double t, double work) {
    if constexpr (requires { system_.mechanism().drive_period(); }) {
      const double period = system_.mechanism().drive_period();
      if (period <= 0.0 || out_.periods.size() >= event_room) return;
      if (std::abs(t - std::round(t / period) * period) <= 1e-12 * t)
        out_.periods.push_back({t, work});
    }
  }

  // Looks for an upward crossing of the section within a step; `at(s)` reads the state at a
  // fraction s.
  template <class At>
  void section(double t, double h, const Mode& mode, const At& at) {
    if constexpr (Sys::moves) {
      if (section_ == 0.0) return;
      const auto above = [&](double s) { return at(s)[1] - section_; };
      double low = 0.0, high = 1.0;
      const double first = above(low), last = above(high);
      if (!(first < 0.0 && last >= 0.0) || out_.crossings.size() >= event_room) return;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (above(middle) < 0.0 ? low : high) = middle;
      }
      const State y = at(high);
      out_.crossings.push_back({t + high * h, system_.motion(t + high * h, y, mode).position});
    }
  }

  // Whether a stop was requested while samples were taken.
  bool stopped() const { return times_.stopped(); }

  long releases = 0;
  double released_energy = 0.0;  // [J]
  NotFinite not_finite{};        // of the samples

 private:
  static constexpr std::array<std::string_view, 9> names{"input",      "position", "velocity",
                                                         "state",      "force",    "work_in",
                                                         "dissipated", "stored",   "height"};

  const Sys& system_;
  const Options& options_;
  Trajectory& out_;
  State origin_, extent_{};
  double section_ = 0.0;
  SampleTimes times_;
};

}  // namespace bristle
