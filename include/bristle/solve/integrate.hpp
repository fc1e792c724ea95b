// SPDX-License-Identifier: MIT
// Adaptive integration of a hybrid system with located events.
//
// Steps are accepted when the estimated local error of every state, and of every quadrature where
// there are any, is below tolerance times the larger of its way from the start and its scale.
// Guards are watched over the whole step (watch.hpp). A step in which a guard turns negative is cut
// at the crossing: the step is repeated with the size that brings the guard to zero, so the
// accuracy at the event is that of the method and not that of its interpolation. The method is
// Rosenbrock, or Explicit for what is not stiff.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bristle/solve/dissipation.hpp"
#include "bristle/solve/drive.hpp"
#include "bristle/solve/locate.hpp"
#include "bristle/solve/rosenbrock.hpp"
#include "bristle/solve/status.hpp"
#include "bristle/solve/watch.hpp"

namespace bristle {

struct StepControl {
  double end = 1.0;           // [s]
  double tolerance = 1e-8;    // relative to the size of each state
  double first_step = 0.0;    // [s], 0: chosen from the rates at the start
  double longest_step = 0.0;  // [s], 0: that of the system
  long step_limit = 20'000'000;
};

// Observer: step(method, mode, t, end) is called after each step from t to end, and event(index, t,
// y, before, after) at each event; neither may throw. cancelled() is called now and then and ends
// the run.
template <bool WithPowers, class Sys, class Observer,
          template <class, bool> class Stepper = Rosenbrock>
class Integrator {
 public:
  using Method = Stepper<Sys, WithPowers>;
  using State = typename Method::State;
  static constexpr int N = Sys::size;

  Integrator(const Sys& system, const StepControl& control, Observer& observe)
      : system_(system), control_(control), observe_(observe), method_(system) {
    rounding_ = 1e-15 / control.tolerance;
    per_tolerance_ = 1.0 / control.tolerance;
    const auto states = system.scales();
    std::copy(states.begin(), states.end(), scale_.begin());
    if constexpr (WithPowers) std::fill(scale_.begin() + N, scale_.end(), system.energy_scale());
  }

  StepReport run(double t, const State& start) {
    t_ = t;
    std::copy(start.begin(), start.end(), y_.begin());
    origin_ = y_;
    if constexpr (Sys::moves) origin_[1] = 0.0;
    longest_ = std::min({control_.longest_step > 0.0 ? control_.longest_step : infinity,
                         system_.longest_step(), (control_.end - t) / 10.0});
    mode_ = system_.start(t_, start);
    method_.prepare(t_, y_, mode_);
    h_ = first_step();
    drive(*this, control_.end, double(control_.step_limit), looks_,
          [&] { return observe_.cancelled(); });
    return report_;
  }

  // As a stepper of drive().
  double time() const { return t_; }
  StepReport& report() { return report_; }
  // One accepted step, or one rejected attempt.
  void advance() {
    const double stop = std::min(control_.end, system_.next_kink(t_));
    double step = std::min(h_, longest_);
    if constexpr (requires(const State& y) { system_.longest_step_at(y); })
      step = std::min(step, system_.longest_step_at(Method::states(y_)));
    const bool reaches = t_ + step * (1.0 + 1e-10) >= stop;
    if (reaches) step = stop - t_;
    const double error = attempt(step);
    if (!(error <= 1.0)) return reject(step, error);

    Crossing crossing = find_crossing(step);
    if (crossing.at_once) return leave_at_once(crossing);
    if (crossing.guard >= 0) {
      // The step that ends at the crossing has other states than the one judged above.
      const double cut = measure();
      if (!(cut <= 1.0)) return reject(crossing.step, cut);
    }
    // The end of a step that reaches a stop is the stop itself, not what rounding makes of it.
    const bool crosses = crossing.guard >= 0;
    const double end = crosses ? t_ + crossing.step : reaches ? stop : t_ + step;
    accept(end, error);

    const double grow = growth(step, error);
    t_ = end;
    if (crosses) {
      h_ = std::min(h_, step * grow);
      enter_after(crossing.guard, crossing.step);
      // An event within rounding of a kink of the drive is at the kink, which is not met again.
      if (stop < control_.end && system_.next_kink(t_) > stop)
        mode_ = system_.start(t_, Method::states(y_), mode_);
    } else {
      // A step shortened only to reach a stop says little about the next one.
      h_ = reaches && step < 0.5 * h_ ? h_ : step * grow;
      if (reaches && t_ < control_.end) mode_ = system_.start(t_, Method::states(y_), mode_);
      short_events_ = 0;
    }
    method_.prepare(t_, y_, mode_);
  }

