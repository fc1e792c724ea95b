// SPDX-License-Identifier: MIT
// A machine from start to end at a fixed step, by one of the methods that take one.
#pragma once

#include <vector>

#include "bristle/solve/pacer.hpp"
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

  double time() const { return t_; }
  const std::vector<double>& state() const { return y_; }  // states followed by energies
  const MachineMode& mode() const { return mode_; }
  long evaluations() const { return method_.sweeps(); }

 private:
  bool advance(double stop, MachineObserver& observe);
  double next_sample() const;
  std::string_view not_finite(std::size_t i, double t);

  MachineSystem& sys_;
  MachineControl control_;
  Method method_;
  MachineMode mode_, before_;
  StepReport report_;
  std::vector<double> y_;
  double t_ = 0.0;
};

extern template class MachineSteps<MachineFixed>;
extern template class MachineSteps<MachineExact>;

}  // namespace bristle::detail
