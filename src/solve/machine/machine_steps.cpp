// SPDX-License-Identifier: MIT
#include "machine_steps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::detail {

MachineSteps::MachineSteps(MachineSystem& system, const MachineControl& control)
    : sys_(system), control_(control), method_(system) {
  y_.assign(std::size_t(system.states + system.powers), 0.0);
}

void MachineSteps::reset() {
  t_ = 0.0;
  std::fill(y_.begin(), y_.end(), 0.0);
  sys_.first_state({y_.data(), std::size_t(sys_.states)});
  method_.begin(t_, y_, mode_);
  before_ = mode_;
}

// The next instant at which a controller samples.
double MachineSteps::next_sample() const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < mode_.controllers.size(); ++i)
    next = std::min(
        next, sys_.machine().controllers[i].settings.step * double(mode_.controllers[i].samples));
  return next;
}

StepReport MachineSteps::run(double end, MachineObserver& observe) {
  report_ = {};
  const long count = std::max(1L, std::lround(end / control_.step));
  const double h = end / double(count);
  method_.hold(y_);
  observe.step(method_, mode_, 0.0, 0.0);
  Pacer looks;
  for (long n = 0; n < count && report_.status == Status::done; ++n) {
    if (looks.due() && observe.cancelled(t_)) {
      report_.status = Status::cancelled;
      break;
    }
    const double stop = n + 1 == count ? end : double(n + 1) * h;
    for (double kink = next_sample(); kink < stop - 1e-9 * h && kink > t_ + 1e-9 * h;
         kink = next_sample())
      if (!advance(kink, observe)) break;
    if (report_.status == Status::done) advance(stop, observe);
  }
  report_.time = t_;
  return report_;
}

bool MachineSteps::advance(double stop, MachineObserver& observe) {
  if (!method_.step(t_, stop - t_, y_, mode_)) {
    report_.status = Status::failed;
    return false;
  }
  double sum = 0.0;
  for (const double value : y_) sum += value;
  if (!std::isfinite(sum)) {
    report_.status = Status::not_finite;
    report_.not_finite = {"state", t_};
    return false;
  }
  ++report_.steps;
  observe.step(method_, mode_, t_, stop);
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
    observe.event(t_, y_, before_, mode_);
  }
  before_ = mode_;
  return true;
}

}  // namespace bristle::detail
