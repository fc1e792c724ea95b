// SPDX-License-Identifier: MIT
#include "machine_cvode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::detail {

MachineCvode::MachineCvode(MachineSystem& system, const MachineControl& control)
    : sys_(system),
      control_(control),
      scales_(system),
      rate_(scales_.state.size()),
      ahead_(rate_.size()),
      now_(std::size_t(system.guards())),
      soon_(now_.size()),
      still_(std::size_t(system.contacts)),
      path_(*this, rate_.size()) {
  y_.resize(rate_.size());
  refuse_only_fixed(system.machine());
  for (std::size_t c = 0; c < sys_.rest_speed.size(); ++c)
    sys_.rest_speed[c] = 3.0 * control.tolerance * scales_.rate[c];
}

void MachineCvode::reset() {
  t_ = 0.0;
  sys_.first_state({y_.data(), std::size_t(sys_.states)});
  std::fill(y_.begin() + sys_.states, y_.end(), 0.0);
  mode_ = {};
  sys_.start(t_, y_, mode_);
  before_ = mode_;
}

// As for one body (run_cvode.hpp): what bristles hold is followed to a small part of their
// deflection, and so is a velocity that grows out of rest under a set-valued law.
std::vector<double> MachineCvode::allowed_errors(double tolerance, double longest) {
  const Machine& m = sys_.machine();
  const auto n = std::size_t(sys_.n);
  std::vector<double> all = scales_.state;
  for (double& one : all) one = tolerance * (one > 0.0 ? one : 1.0);
  for (const auto& contact : m.contacts) {
    for (int i = 0; i < contact.states; ++i)
      all[std::size_t(sys_.z_at() + contact.state + i)] *= 1e-2;
    for (int axis = 0; axis < contact.dimension; ++axis)
      for (const auto& term : m.line(contact, axis).coordinates) {
        const auto k = std::size_t(term.index);
        for (int i = 0; i < contact.states; ++i) {
          const double held =
              all[std::size_t(sys_.z_at() + contact.state + i)] / std::abs(term.weight);
          all[k] = std::min(all[k], held);
          all[n + k] = std::min(all[n + k], held / longest);
        }
        if (contact.set_valued)
          all[n + k] = std::min(all[n + k], 1e-2 * tolerance * scales_.state[n + k]);
      }
  }
  for (std::size_t c = 0; c < still_.size(); ++c) {
    still_[c] = 0.0;
    for (int axis = 0; axis < m.contacts[c].dimension; ++axis)
      for (const auto& term : m.line(m.contacts[c], axis).coordinates)
        still_[c] += 1e-2 * std::abs(term.weight) * all[n + std::size_t(term.index)];
  }
  return all;
}

// Bodies that travel far together: what counts is how far they are apart.
void MachineCvode::refine(const double* y, double* allowed) {
  const Machine& m = sys_.machine();
  for (std::size_t k = 0; k < m.linear.size(); ++k) {
    const MotionRow& row = m.linear[k].row;
    if (row.coordinates.size() < 2) continue;
    const double most = tolerance_ * std::max(scales_.stretch[k], std::abs(sys_.stretch(row, y)));
    for (const auto& term : row.coordinates) {
      double& one = allowed[std::size_t(term.index)];
      one = std::min(one, most / std::abs(term.weight) + 1e-15 * std::abs(y[term.index]));
    }
  }
}

// A velocity that falls below zero by less than its error may as well not, and so may a force that
// leaves the interval of a stuck contact by rounding.
void MachineCvode::read_guards(double t, const double* y, double* values) {
  sys_.guard_values(t, y, mode_, {values, now_.size()});
  for (int g = 0; g < 2 * sys_.contacts; g += 2)
    values[g] += stick(g) ? sys_.stick_slack(g / 2) : still_[std::size_t(g / 2)];
}

CvodeProblem MachineCvode::problem() {
  CvodeProblem p;
  p.size = int(y_.size());
  p.guard_count = sys_.guards();
  p.rates = [this](double t, const double* y, double* rate) { sys_.rates(t, y, mode_, rate); };
  p.guards = [this](double t, const double* y, double* values) { read_guards(t, y, values); };
  // In the plane friction turns with the velocity, and the faster the slower a contact moves.
  p.fresh_jacobian = sys_.machine().planar;
  p.refine = [this](const double* y, double* allowed) { refine(y, allowed); };
  p.turns = [this](int guard) { return velocity(guard); };
  return p;
}

StepReport MachineCvode::run(double end, MachineObserver& observe) {
  observe_ = &observe;
  report_ = {};
  longest_ = std::min(sys_.longest_step(), (end - t_) / control_.least_steps);
  tolerance_ = step_tolerance(control_.tolerance);
  const auto absolute = allowed_errors(tolerance_, longest_);
  settle();
  open(problem(), tolerance_, absolute, longest_, end);
  drive(*this, end, double(control_.step_limit), looks_, [&] { return observe.cancelled(t_); });
  return report_;
}

