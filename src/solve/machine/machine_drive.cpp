// SPDX-License-Identifier: MIT
#include "machine_drive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/solve/watch.hpp"

namespace bristle::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double safety = 0.8;
// The scale of a body that bristles hold, in deflections at break-away.
constexpr double creep = 9000.0;

double root(double x) { return std::sqrt(std::sqrt(x)); }

}  // namespace

MachineDriver::MachineDriver(MachineSystem& system, const MachineControl& control)
    : sys_(system), control_(control), method_(system) {
  const auto all = std::size_t(system.states + system.powers);
  y_.assign(all, 0.0);
  scale_.assign(all, 0.0);
  for (auto* v : {&first_, &inside_, &last_}) v->assign(std::size_t(system.guards()), 0.0);
  seen_.reserve(std::size_t(system.guards()));
  find_scales();
}

// Sizes below which errors count as absolute: from the forces there are and the stiffness and
// inertia they meet.
void MachineDriver::find_scales() {
  const Machine& m = sys_.machine();
  const auto n = std::size_t(sys_.n);
  std::vector<double> force(n, 0.0), stiff(n, 0.0), speed(n, 0.0);
  double pace = 1e-3;
  for (const auto& c : m.contacts)
    for (const auto& term : c.row.coordinates)
      force[std::size_t(term.index)] += std::abs(term.weight) * c.law->force_scale(c.load);
  for (const auto& i : m.inputs) {
    force[std::size_t(i.coordinate)] +=
        std::abs(i.weight) *
        (std::abs(i.settings.gain) * i.signal.scale() + std::abs(i.settings.bias));
    pace = std::max(pace, i.signal.frequency);
  }
  for (const auto& c : m.controllers) {
    const auto i = std::size_t(m.inputs[c.input].coordinate);
    const auto& s = c.settings;
    // What its limit allows, or what its gains make of the reference.
    const double error = s.form == Controller::cascade    ? s.velocity_gain * s.position_gain
                         : s.form == Controller::velocity ? s.velocity_gain
                                                          : s.position_gain;
    force[i] += std::abs(m.inputs[c.input].weight * s.gain) *
                (s.saturation > 0.0 ? s.saturation : std::abs(error) * c.reference.scale());
    pace = std::max(pace, c.reference.frequency);
  }
  for (const auto& d : m.parts().drives) pace = std::max(pace, d.position.frequency);
  const auto drive_speed = [&](const MotionRow& row) {
    double sum = 0.0;
    for (const auto& term : row.drives) {
      const Signal& e = m.parts().drives[std::size_t(term.index)].position;
      sum += std::abs(term.weight) * (std::abs(e.rate) + std::abs(e.amplitude * e.frequency) +
                                      std::abs(e.second_amplitude * e.second_frequency));
    }
    return sum;
  };
  for (const auto& one : m.linear)
    for (const auto& term : one.row.coordinates) {
      const auto i = std::size_t(term.index);
      stiff[i] += square(term.weight) * one.pull.stiffness;
      speed[i] = std::max(speed[i], drive_speed(one.row) / std::abs(term.weight));
    }
  for (const auto& one : m.others) {
    const Pull p = one.coupling->pull(0.0, 0.0, 0);
    for (const auto& term : one.row.coordinates) {
      force[std::size_t(term.index)] += std::abs(term.weight * p.force);
      stiff[std::size_t(term.index)] += square(term.weight) * std::abs(p.by_stretch);
    }
  }
  for (const auto& c : m.contacts)
    for (const auto& term : c.row.coordinates)
      speed[std::size_t(term.index)] =
          std::max(speed[std::size_t(term.index)], drive_speed(c.row) / std::abs(term.weight));

  double energy = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double pull = std::max(stiff[i], m.inertia[i] * square(pace));
    double q = force[i] / pull;
    double v =
        std::max({force[i] / std::sqrt(pull * m.inertia[i]), speed[i], std::abs(m.velocity0[i])});
    if (!(q > 0.0)) q = v > 0.0 ? v * std::sqrt(m.inertia[i] / pull) : 1.0;
    if (!(v > 0.0)) v = 1.0;
    scale_[i] = q;
    scale_[n + i] = v;
    energy = std::max(energy, force[i] * q);
  }
  for (const auto& i : m.inputs)
    if (i.state >= 0) {
      const double size = std::abs(i.settings.gain) * i.signal.scale() + std::abs(i.settings.bias);
      scale_[std::size_t(sys_.p_at() + i.state)] = size > 0.0 ? size : 1.0;
    }
  deflection_.assign(n, infinity);
  for (const auto& c : m.contacts) {
    if (c.state < 0) continue;
    const double bristle = c.law->state_scale();
    scale_[std::size_t(sys_.z_at() + c.state)] = 30.0 * bristle;
    for (const auto& term : c.row.coordinates) {
      auto& held = deflection_[std::size_t(term.index)];
      held = std::min(held, creep * bristle / std::abs(term.weight));
    }
  }
  double bristles = infinity;
  for (const auto& c : m.contacts)
    bristles = c.state >= 0
                   ? std::min(bristles, 30.0 * c.law->force_scale(c.load) * c.law->state_scale())
                   : bristles;
  if (bristles < infinity && energy > 0.0) energy = std::min(energy, bristles);
  for (std::size_t i = 0; i < n && !(energy > 0.0); ++i)
    energy = m.inertia[i] * square(scale_[n + i]);
  std::fill(scale_.begin() + sys_.states, scale_.end(), energy > 0.0 ? energy : 1.0);

  stretch_scale_.clear();
  for (const auto& one : m.linear) {
    double size = 0.0;
    for (const auto& term : one.row.coordinates)
      size = std::max(size, std::abs(term.weight) * scale_[std::size_t(term.index)]);
    stretch_scale_.push_back(size);
  }
  rate_scale_.clear();
  for (const auto& c : m.contacts) {
    double size = 0.0;
    for (const auto& term : c.row.coordinates)
      size += std::abs(term.weight) * scale_[n + std::size_t(term.index)];
    rate_scale_.push_back(size);
  }
}