 private:
  static constexpr double safety = 0.8;
  static constexpr double creep = 300.0;  // scale of a held body, in scales of its bristle
  static constexpr double slow = 30.0;    // scale of its velocity, in velocities
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  // A first step over which no state moves by more than a hundredth of its scale.
  double first_step() const {
    if (control_.first_step > 0.0) return control_.first_step;
    double h = 1e-3 * longest_;
    for (int i = 0; i < N; ++i)
      h = std::min(h, 1e-2 * scale_[i] / std::max(std::abs(method_.rate0()[i]), 1e-300));
    return h;
  }

  // Tries a step; the largest estimated error in units of what is allowed, NaN and infinity if it
  // failed.
  double attempt(double step) {
    held_ = step;
    return method_.step(step) ? measure() : infinity;
  }
  // That error for the step the method holds.
  double measure() const {
    double error = 0.0;
    for (int i = 0; i < Method::All; ++i) {
      const double here = method_.y1()[i], zero = origin_[i];
      const double size = std::max(
          {scale_of(i), std::abs(y_[i] - zero), std::abs(here - zero), rounding_ * std::abs(here)});
      const double e = std::abs(method_.error()[i]) / size;
      if (!(e <= error) && !std::isnan(error)) error = e;  // keeps a NaN
    }
    return error * per_tolerance_;
  }

  // The size of a state below which its error counts as absolute. While a bristle holds the body,
  // the motion is that of the bristle: there a velocity must be right within what changes the
  // deflection by some of it over the step, and relative to how fast the body creeps, or it is late
  // to break away. As it breaks away an error grows with the velocity itself.
  double scale_of(int i) const {
    if constexpr (Sys::moves) {
      bool grows = false;
      if constexpr (requires { method_.breaks_away(); }) grows = method_.breaks_away();
      const double speed = slow * std::max(std::abs(y_[1]), std::abs(method_.y1()[1]));
      if constexpr (Sys::set_valued) {
        // A curve that falls infinitely steeply at rest leaves no first velocity to be relative to.
        if (i == 1 && grows) return std::min(scale_[1], std::max(speed, 1e-6 * scale_[1]));
      } else {
        const double bristle = scale_[N - 1];
        if (i == 0) return std::min(scale_[0], creep * bristle);
        if (i == 1)
          return std::min({scale_[1], creep * bristle / held_,
                           std::max(speed, (grows ? 1e-4 : 1.0) * bristle / held_)});
      }
    }
    return scale_[i];
  }

  void reject(double step, double error) {
    ++report_.rejected;
    after_rejection_ = true;
    h_ = step * (std::isfinite(error) ? std::max(0.2, safety / Method::root(error)) : 0.1);
    // For an end among the smallest numbers the limit is zero.
    if (h_ <= 1e-15 * std::max(std::abs(t_), 1e-6 * control_.end)) give_up(error);
  }
  // Either the error cannot be met, or what follows is not finite however short the step is.
  void give_up(double error) {
    report_.status = Status::step_too_small;
    const State y = Method::states(y_);
    std::string_view column = std::isnan(error) ? not_finite_after(system_, t_, y, mode_)
                                                : not_finite_at(system_, t_, y, mode_);
    for (int i = 0; i < Method::All && column.empty() && std::isnan(error); ++i)
      if (!std::isfinite(method_.y1()[i])) column = state_column<Sys>(i);
    if (column.empty()) return;
    report_.status = Status::not_finite;
    report_.not_finite = {column, t_};
  }

