// SPDX-License-Identifier: MIT
#include "machine_drive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::detail {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double safety = 0.8;

double root(double x) { return std::sqrt(std::sqrt(x)); }

}  // namespace

MachineDriver::MachineDriver(MachineSystem& system, const MachineControl& control)
    : sys_(system), control_(control), method_(system), scales_(system) {
  refuse_only_fixed(system.machine());
  const auto all = std::size_t(system.states + system.powers);
  y_.assign(all, 0.0);
  for (auto* v : {&first_, &inside_, &last_}) v->assign(std::size_t(system.guards()), 0.0);
  seen_.reserve(std::size_t(system.guards()));
  for (std::size_t c = 0; c < sys_.rest_speed.size(); ++c)
    sys_.rest_speed[c] = 3.0 * control.tolerance * scales_.rate[c];
}

void MachineDriver::reset() {
  t_ = 0.0;
  sys_.first_state({y_.data(), std::size_t(sys_.states)});
  std::fill(y_.begin() + sys_.states, y_.end(), 0.0);
  mode_ = {};
  sys_.start(t_, y_, mode_);
  before_ = mode_;  // room for what is kept at events
  prepared_ = disturbed_ = after_rejection_ = false;
  h_ = last_step_ = 0.0;
  last_error_ = 1.0;
}

StepReport MachineDriver::run(double end, MachineObserver& observe) {
  observe_ = &observe;
  report_ = {};
  end_ = end;
  longest_ = std::min(sys_.longest_step(), (end - t_) / control_.least_steps);
  if (disturbed_) {
    enter_piece();
    prepared_ = disturbed_ = false;
  }
  if (!prepared_) method_.prepare(t_, y_, mode_);
  prepared_ = true;
  if (!(h_ > 0.0)) h_ = first_step();
  drive(*this, end_, double(control_.step_limit), pacer_, [&] { return observe.cancelled(t_); });
  return report_;
}

void MachineDriver::resume(double t, std::span<const double> y, const MachineMode& mode,
                           const Memory& memory) {
  t_ = t;
  std::copy(y.begin(), y.end(), y_.begin());
  mode_ = mode;
  sys_.take_up(mode_);
  h_ = memory.step, last_step_ = memory.last_step, last_error_ = memory.last_error;
  prepared_ = disturbed_ = after_rejection_ = false;
  turns_ = short_events_ = 0;
}

void MachineDriver::advance() {
  if (!sys_.settled()) {
    report_.status = Status::failed;
    return;
  }
  const double kink = sys_.next_kink(t_, mode_), stop = std::min(end_, kink);
  double step = std::min(h_, longest_);
  const bool reaches = t_ + step * (1.0 + 1e-10) >= stop;
  if (reaches) step = stop - t_;
  const double error = attempt(step);
  if (!(error <= 1.0)) return reject(step, error);

  Crossing crossing = find_crossing(step);
  if (crossing.at_once) return leave_at_once(crossing);
  const bool crosses = crossing.guard >= 0;
  if (crosses) {
    const double cut = measure();
    if (!(cut <= 1.0)) return reject(crossing.step, cut);
  }
  const double end = crosses ? t_ + crossing.step : reaches ? stop : t_ + step;
  ++report_.steps;
  turns_ = 0;
  report_.largest_error = std::max(report_.largest_error, error);
  report_.error_sum += std::abs(method_.error()[0]);
  observe_->step(method_, mode_, t_, end);
  if (!mode_.past.empty()) sys_.remember(method_, t_, end, mode_);
  y_ = method_.y1();
  if (sys_.machine().planar) sys_.follow(end, y_.data(), mode_);

  const double grow = growth(step, error);
  t_ = end;
  if (crosses) {
    h_ = std::min(h_, step * grow);
    enter_after(crossing.guard, crossing.step);
    // An event within rounding of a kink is at the kink, which is not met again.
    if (t_ < end_ && sys_.next_kink(t_, mode_) > kink) enter_piece();
  } else {
    h_ = reaches && step < 0.5 * h_ ? h_ : step * grow;
    // A kink at the very end belongs to what follows.
    if (reaches && t_ < end_) enter_piece();
    else if (reaches) disturbed_ = disturbed_ || t_ >= kink;
    short_events_ = 0;
  }
  pass_corners();
  method_.prepare(t_, y_, mode_);
}