void MachineDriver::reset() {
  t_ = 0.0;
  sys_.first_state({y_.data(), std::size_t(sys_.states)});
  std::fill(y_.begin() + sys_.states, y_.end(), 0.0);
  mode_ = {};
  sys_.start(t_, y_, mode_);
  before_ = mode_;  // room for what is kept at events
  prepared_ = disturbed_ = false;
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
  while (t_ < end_ && report_.status == Status::done) advance();
  report_.time = t_;
  return report_;
}

void MachineDriver::resume(double t, std::span<const double> y, const MachineMode& mode,
                           const Memory& memory) {
  t_ = t;
  std::copy(y.begin(), y.end(), y_.begin());
  mode_ = mode;
  sys_.take_up(mode_);
  h_ = memory.step, last_step_ = memory.last_step, last_error_ = memory.last_error;
  prepared_ = disturbed_ = false;
  turns_ = short_events_ = 0;
}

void MachineDriver::advance() {
  if (report_.steps + report_.rejected >= control_.step_limit) {
    report_.status = Status::step_limit;
    return;
  }
  if (pacer_.due() && observe_->cancelled(t_)) {
    report_.status = Status::cancelled;
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
  y_ = method_.y1();

  const double grow = growth(step, error);
  t_ = end;
  if (crosses) {
    h_ = std::min(h_, step * grow);
    enter_after(crossing.guard, crossing.step);
  } else {
    h_ = reaches && step < 0.5 * h_ ? h_ : step * grow;
    // A kink at the very end belongs to what follows.
    if (reaches && t_ < end_) enter_piece();
    else if (reaches) disturbed_ = disturbed_ || t_ >= kink;
    short_events_ = 0;
  }
  method_.prepare(t_, y_, mode_);
}

double MachineDriver::first_step() const {
  double h = 1e-3 * longest_;
  for (int i = 0; i < sys_.states; ++i)
    h = std::min(h, 1e-2 * scale_[std::size_t(i)] /
                        std::max(std::abs(method_.rate0()[std::size_t(i)]), 1e-300));
  return h;
}

double MachineDriver::attempt(double step) {
  held_ = step;
  return method_.step(step) ? measure() : infinity;
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
    double scale = scale_[i];
    if (i < n) scale = std::min(scale, deflection_[i]);
    else if (i < 2 * n) scale = std::min(scale, deflection_[i - n] / held_);
    judge(error[i], std::max({scale, std::abs(y_[i]), std::abs(y1[i])}));
  }
  // Bodies that travel far together: what counts is how far they are apart.
  const Machine& m = sys_.machine();
  for (std::size_t k = 0; k < m.linear.size(); ++k) {
    const MotionRow& row = m.linear[k].row;
    if (row.coordinates.size() < 2) continue;
    judge(MachineSystem::sum(row, error.data()),
          std::max(stretch_scale_[k], std::abs(sys_.stretch(row, y1.data()))));
  }
  return worst / control_.tolerance;
}