  // How much larger the next step may be: from this error, and from the trend of steps and errors,
  // which predicts the next change where steps keep shrinking (Gustafsson, ACM TOMS 20, 1994). What
  // follows a rejected step is not longer than the step that replaced it.
  double growth(double step, double error) {
    const double per_error = 1.0 / std::max(error, 1e-10);
    double power = per_error;
    if (last_step_ > 0.0)
      power *= std::min(1.0, Method::power(step / last_step_) * last_error_ * per_error);
    last_step_ = step;
    last_error_ = std::max(error, 1e-2);
    const double most = after_rejection_ ? 1.0 : 6.0;
    after_rejection_ = false;
    return std::clamp(safety * Method::root(power), 0.2, most);
  }

  struct Crossing {
    int guard = -1;        // the guard that was crossed, -1 for none
    double step = 0.0;     // from the start of the step [s]
    bool at_once = false;  // the mode was left as it began, no step is to be taken
    bool wrong = false;    // and should not have been entered
  };

  // The first guard that turns negative in the step just tried. Leaves the method at the crossing.
  Crossing find_crossing(double step) {
    std::array<double, Sys::guards> below;
    for (int g = 0; g < Sys::guards; ++g) below[g] = first_below(g, step);
    Crossing first;
    for (int g = 0; g < Sys::guards; ++g) {
      if (std::isnan(below[g])) continue;
      const Crossing found = locate_guard(g, below[g] * step, step);
      if (found.at_once) return found;
      if (found.guard >= 0 && (first.guard < 0 || found.step < first.step)) first = found;
    }
    hold(first.guard >= 0 ? first.step : step);
    // Where the body turns round it is furthest on: an edge it passed may lie behind it at the end.
    if (first.guard == 0 && !mode_.stuck()) {
      const double turn = first.step;
      if (system_.guard(1, t_ + turn, Method::states(method_.y1()), mode_) < -slack_of(1, step))
        if (const Crossing before = locate_guard(1, turn, turn); before.guard >= 0) {
          if (before.at_once) return before;
          first = before;
        }
      hold(first.step);
    }
    return first;
  }

  // A guard of the mode. A stick ends outside of the interval by more than rounding, so that the
  // slip that follows has a direction.
  double guard_at(int g, double t, const State& y) const {
    const double value = system_.guard(g, t, y, mode_);
    if constexpr (Sys::set_valued && Sys::moves)
      if (g == 0 && mode_.stuck()) return value + system_.at_rest_slack(t, y, mode_);
    return value;
  }

  // The first fraction of the step, as interpolated, at which a guard is found negative; NaN
  // if it stays positive over the whole step.
  double first_below(int g, double step) const {
    if (g == 1 && !Sys::has_margin) return NAN;
    const double slack = slack_of(g, step);
    if constexpr (Sys::moves) {
      if (g == 0 && !(Sys::set_valued && mode_.stuck())) {
        const double direction = mode_.branch.direction, last = direction * method_.y1()[1];
        // As a body breaks away its first velocities are zero to rounding, of either sign.
        const double flat = std::max(slack, 1e-16 * scale_[1]);
        if (method_.lower_bound(1, direction) >= -flat && last >= -slack) return NAN;
        const double below =
            first_dip([&](double s) { return direction * method_.dense(s, 1); }, 1.0, 8, flat);
        return std::isnan(below) && last < -slack ? 1.0 : below;
      }
    }
    const auto value = [&](double s, const State& y) { return guard_at(g, t_ + s * step, y); };
    const auto last = value(1.0, Method::states(method_.y1()));
    const double inside = value(0.5, method_.rough(0.5));
    // The place of a bristle changes one way as long as the body does not turn.
    if (Sys::set_valued && g == 1) return inside < -slack ? 0.5 : last < -slack ? 1.0 : NAN;
    if (last >= -slack && inside >= -slack && !may_dip(inside, inside, last) &&
        !may_dip(value(0.0, Method::states(y_)), inside, last))
      return NAN;
    const auto guard = [&](double s) { return s == 1.0 ? last : value(s, between(s)); };
    return first_dip(guard, 1.0, mode_.stuck() ? 8 : 4, slack);
  }
  // The states within the step.
  State between(double s) const {
    if constexpr (requires { method_.dense_states(s); }) return method_.dense_states(s);
    else return Method::states(method_.dense(s));
  }

