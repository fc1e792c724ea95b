// SPDX-License-Identifier: MIT
// Integration of a body on a row of bristles by power series, from event to event.
//
// The modes, their order and the observer are those of Integrator (integrate.hpp); a step is a
// polynomial here, so that events are roots of it: the end of a piece of the law is where the
// displacement, which grows all the time, reaches the way to it, and a reversal is the first zero
// of the velocity. While the body rests only the force that holds it is followed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/solve/integrate.hpp"
#include "bristle/solve/locate.hpp"
#include "bristle/solve/series.hpp"
#include "bristle/solve/watch.hpp"

namespace bristle {

template <class Sys, class Observer>
class SeriesIntegrator {
 public:
  using Method = Series<Sys>;
  using State = typename Method::State;

  SeriesIntegrator(const Sys& system, const StepControl& control, Observer& observe)
      : system_(system),
        control_(control),
        observe_(observe),
        method_(system, control.tolerance),
        flat_(1e-16 * system.scales()[1]) {}

  StepReport run(double t, const State& start) {
    t_ = t;
    y_ = {start[0], start[1], 0.0, 0.0, 0.0};
    longest_ = std::min({control_.longest_step > 0.0 ? control_.longest_step : infinity,
                         system_.longest_step(), (control_.end - t) / 10.0});
    expected_ = control_.first_step > 0.0 ? control_.first_step : longest_;
    mode_ = system_.start(t_, start);
    drive(*this, control_.end, double(control_.step_limit), looks_,
          [&] { return observe_.cancelled(); });
    return report_;
  }

