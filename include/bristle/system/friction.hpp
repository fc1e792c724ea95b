// SPDX-License-Identifier: MIT
// A friction law in its mechanism as a system with an input and an output, so that every analysis
// of maps apply to it: displacement to force, or force to position.
#pragma once

#include "bristle/solve/simulate.hpp"
#include "bristle/system/system.hpp"

namespace bristle {

// Input: the displacement of the body; output: the friction force.
std::shared_ptr<const AnySystem> friction_system(std::shared_ptr<const AnyLaw> law,
                                                 PrescribedMotion mechanism);
// Input: the force on a body on a wall spring; output: its position.
std::shared_ptr<const AnySystem> friction_system(std::shared_ptr<const AnyLaw> law,
                                                 WallSpringMass mechanism);

}  // namespace bristle
