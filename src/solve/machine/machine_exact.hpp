// SPDX-License-Identifier: MIT
// Fixed steps of a machine with exact bristles: method "bristle_only", and given motion.
//
// Over a step each contact has one velocity, and its bristle follows exactly for as long as that
// lasts. Where bodies move it is the velocity at the start; the forces with the bristles at the end
// then give v += h a, x += h v: order 1, and stick chatters where the step is long for stiffness
// and mass. Where the motion is given it is that of the middle of the step: order 2.
#pragma once

#include <vector>

#include "machine_observer.hpp"

namespace bristle::detail {

class MachineExact final : public MachinePath {
 public:
  // Whether it knows the machine: laws with one state, or set-valued ones along a given motion, and
  // inputs that act at once.
  static bool knows(const Machine& machine);

  explicit MachineExact(MachineSystem& system);

  // The mode at the start; `y` holds the states followed by the energies.
  void begin(double t, std::vector<double>& y, MachineMode& mode);
  bool step(double t, double h, std::vector<double>& y, MachineMode& mode);

  long sweeps() const { return sweeps_; }
  bool finite() const { return true; }  // its steps do not fail

  // Holds a state as if it were the end of a step.
  void hold(const std::vector<double>& y) { y1_ = y; }
  const std::vector<double>& y1() const override { return y1_; }
  void open_dense() override {}
  const std::vector<double>& dense(double s) override;

 private:
  void advance_bristles(double t, double ahead, double h);

  MachineSystem& sys_;
  MachineMode mode_;
  std::vector<double> y0_, y1_, at_, dense_, push_, p_rate_, z_rate_, power_, acceleration_;
  double h_ = 0.0;
  long sweeps_ = 0;
};

}  // namespace bristle::detail
