// SPDX-License-Identifier: MIT
// A system with modes, stepped by CVODE from event to event: what bodies, smoothed bodies and
// machines have in common. The systems say what a step, a guard and a kink mean to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "bristle/solve/drive.hpp"
#include "cvode.hpp"

namespace bristle::detail {

// A stepper of drive(); one call of advance() is one step of CVODE with the event at its end.
class CvodeStepper {
 public:
  virtual ~CvodeStepper() = default;
  double time() const { return t_; }
  StepReport& report() { return report_; }
  void advance();
  long evaluations() const { return method_ ? method_->evaluations() : 0; }

 protected:
  // Steps from time t_ and values y_ lead to `end` after this.
  void open(CvodeProblem problem, double relative, std::span<const double> absolute, double longest,
            double end);
  // The values within the last step, which began at from_.
  void between(double t, std::span<double> y) const { method_->between(t, y); }
  const Cvode& method() const { return *method_; }
  double end() const { return end_; }
  // Events in succession without progress.
  int idle() const { return idle_; }

  virtual double next_kink() const = 0;
  // Where a step ends although nothing changes.
  virtual double next_stop() const { return std::numeric_limits<double>::infinity(); }
  // A step has been made from from_ to t_.
  virtual void taken() = 0;
  // A guard has fallen through zero.
  virtual void cross(int) {}
  // A kink of what drives the motion.
  virtual void bend() = 0;
  // What CVODE would not see to as it starts anew: guards that are not positive there.
  virtual void settle() {}
  // What became not finite where no step leads on, once report_ says so or that CVODE failed.
  virtual void explain() {}
  virtual int most_idle() const { return 1000; }

  StepReport report_;
  std::vector<double> y_, first_;  // now, and at the start of the last step
  double t_ = 0.0, from_ = 0.0;

 private:
  std::optional<Cvode> method_;
  double end_ = 0.0;
  int idle_ = 0;
};

inline void CvodeStepper::open(CvodeProblem problem, double relative,
                               std::span<const double> absolute, double longest, double end) {
  end_ = end;
  method_.emplace(std::move(problem), t_, y_, relative, absolute);
  method_->limit_step(longest);
}

inline void CvodeStepper::advance() {
  const double kink = next_kink(), stop = std::min({end_, kink, next_stop()});
  int guard = -1;
  from_ = t_;
  first_ = y_;
  const auto outcome = method_->step(stop, t_, y_, guard);
  report_.steps = method_->steps();
  report_.rejected = method_->rejected();
  if (outcome == Cvode::Outcome::failed) {
    report_.status = method_->not_finite() >= 0 ? Status::not_finite : Status::failed;
    return explain();
  }
  report_.error_sum += std::abs(method_->local_errors()[0]);
  if (outcome == Cvode::Outcome::reached) t_ = stop;
  taken();
  const bool event = outcome == Cvode::Outcome::guard;
  idle_ = event && t_ - from_ <= 1e-13 * end_ ? idle_ + 1 : 0;
  if (idle_ > most_idle()) report_.status = Status::chattering;
  if (event) cross(guard);
  // A kink at the very end belongs to what follows. An event within rounding of a kink is at the
  // kink, which is not met again.
  const bool bends = (t_ >= kink || next_kink() > kink) && t_ < end_;
  if (bends) bend();
  if (!event && !bends) return;
  settle();
  method_->restart(t_, y_);
}

}  // namespace bristle::detail
