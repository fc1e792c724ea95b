// SPDX-License-Identifier: MIT
// Friction at the fixed step of a controller or a simulator.
//
// There are two ways:
//
//   (a) Velocity given: advance() of model/advance.hpp, the exact update of the bristle with the
//   velocity in
//       the middle of the step. Right for compensation and for measured data. If the force is then
//       fed into a body stepped explicitly, stick chatters once step^2 * stiffness / mass is large.
//   (b) Velocity and bristle solved together: method "coupled" of simulate(), HostFriction of
//       host.hpp. Holds stick at any step.
//
// For hosts that own the time loop, FrictionElement offers force_at (a trial, changes nothing),
// tangent (its derivative with respect to the new velocity) and advance (commits). It can be copied
// with memcpy, allocates nothing and throws nothing.
#pragma once

#include <cmath>

#include "bristle/model/advance.hpp"

namespace bristle {

// A friction law in the time loop of a host. The force returned belongs to the end of the step.
template <StateLaw L>
class FrictionElement {
 public:
  FrictionElement(const L& law, double step) noexcept : law_(law), step_(step) {}

  struct Trial {
    double force;    // at the end of the step [N]
    double tangent;  // d force / d velocity at the end of the step [N s/m]
  };

  // The force if the velocity ends the step at `velocity`; it starts at that of the last advance().
  Trial force_at(double velocity, double position = 0.0, double load = 1.0) const noexcept {
    using D = Dual<double, 1>;
    const D v = variable<1>(velocity, 0);
    const D z = next(v, D(position), D(load));
    const auto r = bristle::respond(law_, z, Motion<D>{D(position), v, D(load), D(0.0)});
    return {r.force.value, r.force.slope[0]};
  }

  // Takes the step for good and returns the force at its end.
  double advance(double velocity, double position = 0.0, double load = 1.0) noexcept {
    state_ = next(velocity, position, load);
    velocity_ = velocity;
    return bristle::force(law_, state_, Motion<double>{position, velocity, load, 0.0});
  }

  double state() const noexcept { return state_; }
  void reset(double state = 0.0, double velocity = 0.0) noexcept {
    state_ = state;
    velocity_ = velocity;
  }

 private:
  template <class S>
  S next(const S& velocity, const S& position, const S& load) const noexcept {
    const Motion<S> middle{position, 0.5 * (velocity_ + velocity), load, S(0.0)};
    return bristle::advance(law_, S(state_), middle, S(step_));
  }

  L law_;
  double step_;
  double state_ = 0.0;
  double velocity_ = 0.0;
};

}  // namespace bristle
