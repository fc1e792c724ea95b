// SPDX-License-Identifier: MIT
// A machine by SUNDIALS CVODE: the second opinion.
//
// It shares the equations, guards and transitions of machine_system.hpp with the default method,
// but none of the integration: the rates are those with the forces of stuck contacts, the Jacobian
// is taken by differences, and events are found by CVODE and within its interpolation.
#pragma once

#include <optional>
#include <vector>

#include "../cvode.hpp"
#include "bristle/solve/pacer.hpp"
#include "machine_observer.hpp"
#include "machine_scales.hpp"

namespace bristle::detail {

class MachineCvode {
 public:
  // The matrix is dense: states and energies beyond this number would take too long.
  static constexpr int most = 2000;

  MachineCvode(MachineSystem& system, const MachineControl& control);

  void reset();
  // From the start to an instant.
  StepReport run(double end, MachineObserver& observe);

  double time() const { return t_; }
  const std::vector<double>& state() const { return y_; }  // states followed by energies
  const MachineMode& mode() const { return mode_; }
  long evaluations() const { return method_ ? method_->evaluations() : 0; }

 private:
  // The last step of CVODE.
  struct Path final : MachinePath {
    explicit Path(MachineCvode& owner) : run(owner), at(owner.y_.size()) {}
    const std::vector<double>& y1() const override { return run.y_; }
    void open_dense() override {}
    const std::vector<double>& dense(double s) override;

    MachineCvode& run;
    double from = 0.0, to = 0.0;
    std::vector<double> at;
  };

  CvodeProblem problem();
  std::vector<double> allowed_errors(double tolerance, double longest);
  void refine(const double* y, double* allowed);
  void read_guards(double t, const double* y, double* values);
  void advance();
  void look_ahead();
  bool passes(int guard);
  void pass();
  void set_off();
  void enter_after(int guard, double when);
  void enter_piece();
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
  StepReport report_;
  std::vector<double> y_, rate_, ahead_;
  std::vector<double> now_, soon_;  // guards
  std::vector<double> still_;       // of each contact: a velocity below zero by less is none
  std::optional<Cvode> method_;
  Path path_;
  Pacer pacer_;
  double t_ = 0.0, end_ = 0.0, longest_ = 0.0, tolerance_ = 0.0;
  int idle_ = 0;  // events in succession without progress
};

}  // namespace bristle::detail