void MachineDriver::reject(double step, double error) {
  ++report_.rejected;
  h_ = step * (std::isfinite(error) ? std::max(0.2, safety / root(error)) : 0.1);
  if (!(h_ < 1e-15 * std::max(std::abs(t_), 1e-6 * end_))) return;
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
  return std::clamp(safety * root(power), 0.2, 6.0);
}

void MachineDriver::hold(double step) {
  if (step == held_) return;
  method_.step(step);
  method_.open_dense();
  held_ = step;
  ++report_.event_steps;
}

double MachineDriver::slack_of(int g, double step) const {
  if (g >= 2 * sys_.contacts) return 0.0;
  const auto c = std::size_t(g / 2);
  if (sys_.set_valued[c]) return g % 2 == 1 ? 1e-12 : 0.0;
  if (g % 2 == 1) return 0.0;
  const double bristle = scale_[std::size_t(sys_.z_at() + sys_.machine().contacts[c].state)];
  return control_.tolerance * std::min(1e-2 * rate_scale_[c], 0.1 * bristle / step);
}

double MachineDriver::guard_at(int g, double t, const std::vector<double>& y) {
  const double value = sys_.guard(g, t, y.data(), mode_);
  return stick_guard(g) ? value + sys_.stick_slack(g / 2) : value;
}

// The first fraction of the step at which a guard is seen to be negative; NaN if there is none.
// first_, inside_ and last_ hold the guards at the start, the middle and the end.
double MachineDriver::first_below(int g, double step) {
  const auto k = std::size_t(g);
  const double slack = slack_of(g, step);
  double first = first_[k], inside = inside_[k], last = last_[k];
  const auto guard = [&](double s) {
    return s == 1.0 ? last : guard_at(g, t_ + s * step, method_.dense(s));
  };
  if (g < 2 * sys_.contacts && g % 2 == 0 && !stick_guard(g)) {
    const auto c = std::size_t(g / 2);
    const double flat = std::max(slack, 1e-16 * rate_scale_[c]);
    const MotionRow& row = sys_.machine().contacts[c].row;
    const double direction = mode_.branch[c].direction;
    if (row.drives.empty() || !sys_.drives_bend(row)) {
      if (method_.lower_bound(row, direction, sys_.drive_rate(row)) >= -flat && last >= -slack)
        return NAN;
    } else if (last >= -slack && inside >= -flat && first >= -flat &&
               !may_dip(first, inside, last)) {
      return NAN;
    }
    const double below = first_dip(guard, 1.0, 8, flat);
    return std::isnan(below) && last < -slack ? 1.0 : below;
  }
  if (stick_guard(g)) {
    const double extra = sys_.stick_slack(g / 2);
    first += extra, inside += extra, last += extra;
  }
  if (g < 2 * sys_.contacts && g % 2 == 1 && sys_.set_valued[std::size_t(g / 2)])
    return inside < -slack ? 0.5 : last < -slack ? 1.0 : NAN;
  if (last >= -slack && inside >= -slack && !may_dip(inside, inside, last) &&
      !may_dip(first, inside, last))
    return NAN;
  return first_dip(guard, 1.0, stick_guard(g) ? 8 : 4, slack);
}