const std::vector<double>& MachineCvode::Path::dense(double s) {
  const double t = s >= 1.0 ? run.t_ : std::min(run.from_ + s * (run.t_ - run.from_), run.t_);
  run.between(t, at);
  run.sys_.snap(t, at.data(), run.mode_);
  return at;
}

void MachineCvode::taken() {
  sys_.snap(t_, y_.data(), mode_);
  observe_->step(path_, mode_, from_, t_);
  if (sys_.machine().planar) sys_.follow(t_, y_.data(), mode_);
}

void MachineCvode::settle() {
  pass();
  set_off();
  if (!sys_.settled()) report_.status = Status::failed;
}

void MachineCvode::explain() {
  if (report_.status == Status::not_finite) report_.not_finite = {"state", t_};
}

void MachineCvode::enter_after(int guard, double when) {
  ++report_.events;
  before_ = mode_;
  const double stored = sys_.stored(t_, y_.data(), mode_);
  const bool again = velocity(guard) && idle() > 4 &&
                     sys_.machine().contacts[std::size_t(guard / 2)].dimension == 1;
  sys_.after(guard, when, y_, mode_);
  // A contact that leaves rest in one direction and comes back at once goes the other way.
  const auto c = std::size_t(guard / 2);
  if (again && sys_.set_valued[c] && mode_.branch[c].direction == before_.branch[c].direction)
    sys_.turn(int(c), t_, y_, mode_);
  // What was stored and is gone has been dissipated.
  y_[std::size_t(sys_.states + 1)] += stored - sys_.stored(t_, y_.data(), mode_);
  observe_->event(t_, y_, before_, mode_);
}

// A kink of a signal or a sample of a controller, at which contacts may change as well.
void MachineCvode::bend() {
  before_ = mode_;
  sys_.start(t_, y_, mode_);
  if (before_.branch == mode_.branch) return;
  ++report_.events;
  observe_->event(t_, y_, before_, mode_);
}

// In the plane friction has no direction at rest, and differences there no meaning: a contact that
// leaves rest starts with a speed that is less than its error.
void MachineCvode::set_off() {
  const Machine& m = sys_.machine();
  if (!m.planar) return;
  double* const v = y_.data() + sys_.v_at();
  sys_.look_at(t_, mode_);
  for (std::size_t c = 0; c < still_.size(); ++c) {
    const auto& contact = m.contacts[c];
    if (contact.dimension == 1 || !contact.set_valued || sys_.sticks(int(c), mode_)) continue;
    if (sys_.forward_speed(c, v, mode_) >= still_[c]) continue;
    for (int axis = 0; axis < 2; ++axis) {
      const MotionRow& row = m.line(contact, axis);
      double size = 0.0;
      for (const auto& term : row.coordinates) size += square(term.weight);
      for (const auto& term : row.coordinates)
        v[term.index] += still_[c] * mode_.branch[c].along[std::size_t(axis)] * term.weight / size;
    }
  }
  sys_.snap(t_, y_.data(), mode_);
}

// The guards a moment later, by the rates of now.
void MachineCvode::look_ahead() {
  const double moment = 1e-6 * longest_;
  sys_.rates(t_, y_.data(), mode_, rate_.data());
  for (std::size_t i = 0; i < y_.size(); ++i) ahead_[i] = y_[i] + moment * rate_[i];
  const auto n = std::size_t(sys_.n);
  for (std::size_t i = 0; i < n; ++i) ahead_[i] += 0.5 * moment * moment * rate_[n + i];
  read_guards(t_ + moment, ahead_.data(), soon_.data());
}

// Whether a guard that is not positive now is left at once.
bool MachineCvode::passes(int guard) {
  const double value = now_[std::size_t(guard)];
  if (value > 0.0) return false;
  const bool contact = guard < 2 * sys_.contacts;
  const bool remembers = contact && sys_.memory[std::size_t(guard / 2)];
  if (contact && !remembers && (guard % 2 == 1 || value < 0.0)) return true;
  look_ahead();
  return soon_[std::size_t(guard)] < 0.0;
}

// CVODE looks for guards that fall through zero; one that is not above it would never be seen to.
void MachineCvode::pass() {
  const int most_turns = 100 + 8 * sys_.contacts;
  for (int turns = 0;; ++turns) {
    if (turns > most_turns) {
      report_.status = Status::chattering;
      return;
    }
    read_guards(t_, y_.data(), now_.data());
    int guard = -1;
    for (int g = 0; g < sys_.guards() && guard < 0; ++g)
      if (passes(g)) guard = g;
    if (guard < 0) return;
    // At the very border, such as a load and a force that both begin at zero, what comes next
    // decides.
    const bool border = stick(guard) && now_[std::size_t(guard)] == 0.0;
    enter_after(guard, border ? t_ + 1e-6 * longest_ : t_);
  }
}

}  // namespace bristle::detail