  // As a stepper of drive().
  double time() const { return t_; }
  StepReport& report() { return report_; }
  void advance() {
    stop_ = std::min(control_.end, system_.next_kink(t_));
    if (mode_.stuck()) wait();
    else slide();
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr int looks = 8;  // at the velocity within a step

  // Rests until the force that holds the body leaves the interval of the law, or for a while.
  void wait() {
    const auto& body = system_.mechanism();
    const State at = Method::states(y_);
    const Interval<double> edge = system_.at_rest_limits(t_, at, mode_);
    // The stick ends outside of the interval by more than rounding, so that the slip has a
    // direction.
    const double slack = system_.at_rest_slack(t_, at, mode_);
    const auto guard = [&](double s) {
      const double held = body.hold(t_ + s, at, mode_.piece);
      return std::min(edge.upper - held, held - edge.lower) + slack;
    };
    const double step = std::min(longest_, stop_ - t_);
    method_.rest(t_, y_, mode_);
    if (const double below = first_dip(guard, step, looks, 0.0); !std::isnan(below)) {
      const double resolution = 2e-16 * std::max(std::abs(t_ + below), below);
      const double at_start = guard(0.0);
      const double found = at_start > 0.0
                               ? locate(guard, 0.0, at_start, below, guard(below), resolution, true)
                               : 0.0;
      method_.close(found);
      return commit(found, 0);
    }
    method_.close(step);
    commit(step, -1);
  }

  // Slides to the next event, or as far as the series is good.
  void slide() {
    const double most = std::min(longest_, stop_ - t_);
    double step = method_.slide(t_, y_, mode_, std::min(most, 2.0 * expected_));
    // There already, to rounding.
    if (method_.ends_piece() && method_.way() <= 4e-16 * std::abs(y_[0])) return commit(0.0, 1);
    if (!(step > 0.0) || (method_.limited() && t_ + step == t_)) {
      report_.status = Status::step_too_small;
      if (const auto column = not_finite_at(system_, t_, Method::states(y_), mode_);
          !column.empty()) {
        report_.status = Status::not_finite;
        report_.not_finite = {column, t_};
      }
      return;
    }
    double turn = reversal(step);
    // A long step that does not follow the ringing shows only the final direction; a
    // body that seems to turn at once is checked over shorter steps.
    for (int i = 0; i < 6 && turn == 0.0 && step > 0.0; ++i) {
      step = method_.slide(t_, y_, mode_, 0.125 * step);
      turn = reversal(step);
    }
    if (turn == 0.0) return turn_round();
    const bool turns = turn < step;
    const double limit = turns ? turn : step;
    if (mode_.branch.direction * method_.moved(limit).displacement >= method_.way()) {
      const double found = arrival(limit);
      method_.close(found);
      if (method_.ends_piece()) {
        method_.meet_end();
        return commit(found, 1);
      }
      return commit(found, -1);
    }
    // The length of a step that ended at an event does not limit the next one.
    expected_ = method_.limited() ? step : std::max(expected_, step);
    method_.close(limit);
    commit(limit, turns ? 0 : -1);
  }

  // When the body has gone the way, which it has at `limit`: from the time it would take at
  // constant acceleration by Newton's rule, inside a bracket.
  double arrival(double limit) const {
    const double direction = mode_.branch.direction, way = method_.way();
    double low = 0.0, high = limit, s = method_.first_guess();
    for (int i = 0; i < 60; ++i) {
      if (!(s > low && s < high)) s = 0.5 * (low + high);
      const auto [d, v] = method_.moved(s);
      const double ahead = direction * d - way, by = ahead / (direction * v);
      (ahead > 0.0 ? high : low) = s;
      s -= by;
      // The error of the next is the square of this one.
      if (std::abs(by) <= 1e-8 * s) break;
    }
    return std::clamp(s, low, high);
  }

  // The first time within the step at which the velocity falls through zero; the step if it does
  // not, zero if the body goes the other way from the start. As a body breaks away its first
  // acceleration is zero to rounding, of either sign: so shallow a dip is no reversal.
  double reversal(double step) const {
    if (method_.surely_moves_on(step)) return step;
    std::array<double, looks + 1> at;
    for (int i = 0; i <= looks; ++i) at[i] = step * i / looks;
    const auto [v, a] = method_.pace(at);
    for (int i = 1; i <= looks; ++i) {
      if (v[i] < (i < looks ? -flat_ : 0.0)) return zero(at[i - 1], v[i - 1], at[i]);
      // A dip between two samples: it falls at the first and rises at the second. The tangents
      // there meet below it.
      if (a[i - 1] < 0.0 && a[i] > 0.0) {
        const double width = at[i] - at[i - 1];
        const double meet = (v[i] - v[i - 1] - a[i] * width) / (a[i - 1] - a[i]);
        if (v[i - 1] + a[i - 1] * meet > 0.0) continue;
        const double low = lowest(at[i - 1], a[i - 1], at[i], a[i]);
        if (pace(low) < -flat_) return zero(at[i - 1], v[i - 1], low);
      }
    }
    return step;
  }
  double pace(double s) const { return method_.pace(std::array{s}).velocity[0]; }
  // Where the velocity is lowest, as exactly as its value there requires.
  double lowest(double low, double at_low, double high, double at_high) const {
    const auto fall = [&](double s) { return -method_.pace(std::array{s}).slope[0]; };
    return locate(fall, low, -at_low, high, -at_high, 1e-7 * (high - low), false);
  }
  double zero(double low, double at_low, double high) const {
    // A velocity that starts at zero: find where it is positive first.
    for (int i = 0; i < 40 && at_low <= 0.0; ++i) {
      const double middle = 0.5 * (low + high), v = pace(middle);
      if (v > 0.0) low = middle, at_low = v;
      else high = middle;
    }
    if (at_low <= 0.0) return low;
    double slope = 0.0;
    const auto asked = [&](double s) {
      const auto p = method_.pace(std::array{s});
      slope = p.slope[0];
      return p.velocity[0];
    };
    const double at_high = asked(high);
    return locate(asked, low, at_low, high, at_high, 1e-16 * high, false, {},
                  [&] { return slope; });
  }

  // A body at rest that goes the other way than it was thought to. If it comes back from there as
  // well it rests: at the edge of the interval rounding decides what the force that holds it
  // allows.
  void turn_round() {
    const State at = Method::states(y_);
    if (++turns_ > 8) {
      report_.status = Status::chattering;
    } else if (!tried_) {
      tried_ = true;
      mode_ = system_.turned(t_, at, mode_);
    } else {
      const Mode before = mode_;
      mode_ = system_.resting(mode_);
      y_[1] = 0.0;
      ++report_.events;
      observe_.event(0, t_, Method::states(y_), before, mode_);
    }
  }

  // Takes the step the method holds, and the event at its end if there is one.
  void commit(double step, int guard) {
    tried_ = false;
    const bool reaches = guard < 0 && t_ + step * (1.0 + 1e-10) >= stop_;
    const double end = reaches ? stop_ : t_ + step;
    if (step > 0.0) {
      ++report_.steps;
      turns_ = 0;
      report_.largest_error = std::max(report_.largest_error, method_.share());
      report_.error_sum += method_.error();
      observe_.step(method_, mode_, t_, end);
      y_ = method_.y1();
    } else if (++turns_ > 8) {
      report_.status = Status::chattering;
    }
    t_ = end;
    if (guard >= 0) enter(guard, step);
    else short_events_ = 0;
    // An event within rounding of a kink of the drive is at the kink, which is not met again.
    const bool bends = guard < 0 ? reaches : stop_ < control_.end && system_.next_kink(t_) > stop_;
    if (bends && t_ < control_.end) mode_ = system_.start(t_, Method::states(y_), mode_);
  }

  void enter(int guard, double step) {
    ++report_.events;
    State states = Method::states(y_);
    const Mode before = mode_;
    mode_ = system_.after(guard, t_, states, mode_);
    y_[0] = states[0];
    y_[1] = states[1];
    observe_.event(guard, t_, states, before, mode_);
    short_events_ = step < 1e-13 * control_.end ? short_events_ + 1 : 0;
    if (short_events_ > 1000) report_.status = Status::chattering;
  }

  const Sys& system_;
  const StepControl& control_;
  Observer& observe_;
  Method method_;
  double flat_;  // velocity that is none [m/s]
  typename Method::Extended y_{};
  Mode mode_{};
  StepReport report_;
  double t_ = 0.0, stop_ = 0.0, longest_ = 0.0, expected_ = 0.0;  // [s]
  int turns_ = 0, short_events_ = 0;
  bool tried_ = false;  // the other direction, without a step since
  Pacer looks_;
};

template <class Sys, class Observer>
StepReport integrate_series(const Sys& system, double t, const std::array<double, Sys::size>& start,
                            const StepControl& control, Observer& observe) {
  return SeriesIntegrator<Sys, Observer>(system, control, observe).run(t, start);
}

}  // namespace bristle
