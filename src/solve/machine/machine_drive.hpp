// SPDX-License-Identifier: MIT
// Adaptive integration of a machine with located events.
//
// The rules are those of integrate.hpp, for any number of contacts: guards are watched over the
// whole step, a step in which one turns negative is repeated so that it ends at the first crossing,
// and what follows is decided for all contacts at rest at once (machine_system.hpp).
#pragma once

#include <vector>

#include "bristle/solve/drive.hpp"
#include "bristle/solve/locate.hpp"
#include "machine_observer.hpp"
#include "machine_scales.hpp"
#include "machine_step.hpp"

namespace bristle::detail {

class MachineDriver {
 public:
  MachineDriver(MachineSystem& system, const MachineControl& control);

  void reset();
  // Steps to an instant; further calls go on from there.
  StepReport run(double end, MachineObserver& observe);

  // As a stepper of drive().
  double time() const { return t_; }
  StepReport& report() { return report_; }
  void advance();

  const std::vector<double>& state() const { return y_; }  // states followed by energies
  const MachineMode& mode() const { return mode_; }
  long evaluations() const {  // in the last call of run()
    return 8 * (report_.steps + report_.rejected + report_.event_steps) + report_.steps;
  }

  // Says that forces have changed from outside: what sticks is decided anew.
  void disturb() { disturbed_ = true; }
  // Everything that the next step depends on, and back to it.
  struct Memory {
    double step, last_step, last_error;
  };
  Memory memory() const { return {h_, last_step_, last_error_}; }
  void resume(double t, std::span<const double> y, const MachineMode& mode, const Memory& memory);

 private:
  struct Crossing {
    int guard = -1;
    double step = 0.0;
    bool at_once = false, wrong = false;
  };

  double first_step() const;
  double attempt(double step);
  double measure() const;
  void reject(double step, double error);
  double growth(double step, double error);
  Crossing find_crossing(double step);
  Crossing locate_guard(int g, double high, double step);
  double first_below(int g, double step);
  double guess_of(int g, double high, double step, Hint& hint);
  double guard_at(int g, double t, const std::vector<double>& y);
  double guard_between(int g, double t, double s);
  double rounding_of(std::size_t contact) const;
  double slack_of(int g, double step) const;
  bool stick_guard(int g) const {
    return g < 2 * sys_.contacts && g % 2 == 0 && sys_.sticks(g / 2, mode_);
  }
  void hold(double step);
  void leave_at_once(const Crossing& crossing);
  void rest_longer(int tries);
  void enter_piece();
  void pass_corners();
  void enter_after(int guard, double step);

  MachineSystem& sys_;
  MachineControl control_;
  MachineStep method_;
  MachineObserver* observe_ = nullptr;
  MachineMode mode_, before_;
  StepReport report_;
  MachineScales scales_;
  std::vector<double> y_, first_, inside_, last_;
  std::vector<int> seen_;
  Pacer pacer_;
  double t_ = 0.0, h_ = 0.0, end_ = 0.0, longest_ = 0.0;
  double last_error_ = 1.0, last_step_ = 0.0, held_ = 0.0;
  int turns_ = 0, short_events_ = 0;
  bool prepared_ = false, disturbed_ = false, after_rejection_ = false;
};

}  // namespace bristle::detail