  // Makes the method hold the step of the given size.
  void hold(double step) {
    if (step == held_) return;
    method_.step(step);
    held_ = step;
    ++report_.event_steps;
  }

  // A state law is continuous at its kinks, so a velocity within its error of zero needs no event
  // as long as the wrong branch, over the whole step, changes the state by less than its error. The
  // place of a bristle is known to rounding, in units of the spacing.
  double slack_of(int guard, double step) const {
    if constexpr (Sys::set_valued) return guard == 1 ? 1e-12 : 0.0;
    else if constexpr (Sys::moves)
      return guard == 0
                 ? control_.tolerance * std::min(1e-2 * scale_[1], 0.1 * scale_[N - 1] / step)
                 : 0.0;
    else return 0.0;
  }

  Crossing locate_guard(int g, double high, double step) {
    const auto guard = [&](double size) {
      hold(size);
      return guard_at(g, t_ + size, Method::states(method_.y1()));
    };
    double low = 0.0, at_low = guard_at(g, t_, Method::states(y_));
    const Hint hint = look_between(g, at_low, high, step);
    double at_high = guard(step);
    // A step to where the interpolation crosses whose error is too large is going to be rejected.
    if (hint.guess > 1e-6 * step) {
      hold(hint.guess);
      if (!(measure() <= 1.0)) return {g, hint.guess};
    }
    if (const double near = glide(g, hint, step); near > 0.0) return {g, near};
    // The whole step is at hand: if the guard is negative at its end, that is a bound that costs
    // nothing, and the guess gives the first crossing. The step itself may find positive what
    // its interpolation found negative.
    if (at_high < 0.0) high = step;
    else if (high == step || (at_high = guard(high)) >= 0.0) return {};
    // A guard that starts at zero, just after an event: find where it is positive first.
    for (int i = 0; i < 40 && at_low <= 0.0; ++i) {
      low = 0.5 * high;
      at_low = guard(low);
      if (at_low < 0.0) high = low, at_high = at_low;
    }
    if (at_low <= 0.0) return {g, 0.0, true, !mode_.stuck()};
    const double resolution = 2e-16 * std::max(std::abs(t_ + high), high);
    // A stick ends just outside its interval, so that the slip starts in the right direction.
    const double found = locate(guard, low, at_low, high, at_high, resolution, mode_.stuck(), hint,
                                [&] { return slope_of(g, hint); });
    return {g, found, found < 0.5 * resolution, false};
  }

  // The slope of a guard in time at the end of the step that is held. The law's own margin is a
  // matter of position: its slope is that in position times the velocity.
  double slope_of(int g, const Hint& hint) const {
    if constexpr (Sys::moves) {
      if (g == 1) {
        State at = Method::states(method_.y1());
        const double here = system_.guard(1, t_ + held_, at, mode_), ahead = 1e-6 * scale_[0];
        at[0] += ahead;
        return (system_.guard(1, t_ + held_, at, mode_) - here) / ahead * at[1];
      }
    }
    return hint.slope;
  }

  // With a method whose interpolation is nearly as good as its steps: the step to where that
  // crosses, its end then moved along the rates until the guard is zero to rounding. How far it
  // moves is the error of the interpolation, and what the move costs is of second order in it. 0 if
  // that does not work out.
  double glide(int g, const Hint& hint, double step) {
    if constexpr (requires { method_.nudge(0.0); }) {
      if (mode_.stuck() || !(hint.guess > 0.0) || g == 2) return 0.0;
      hold(hint.guess);
      const double enough = g == 1 ? 1e-12 : 1e-14 * scale_[1];
      for (int i = 0; i < 5; ++i) {
        const double value = system_.guard(g, t_ + held_, Method::states(method_.y1()), mode_);
        if (std::abs(value) <= enough) return held_;
        const double by = -value / slope_of(g, hint);
        if (!(std::abs(by) <= 1e-3 * step) || !(held_ + by > 0.0)) break;
        method_.nudge(by);
        held_ += by;
      }
      held_ = -1.0;  // what the method holds has been moved
    }
    return 0.0;
  }

