// SPDX-License-Identifier: MIT
// A machine by SUNDIALS CVODE: the second opinion.
//
// It shares the equations, guards and transitions of machine_system.hpp with the default method,
// but none of the integration: the rates are those with the forces of stuck contacts, the Jacobian
// is taken by differences, and events are found by CVODE and within its interpolation.
#pragma once

#include <vector>

#include "../cvode_stepper.hpp"
#include "machine_observer.hpp"
#include "machine_scales.hpp"

namespace bristle::detail {

class MachineCvode final : public CvodeStepper {
 public:
  // The matrix is dense: states and energies beyond this number would take too long.
  static constexpr int most = 2000;

  MachineCvode(MachineSystem& system, const MachineControl& control);

  void reset();
  // From the start to an instant.
  StepReport run(double end, MachineObserver& observe);

  const std::vector<double>& state() const { return y_; }  // states followed by energies
  const MachineMode& mode() const { return mode_; }

 private:
  // The last step of CVODE.
  struct Path final : MachinePath {
    Path(MachineCvode& owner, std::size_t size) : run(owner), at(size) {}
    const std::vector<double>& y1() const override { return run.state(); }
    void open_dense() override {}
    const std::vector<double>& dense(double s) override;

    MachineCvode& run;
    std::vector<double> at;
  };

  double next_kink() const override { return sys_.next_kink(t_, mode_); }
  void taken() override;
  void cross(int guard) override { enter_after(guard, t_); }
  void bend() override;
  void settle() override;
  void explain() override;
  int most_idle() const override { return 1000 + 20 * sys_.contacts; }

  CvodeProblem problem();
  std::vector<double> allowed_errors(double tolerance, double longest);
  void refine(const double* y, double* allowed);
  void read_guards(double t, const double* y, double* values);
  void look_ahead();
  bool passes(int guard);
  void pass();
  void set_off();
  void enter_after(int guard, double when);
  bool velocity(int guard) const {
    return guard < 2 * sys_.contacts && guard % 2 == 0 && !sys_.sticks(guard / 2, mode_);
  }
  bool stick(int guard) const {
    return guard < 2 * sys_.contacts && guard % 2 == 0 && sys_.sticks(guard / 2, mode_);
  }

  MachineSystem& sys_;
  MachineControl control_;
  MachineScales scales_;
  MachineObserver* observe_ = nullptr;
  MachineMode mode_, before_;
  std::vector<double> rate_, ahead_;
  std::vector<double> now_, soon_;  // guards
  std::vector<double> still_;       // of each contact: a velocity below zero by less is none
  Path path_;
  Pacer looks_;
  double longest_ = 0.0, tolerance_ = 0.0;
};

}  // namespace bristle::detail
