// SPDX-License-Identifier: MIT
// What every method that steps a machine is told, and whom it tells of its steps and events.
#pragma once

#include <vector>

#include "bristle/solve/status.hpp"
#include "machine_system.hpp"

namespace bristle::detail {

// A step to be read: the states followed by the energies.
class MachinePath {
 public:
  virtual ~MachinePath() = default;
  virtual const std::vector<double>& y1() const = 0;  // at its end
  // Makes ready for reading between the ends of the step.
  virtual void open_dense() = 0;
  // At a fraction of the step, valid until the next call.
  virtual const std::vector<double>& dense(double s) = 0;
};

// Called after each step from t to end, and at each event with the mode before it.
class MachineObserver {
 public:
  virtual ~MachineObserver() = default;
  virtual void step(MachinePath& path, const MachineMode& mode, double t, double end) = 0;
  virtual void event(double t, const std::vector<double>& y, const MachineMode& before,
                     const MachineMode& after) = 0;
  virtual bool cancelled(double t) = 0;
};

struct MachineControl {
  double tolerance = 1e-8;
  long step_limit = 20'000'000;
  double least_steps = 10.0;  // of one call of run()
  double step = 0.0;          // of methods at a fixed one [s]
};

}  // namespace bristle::detail
