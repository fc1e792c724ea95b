// SPDX-License-Identifier: MIT
// The named mechanisms as machines: each is a short way to write one. The body is called "body" and
// the contact "contact"; positions are those of a frame at rest, so that a body over a moving base
// is given as its own motion and not relative to the base.
#pragma once

#include "bristle/machine/machine.hpp"
#include "bristle/mechanism/base_excited_mass.hpp"
#include "bristle/mechanism/diaphragm_valve.hpp"
#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/mechanism/pendulum.hpp"
#include "bristle/mechanism/prescribed_motion.hpp"
#include "bristle/mechanism/rig.hpp"
#include "bristle/mechanism/wall_spring_mass.hpp"

namespace bristle {

using LawPointer = std::shared_ptr<const AnyLaw>;

MachineParts parts_of(const DraggedMass& mechanism, LawPointer law);
MachineParts parts_of(const WallSpringMass& mechanism, LawPointer law);
MachineParts parts_of(const BaseExcitedMass& mechanism, LawPointer law);
MachineParts parts_of(const Pendulum& mechanism, LawPointer law);
MachineParts parts_of(const DiaphragmValve& mechanism, LawPointer law);
// The bodies are called "mass", "tongue" and "pads"; the contact is that of the last two.
MachineParts parts_of(const Rig& mechanism, LawPointer law);
// The contact of a drive called "body" with the ground.
MachineParts parts_of(const PrescribedMotion& mechanism, LawPointer law);

}  // namespace bristle
