// SPDX-License-Identifier: MIT
// Rolling contacts as systems: a patch under a given slip velocity, and a braked wheel on one.
#pragma once

#include "bristle/system/contact_patch.hpp"
#include "bristle/system/system.hpp"

namespace bristle {

// Input: slip velocity [m/s]; output: friction force [N]. Steps of Options::step or less, at most a
// twentieth of the time a bristle takes through the patch.
std::shared_ptr<const AnySystem> patch_system(std::shared_ptr<const AnyLaw> law, PatchShape shape);

// The patch of such a system, at its start; none for other systems.
const ContactPatch* patch_of(const AnySystem& system);

// A wheel that carries a mass, braked by a torque:
//   inertia w' = radius F - torque,   mass V' = -F,   slip = V - radius w
// The brake holds a wheel at rest as long as the contact does not turn it by more than the torque.
// Bristles travel with the wheel: radius w / contact_length lengths per second; a locked wheel
// slides on bristles that stay. Input: brake torque [N m]; output: friction force [N]; second
// output: speed of the vehicle [m/s].
struct BrakedWheel {
  using Number = double;
  static constexpr std::string_view name = "braked_wheel";
  static constexpr std::string_view summary =
      "wheel on a rolling patch that carries a mass; the input is the brake torque";

  double mass = 400.0;
  double inertia = 1.2;
  double radius = 0.3;
  double contact_length = 0.1;
  double speed = 20.0;
  PatchShape patch{};

  static constexpr auto fields() {
    using F = Field<BrakedWheel>;
    using B = BrakedWheel;
    return std::array{
        F{"mass", "kg", "mass carried by the wheel", positive, &B::mass},
        F{"inertia", "kg m2", "moment of inertia of the wheel", positive, &B::inertia},
        F{"radius", "m", "rolling radius", positive, &B::radius},
        F{"contact_length", "m", "length of the patch", positive, &B::contact_length},
        F{"speed", "m/s", "speed of the vehicle at the start, the wheel rolling freely",
          non_negative, &B::speed}};
  }
};

std::shared_ptr<const AnySystem> wheel_system(std::shared_ptr<const AnyLaw> law, BrakedWheel wheel);

}  // namespace bristle