// Reversals within the last step are listed at its end.
void MachineDriver::pass_corners() {
  sys_.look_at(t_, mode_);
  if (!sys_.corners_passed(y_.data(), mode_)) return;
  before_ = mode_;
  sys_.turn_corners(y_.data(), mode_);
  ++report_.events;
  observe_->event(t_, y_, before_, mode_);
}

double MachineDriver::first_step() const {
  double h = 1e-3 * longest_;
  for (int i = 0; i < sys_.states; ++i)
    h = std::min(h, 1e-2 * scales_.state[std::size_t(i)] /
                        std::max(std::abs(method_.rate0()[std::size_t(i)]), 1e-300));
  return h;
}

double MachineDriver::attempt(double step) {
  held_ = step;
  return method_.step(step) ? measure() : unbounded;
}

double MachineDriver::measure() const {
  const auto n = std::size_t(sys_.n);
  double worst = 0.0;
  const auto judge = [&](double error, double size) {
    const double e = std::abs(error) / size;
    if (!(e <= worst) && !std::isnan(worst)) worst = e;  // keeps a NaN
  };
  const auto &error = method_.error(), &y1 = method_.y1();
  for (std::size_t i = 0; i < y_.size(); ++i) {
    double scale = scales_.state[i], from = 0.0;
    // A position counts from the start: where that is must not change the motion.
    if (i < n) scale = std::min(scale, scales_.deflection[i]), from = sys_.machine().position0[i];
    else if (i < 2 * n) scale = std::min(scale, scales_.deflection[i - n] / held_);
    judge(error[i], std::max({scale, std::abs(y_[i] - from), std::abs(y1[i] - from)}));
  }
  // Bodies that travel far together: what counts is how far they are apart.
  const Machine& m = sys_.machine();
  for (std::size_t k = 0; k < m.linear.size(); ++k) {
    const MotionRow& row = m.linear[k].row;
    if (row.coordinates.size() < 2) continue;
    judge(MachineSystem::sum(row, error.data()),
          std::max(scales_.stretch[k], std::abs(sys_.stretch(row, y1.data()))));
  }
  // In the plane friction turns with the velocity, however slow that is; what rounding does to it
  // is always allowed.
  for (std::size_t c = 0; m.planar && c < m.contacts.size(); ++c) {
    const auto& contact = m.contacts[c];
    if (contact.dimension == 1 || !contact.set_valued || sys_.sticks(int(c), mode_)) continue;
    double off = 0.0, before = 0.0, after = 0.0;
    for (int axis = 0; axis < 2; ++axis) {
      const MotionRow& row = m.line(contact, axis);
      off += square(MachineSystem::sum(row, error.data() + n));
      before += square(sys_.rate(row, y_.data() + n));
      after += square(sys_.rate(row, y1.data() + n));
    }
    const double least = 1e-14 / control_.tolerance * scales_.rate[c];
    judge(std::sqrt(off), std::max(std::sqrt(std::max(before, after)), least));
  }
  return worst / control_.tolerance;
}

void MachineDriver::reject(double step, double error) {
  ++report_.rejected;
  after_rejection_ = true;
  h_ = step * (std::isfinite(error) ? std::max(0.2, safety / root(error)) : 0.1);
  if (h_ > 1e-15 * std::max(std::abs(t_), 1e-6 * end_)) return;
  report_.status = std::isnan(error) ? Status::not_finite : Status::step_too_small;
  if (std::isnan(error)) report_.not_finite = {"state", t_};
}

// See integrate.hpp.
double MachineDriver::growth(double step, double error) {
  const double per_error = 1.0 / std::max(error, 1e-10);
  double power = per_error;
  if (last_step_ > 0.0)
    power *= std::min(1.0, square(square(step / last_step_)) * last_error_ * per_error);
  last_step_ = step;
  last_error_ = std::max(error, 1e-2);
  const double most = after_rejection_ ? 1.0 : 6.0;
  after_rejection_ = false;
  return std::clamp(safety * root(power), 0.2, most);
}

