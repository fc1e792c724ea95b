// SPDX-License-Identifier: MIT
// Adaptive integration of a hybrid system with located events.
//
// Steps of the Rosenbrock method are accepted when the estimated local error of every state is below
// tolerance times the larger of the state and its scale. A step in which a guard turns negative is cut at the
// crossing: the step is repeated with the size that brings the guard to zero, so the accuracy at the event is
// that of the method and not that of its interpolation.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/solve/rosenbrock.hpp"
#include "bristle/solve/status.hpp"

namespace bristle {

struct StepControl {
  double end = 1.0;           // [s]
  double tolerance = 1e-8;    // relative to the size of each state
  double first_step = 0.0;    // [s], 0: chosen from the rates at the start
  double longest_step = 0.0;  // [s], 0: that of the system
  long step_limit = 20'000'000;
  bool events = true;         // locate kinks and switches; without, the branch follows the motion
};

namespace detail {

// The step size at which a guard reaches zero, between `low` (guard positive) and `high` (negative).
// The Illinois form of false position; ends on the side asked for.
template <class Guard>
double locate(const Guard& guard, double low, double at_low, double high, double at_high,
              double resolution, bool end_high) {
  int kept = 0;
  for (int i = 0; i < 80 && high - low > resolution; ++i) {
    double middle = low + (high - low) * (at_low / (at_low - at_high));
    // Keep off the ends, and halve where false position crawls.
    if (i % 8 == 7 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double value = guard(middle);
    if (value == 0.0) return middle;
    if (value > 0.0) {
      low = middle;
      at_low = value;
      if (kept == 1) at_high *= 0.5;
      kept = 1;
    } else {
      high = middle;
      at_high = value;
      if (kept == -1) at_low *= 0.5;
      kept = -1;
    }
  }
  return end_high ? high : (std::abs(at_low) < std::abs(at_high) ? low : high);
}

}  // namespace detail

// Calls observe.step(method, mode, t, h) after each step and observe.event(index, t, y, before, after) at
// each event. Both must not throw. `observe.cancelled()` ends the run.
template <bool WithPowers, class Sys, class Observer>
StepReport integrate(const Sys& system, double t, std::array<double, Sys::size> start,
                     const StepControl& control, Observer& observe) {
  using Method = Rosenbrock<Sys, WithPowers>;
  constexpr int N = Sys::size;
  Method method(system);
  StepReport report;
  typename Method::Extended y{};
  std::copy(start.begin(), start.end(), y.begin());

  const auto scale = system.scales();
  const double longest = std::min(control.longest_step > 0.0 ? control.longest_step
                                                             : std::numeric_limits<double>::infinity(),
                                  std::min(system.longest_step(), (control.end - t) / 10.0));
  Mode mode = system.start(t, Method::states(y));
  method.prepare(t, y, mode);

  double h = control.first_step;
  if (h <= 0.0) {
    // A first step over which no state moves by more than a hundredth of its scale.
    h = longest;
    for (int i = 0; i < N; ++i)
      h = std::min(h, 1e-2 * scale[i] / std::max(std::abs(method.rate0()[i]), 1e-300));
    h = std::min(h, 1e-3 * longest);
  }
  double last_error = 1.0;
  int stalls = 0;

  while (t < control.end) {
    if (report.steps + report.rejected >= control.step_limit) {
      report.status = Status::step_limit;
      break;
    }
    if ((report.steps & 1023) == 0 && observe.cancelled()) {
      report.status = Status::cancelled;
      break;
    }
    const double stop = std::min(control.end, system.next_kink(t));
    double step = std::min(h, longest);
    const bool reaches = t + step * (1.0 + 1e-10) >= stop;
    if (reaches) step = stop - t;

    // One attempt.
    double error = std::numeric_limits<double>::infinity();
    if (method.step(step)) {
      error = 0.0;
      for (int i = 0; i < N; ++i) {
        const double size = std::max(scale[i], std::max(std::abs(y[i]), std::abs(method.y1()[i])));
        const double e = std::abs(method.error()[i]) / size;
        error = e <= error ? error : e;  // keeps a NaN
      }
      error /= control.tolerance;
    }
    if (!(error <= 1.0)) {
      ++report.rejected;
      const double shrink = std::isfinite(error) ? std::max(0.2, 0.9 * std::pow(error, -0.25)) : 0.1;
      h = step * shrink;
      if (h < 1e-15 * std::max(std::abs(t), 1e-6 * control.end)) {
        report.status = Status::step_too_small;
        break;
      }
      continue;
    }

    // Events: the first guard to turn negative within the step.
    int event = -1;
    double at_event = step;
    bool turn = false;
    if (control.events) {
      method.open_dense();
      const auto middle = Method::states(method.dense(0.5));
      const auto last = Method::states(method.y1());
      for (int g = 0; g < 2; ++g) {
        const bool strict = Sys::set_valued || g == 1;
        double slack = 0.0;
        if constexpr (Sys::moves)
          slack = strict ? 0.0 : 1e-2 * control.tolerance * scale[1];
        const double end_value = system.guard(g, t + step, last, mode);
        const double middle_value = system.guard(g, t + 0.5 * step, middle, mode);
        if (end_value >= -slack && middle_value >= -slack) continue;
        const auto guard = [&](double size) {
          method.step(size);
          ++report.event_steps;
          return system.guard(g, t + size, Method::states(method.y1()), mode);
        };
        double high = step, at_high = end_value, low = 0.0;
        if (middle_value < -slack) high = 0.5 * step;
        at_high = guard(high);
        if (at_high >= 0.0) { high = step; at_high = guard(high); }
        if (at_high >= 0.0) continue;
        double at_low = system.guard(g, t, Method::states(y), mode);
        // A guard that starts at zero, just after an event: find where it is positive first.
        if (at_low <= 0.0) {
          double probe = high;
          for (int i = 0; i < 40 && at_low <= 0.0; ++i) {
            probe *= 0.5;
            at_low = guard(probe);
            if (at_low < 0.0) { high = probe; at_high = at_low; }
          }
          if (at_low <= 0.0) {
            turn = g == 0;
            event = turn ? g : event;
            at_event = turn ? 0.0 : at_event;
            break;
          }
          low = probe;
        }
        const double resolution = 2e-16 * std::max(std::abs(t + high), high);
        const double found = detail::locate(guard, low, at_low, high, at_high, resolution, strict && mode.stuck());
        if (event < 0 || found < at_event) {
          event = g;
          at_event = found;
        }
      }
      if (event >= 0 && !turn) {
        method.step(at_event);
        ++report.event_steps;
      } else if (event < 0 && report.event_steps > 0) {
        method.step(step);
      }
    }

    if (turn) {
      // The mode is left at once: the body at rest goes the other way.
      if (++stalls > 8) {
        report.status = Status::chattering;
        break;
      }
      mode = system.turned(t, Method::states(y), mode);
      method.prepare(t, y, mode);
      continue;
    }

    // Accept.
    const double taken = event >= 0 ? at_event : step;
    method.open_dense();
    ++report.steps;
    report.largest_error = std::max(report.largest_error, error);
    if constexpr (N > 0) {
      report.error_sum += std::abs(method.error()[0]);
      report.longest_taken = std::max(report.longest_taken, taken);
    }
    observe.step(method, mode, t, taken);
    const double grow = std::clamp(0.9 * std::pow(std::max(error, 1e-10), -0.25) *
                                       std::pow(last_error, 0.08),
                                   0.2, 6.0);
    last_error = std::max(error, 1e-3);
    t = event < 0 && reaches ? stop : t + taken;
    y = method.y1();
    if (event >= 0) {
      ++report.events;
      auto states = Method::states(y);
      const Mode before = mode;
      mode = system.after(event, t, states, mode);
      std::copy(states.begin(), states.end(), y.begin());
      observe.event(event, t, states, before, mode);
      stalls = taken < 1e-13 * control.end ? stalls + 1 : 0;
      if (stalls > 1000) {
        report.status = Status::chattering;
        break;
      }
      h = std::min(h, step * grow);
    } else {
      stalls = 0;
      h = reaches && step < 0.5 * h ? h : step * grow;
      if (reaches && t < control.end) mode = system.start(t, Method::states(y));
    }
    method.prepare(t, y, mode);
  }
  report.time = t;
  return report;
}

}  // namespace bristle
