// SPDX-License-Identifier: MIT
// A machine from start to end at a fixed step, by one of the methods that take one.
#pragma once

#include <vector>

#include "bristle/solve/drive.hpp"
#include "machine_exact.hpp"
#include "machine_fixed.hpp"

namespace bristle::detail {

template <class Method>
class MachineSteps {
 public:
  MachineSteps(MachineSystem& system, const MachineControl& control);

  void reset();
  // From the start to an instant, in a whole number of steps; one ends early where a controller
  // samples within it.
  StepReport run(double end, MachineObserver& observe);

  // As a stepper of drive().
  double time() const { return t_; }
  StepReport& report() { return report_; }
  void advance();

  const std::vector<double>& state() const { return y_; }  // states followed by energies
  const MachineMode& mode() const { return mode_; }
  long evaluations() const { return method_.sweeps(); }

 private:
  void step(double stop);
  double next_sample() const;
  std::string_view not_finite(std::size_t i, double t);

  MachineSystem& sys_;
  MachineControl control_;
  Method method_;
  MachineMode mode_, before_;
  MachineObserver* observe_ = nullptr;
  StepReport report_;
  std::vector<double> y_;
  double t_ = 0.0, end_ = 0.0;
  long count_ = 1, ended_ = 0;  // steps of the given size, and how many of them are over
  Pacer looks_;
};

extern template class MachineSteps<MachineFixed>;
extern template class MachineSteps<MachineExact>;

}  // namespace bristle::detail