void MachineDriver::leave_at_once(const Crossing& crossing) {
  // Two pieces of a law reject each other where the step crosses a second border: shorten it.
  const bool remembers =
      crossing.guard < 2 * sys_.contacts && sys_.memory[std::size_t(crossing.guard / 2)] != nullptr;
  if (++turns_ > 3 && remembers) h_ = 0.1 * std::min(h_, longest_);
  if (turns_ > (remembers ? 40 : 8) * (sys_.contacts + 1) ||
      !(h_ > 1e-15 * std::max(std::abs(t_), 1e-6 * end_))) {
    report_.status = Status::chattering;
    return;
  }
  // A contact that should not have left rest in this direction: it rests, or goes the other way.
  const auto c = std::size_t(crossing.guard / 2);
  const bool velocity = crossing.guard < 2 * sys_.contacts && crossing.guard % 2 == 0;
  const double direction = velocity ? mode_.branch[c].direction : 0.0;
  // Contacts that send each other back: their accelerations begin at zero together and do not tell
  // yet which of them slip.
  constexpr int enough = 6;
  if (turns_ > enough && !remembers) return rest_longer(turns_ - enough);
  if (!velocity || !crossing.wrong || sys_.set_valued[c]) {
    const bool stuck = velocity && sys_.sticks(int(c), mode_);
    enter_after(crossing.guard, 0.0);
    // At the very border, such as a load and a force that both begin at zero, what comes next
    // decides.
    if (stuck && mode_.branch == before_.branch) {
      sys_.after(crossing.guard, t_ + 1e-6 * std::min(h_, longest_), y_, mode_);
      if (mode_.branch != before_.branch) observe_->event(t_, y_, before_, mode_);
    }
  }
  if (velocity && crossing.wrong && mode_.branch[c].direction == direction &&
      !(sys_.set_valued[c] && sys_.planar(int(c)))) {
    before_ = mode_;
    sys_.turn(int(c), t_, y_, mode_);
    ++report_.events;
    observe_->event(t_, y_, before_, mode_);
  }
  method_.prepare(t_, y_, mode_);
}

// What is at rest stays so for a moment, the longer the more often that did not help; after it the
// accelerations differ from zero by more than rounding.
void MachineDriver::rest_longer(int tries) {
  const double moment = std::min({1e-4, 1e-9 * std::pow(3.0, tries), (end_ - t_) / longest_,
                                  (sys_.next_kink(t_, mode_) - t_) / longest_}) *
                        longest_;
  before_ = mode_;
  sys_.hold_still(t_, y_, mode_);
  method_.prepare(t_, y_, mode_);
  if (attempt(moment) <= 1.0) {
    ++report_.steps;
    observe_->step(method_, mode_, t_, t_ + moment);
    y_ = method_.y1();
    t_ += moment;
  }
  sys_.start(t_, y_, mode_);
  if (mode_.branch != before_.branch) {
    ++report_.events;
    observe_->event(t_, y_, before_, mode_);
  }
  method_.prepare(t_, y_, mode_);
}

// A kink of a signal or a sample of a controller, at which contacts may change as well.
void MachineDriver::enter_piece() {
  before_ = mode_;
  sys_.start(t_, y_, mode_);
  if (before_.branch != mode_.branch) {
    ++report_.events;
    observe_->event(t_, y_, before_, mode_);
  }
}

void MachineDriver::enter_after(int guard, double step) {
  ++report_.events;
  before_ = mode_;
  const double stored = sys_.stored(t_, y_.data(), mode_);
  sys_.after(guard, t_, y_, mode_);
  // What was stored and is gone has been dissipated.
  y_[std::size_t(sys_.states + 1)] += stored - sys_.stored(t_, y_.data(), mode_);
  observe_->event(t_, y_, before_, mode_);
  short_events_ = step < 1e-13 * end_ ? short_events_ + 1 : 0;
  if (short_events_ > 1000 + 20 * sys_.contacts) report_.status = Status::chattering;
}

}  // namespace bristle::detail