  // Where the interpolation of the step crosses, with what slope, and how exact the crossing must
  // be.
  Hint look_between(int g, double at_start, double high, double step) {
    Hint hint{NAN, 0.0, slack_of(g, step)};
    hold(step);
    const auto guard = [&](double size) { return guard_at(g, t_ + size, between(size / step)); };
    const double at_high = guard(high);
    if (!(at_start > 0.0 && at_high < 0.0)) return hint;
    hint.guess = locate(guard, 0.0, at_start, high, at_high, 1e-9 * step, false);
    hint.slope =
        (guard(hint.guess + 1e-3 * step) - guard(hint.guess - 1e-3 * step)) / (2e-3 * step);
    return hint;
  }

  // An event without a step before it. A body at rest that chose the wrong direction goes the other
  // way.
  void leave_at_once(const Crossing& crossing) {
    if (++turns_ > 8) {
      report_.status = Status::chattering;
      return;
    }
    if (crossing.guard == 0 && crossing.wrong)
      mode_ = system_.turned(t_, Method::states(y_), mode_);
    else enter_after(crossing.guard, 0.0);
    method_.prepare(t_, y_, mode_);
  }

  void accept(double end, double error) {
    ++report_.steps;
    turns_ = 0;
    report_.largest_error = std::max(report_.largest_error, error);
    if constexpr (N > 0) report_.error_sum += std::abs(method_.error()[0]);
    // Within the error of its quadrature a small dissipation may seem negative.
    if constexpr (WithPowers)
      if (method_.y1()[N + 2] < y_[N + 2])
        if (const double taken = dissipated_over(system_, method_, mode_, t_, end - t_);
            taken >= 0.0)
          method_.replace(N + 2, y_[N + 2] + taken);
    observe_.step(method_, mode_, t_, end);
    y_ = method_.y1();
  }

  void enter_after(int guard, double step) {
    ++report_.events;
    State states = Method::states(y_);
    const Mode before = mode_;
    mode_ = system_.after(guard, t_, states, mode_);
    // What was stored and is gone has been dissipated.
    if constexpr (WithPowers && !Sys::set_valued)
      y_[N + 2] += system_.stored(t_, states, before) - system_.stored(t_, states, mode_);
    std::copy(states.begin(), states.end(), y_.begin());
    if (guard == 2) report_.status = Status::out_of_range;
    observe_.event(guard, t_, states, before, mode_);
    short_events_ = step < 1e-13 * control_.end ? short_events_ + 1 : 0;
    if (short_events_ > 1000) report_.status = Status::chattering;
  }

  const Sys& system_;
  const StepControl& control_;
  Observer& observe_;
  Method method_;
  typename Method::Extended scale_{}, y_{};
  typename Method::Extended origin_{};  // from where states are measured: the start, at rest
  Mode mode_{};
  StepReport report_;
  double t_ = 0.0, h_ = 0.0, longest_ = 0.0, last_error_ = 1.0;
  double last_step_ = 0.0;  // [s]
  double per_tolerance_ = 0.0;
  double rounding_ = 0.0;  // errors below some units in the last place are accepted
  double held_ = 0.0;      // the size of the step the method holds [s]
  bool after_rejection_ = false;
  int turns_ = 0, short_events_ = 0;
  Pacer looks_;
};

template <bool WithPowers, template <class, bool> class Stepper = Rosenbrock, class Sys,
          class Observer>
StepReport integrate(const Sys& system, double t, const std::array<double, Sys::size>& start,
                     const StepControl& control, Observer& observe) {
  return Integrator<WithPowers, Sys, Observer, Stepper>(system, control, observe).run(t, start);
}

}  // namespace bristle
