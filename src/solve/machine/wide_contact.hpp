// SPDX-License-Identifier: MIT
// A contact whose law has several states or acts in the plane, within an implicit step.
//
// With the change s of the relative position, w of the velocity and z of the states over a stage,
//
//   shift z = known_z + g_s s + g_w w + g_z z,     force = f_s s + f_w w + f_z z
//
// and s = (known_s + w) / shift. Where the law looks at the acceleration, its change a = shift w -
// known_a adds f_a a to the force. The states are eliminated here, once per step, so that the
// bodies see a matrix of one or two rows.
#pragma once

#include <vector>

#include "bristle/model/block_law.hpp"

namespace bristle::detail {

class WideContact {
 public:
  explicit WideContact(const BlockLaw& law);

  // Value and derivatives at the start of the step.
  BlockSlopes slopes;

  // Eliminates the states. False if the step is too long for that.
  bool condense(double shift);
  // The derivative of the force on an axis with respect to the velocity on another.
  double resistance(int i, int j) const { return resistance_[std::size_t(i * slopes.d + j)]; }
  // The force from what is known before the velocities: s = known_s / shift, and known_z.
  void known_force(const double* s, const double* known_z, double* force, double known_a = 0.0);
  // The change of the states for that of the positions and velocities.
  void states(const double* known_z, const double* s, const double* w, double* z);
  // A row of the response: the forces, then the rates, then the loss.
  double along(int row, const double* s, const double* w, const double* z, double a = 0.0) const;

 private:
  void solve(double* x);

  // States that only remember have no rate: there is nothing to eliminate.
  bool still_ = false;
  double shift_ = 1.0;

  std::vector<double> factor_;  // L and U of shift - g_z
  std::vector<int> order_;
  std::vector<double> resistance_, work_, sorted_;
};

}  // namespace bristle::detail
