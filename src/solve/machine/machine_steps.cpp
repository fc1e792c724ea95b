// SPDX-License-Identifier: MIT
#include "machine_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::detail {

template <class Method>
MachineSteps<Method>::MachineSteps(MachineSystem& system, const MachineControl& control)
    : sys_(system), control_(control), method_(system) {
  y_.assign(std::size_t(system.states + system.powers), 0.0);
}

template <class Method>
void MachineSteps<Method>::reset() {
  t_ = 0.0;
  std::fill(y_.begin(), y_.end(), 0.0);
  sys_.first_state({y_.data(), std::size_t(sys_.states)});
  method_.begin(t_, y_, mode_);
  before_ = mode_;
}

// The next instant at which a controller samples.
template <class Method>
double MachineSteps<Method>::next_sample() const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < mode_.controllers.size(); ++i)
    next = std::min(
        next, sys_.machine().controllers[i].settings.step * double(mode_.controllers[i].samples));
  return next;
}

template <class Method>
StepReport MachineSteps<Method>::run(double end, MachineObserver& observe) {
  observe_ = &observe;
  report_ = {};
  end_ = end;
  count_ = std::max(1L, std::lround(end / control_.step));
  ended_ = 0;
  method_.hold(y_);
  observe.step(method_, mode_, 0.0, 0.0);
  drive(*this, end_, double(control_.step_limit), looks_, [&] { return observe.cancelled(t_); });
  return report_;
}

// To the end of the step, or to a sample of a controller within it.
template <class Method>
void MachineSteps<Method>::advance() {
  const double h = end_ / double(count_), kink = next_sample();
  const double whole = ended_ + 1 == count_ ? end_ : double(ended_ + 1) * h;
  if (kink < whole - 1e-9 * h && kink > t_ + 1e-9 * h) return step(kink);
  ++ended_;
  step(whole);
}

// The column of a state; where the states are finite and an energy is not, a force is at fault.
template <class Method>
std::string_view MachineSteps<Method>::not_finite(std::size_t i, double t) {
  if (i < std::size_t(sys_.states)) return sys_.column_of(int(i));
  const auto lines = sys_.machine().lines.size();
  std::vector<double> force(lines), velocity(lines);
  sys_.contact_forces(t, y_.data(), mode_, force, velocity);
  for (const double one : force)
    if (!std::isfinite(one)) return "force";
  return sys_.column_of(int(i));
}

template <class Method>
void MachineSteps<Method>::step(double stop) {
  if (!method_.step(t_, stop - t_, y_, mode_)) {
    report_.status = method_.finite() ? Status::failed : Status::not_finite;
    if (!method_.finite()) report_.not_finite = {"force", stop};
    return;
  }
  double sum = 0.0;
  for (const double value : y_) sum += value;
  // The sum of finite numbers may overflow, so each is looked at.
  for (std::size_t i = 0; i < y_.size() && !std::isfinite(sum); ++i) {
    if (std::isfinite(y_[i])) continue;
    report_.status = Status::not_finite;
    report_.not_finite = {not_finite(i, stop), stop};
    return;
  }
  ++report_.steps;
  observe_->step(method_, mode_, t_, stop);
  const double kink = next_sample(), width = stop - t_;
  t_ = stop;
  // A sample within rounding of the step is due at its end.
  const double due = std::abs(kink - stop) <= 1e-9 * width ? std::max(kink, stop) : stop;
  sys_.start(due, {y_.data(), std::size_t(sys_.states)}, mode_);
  bool changed = false;
  for (std::size_t c = 0; c < mode_.branch.size(); ++c)
    changed = changed || mode_.branch[c].direction != before_.branch[c].direction;
  if (changed) {
    ++report_.events;
    observe_->event(t_, y_, before_, mode_);
  }
  before_ = mode_;
}

template class MachineSteps<MachineFixed>;
template class MachineSteps<MachineExact>;

}  // namespace bristle::detail
