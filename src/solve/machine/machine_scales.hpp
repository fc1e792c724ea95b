// SPDX-License-Identifier: MIT
// What the errors of a machine are measured against, whatever the method.
#pragma once

#include <vector>

#include "machine_system.hpp"

namespace bristle::detail {

struct MachineScales {
  // Sizes below which errors count as absolute: from the forces there are and the stiffness and
  // inertia they meet.
  explicit MachineScales(const MachineSystem& system);

  std::vector<double> state;       // of each state and energy
  std::vector<double> deflection;  // of each coordinate, as far as bristles hold it
  std::vector<double> stretch;     // of each linear coupling
  std::vector<double> rate;        // of each contact
};

}  // namespace bristle::detail