MachineDriver::Crossing MachineDriver::find_crossing(double step) {
  const int count = sys_.guards();
  if (count == 0) return {};
  method_.open_dense();
  sys_.guard_values(t_, y_.data(), mode_, first_);
  sys_.guard_values(t_ + 0.5 * step, method_.dense(0.5).data(), mode_, inside_);
  sys_.guard_values(t_ + step, method_.y1().data(), mode_, last_);
  // The guards that turn negative, the one whose interpolation does so first in front.
  int first = -1;
  double first_at = infinity, first_high = 1.0;
  seen_.clear();
  for (int g = 0; g < count; ++g) {
    const double below = first_below(g, step);
    if (std::isnan(below)) continue;
    seen_.push_back(g);
    Hint hint;
    double at = guess_of(g, below * step, step, hint);
    if (std::isnan(at)) at = first_[std::size_t(g)] <= 0.0 ? 0.0 : below * step;
    if (at < first_at) first_at = at, first = g, first_high = below;
  }
  Crossing found;
  double end = step;
  while (first >= 0) {
    const Crossing here = locate_guard(first, std::min(first_high * step, end), end);
    if (here.at_once) return here;
    if (here.guard >= 0 && (found.guard < 0 || here.step < found.step)) found = here;
    std::erase(seen_, first);
    end = found.guard >= 0 ? found.step : step;
    hold(end);
    // Another guard may have been crossed before that.
    first = -1;
    double lowest = 0.0;
    for (const int g : seen_) {
      const double value = guard_at(g, t_ + end, method_.y1());
      const double past = value + slack_of(g, end);
      if (past < lowest || (found.guard < 0 && first < 0))
        lowest = std::min(past, lowest), first = g;
    }
    first_high = 1.0;
    if (first >= 0 && found.guard < 0) {
      const double below = first_below(first, step);
      if (std::isnan(below)) std::erase(seen_, first), first = -1;
      else first_high = below;
    }
  }
  hold(found.guard >= 0 ? found.step : step);
  return found;
}

// Where the interpolation of the whole step crosses; NaN if its ends do not bracket a crossing.
double MachineDriver::guess_of(int g, double high, double step, Hint& hint) {
  hint = {NAN, 0.0, slack_of(g, step)};
  hold(step);
  const auto guard = [&](double size) {
    return guard_at(g, t_ + size, method_.dense(std::min(size / step, 1.0)));
  };
  double at_start = first_[std::size_t(g)];
  if (stick_guard(g)) at_start += sys_.stick_slack(g / 2);
  const double at_high = guard(high);
  if (!(at_start > 0.0 && at_high < 0.0)) return NAN;
  hint.guess = locate(guard, 0.0, at_start, high, at_high, 1e-9 * step, false);
  hint.slope = (guard(hint.guess + 1e-3 * step) - guard(hint.guess - 1e-3 * step)) / (2e-3 * step);
  return hint.guess;
}

MachineDriver::Crossing MachineDriver::locate_guard(int g, double high, double step) {
  const auto guard = [&](double size) {
    hold(size);
    return guard_at(g, t_ + size, method_.y1());
  };
  double low = 0.0, at_low = guard_at(g, t_, y_);
  Hint hint;
  guess_of(g, high, step, hint);
  double at_high = guard(step);
  if (at_high < 0.0) high = step;
  else if (high == step || (at_high = guard(high)) >= 0.0) return {};
  for (int i = 0; i < 40 && at_low <= 0.0; ++i) {
    low = 0.5 * high;
    at_low = guard(low);
    if (at_low < 0.0) high = low, at_high = at_low;
  }
  if (at_low <= 0.0) return {g, 0.0, true, !stick_guard(g)};
  const double resolution = 2e-16 * std::max(std::abs(t_ + high), high);
  const double at = locate(guard, low, at_low, high, at_high, resolution, stick_guard(g), hint);
  return {g, at, at < 0.5 * resolution, false};
}

void MachineDriver::leave_at_once(const Crossing& crossing) {
  if (++turns_ > 8 * (sys_.contacts + 1)) {
    report_.status = Status::chattering;
    return;
  }
  // A contact that should not have left rest in this direction: it rests, or goes the other way.
  const auto c = std::size_t(crossing.guard / 2);
  const bool velocity = crossing.guard < 2 * sys_.contacts && crossing.guard % 2 == 0;
  const double direction = velocity ? mode_.branch[c].direction : 0.0;
  if (!velocity || !crossing.wrong || sys_.set_valued[c]) enter_after(crossing.guard, 0.0);
  if (velocity && crossing.wrong && mode_.branch[c].direction == direction) {
    before_ = mode_;
    sys_.turn(int(c), t_, y_, mode_);
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
