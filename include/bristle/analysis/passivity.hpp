// SPDX-License-Identifier: MIT
// Passivity of a friction law: it never gives back more energy than was put in.
//
// With the energy stored in the bristles as storage function, a law is passive if the power it
// dissipates, F v - W', is never negative, for any state and any velocity. For laws linear in their
// state that power is a quadratic in the state, and its minimum is known exactly; LuGre fails where
// damping^2 |v| > 4 (damping + viscous) g(v). For others the states within twice the break-away
// deflection are searched. Source: friction with bristle dynamics (23)-(27), (50).
#pragma once

#include <string>
#include <vector>

#include "bristle/mechanism/signal.hpp"
#include "bristle/model/any_law.hpp"
#include "bristle/system/contact_patch.hpp"

namespace bristle {

struct Certificate {
  enum Kind { always, below, never } kind = always;
  double speed = 0.0;  // the law is passive for |v| below this, if `below` [m/s]
  double state = 0.0, velocity = 0.0, power = 0.0;        // a state that gives energy away [W]
  bool searched = false;                                  // a search, not a proof
  std::string words(const std::string& way = "m") const;  // what the speed is a rate of
};

// For velocities from 1e-9 to top_speed, of either sign. Throws InvalidInput for a law without a
// state.
Certificate certify(const AnyLaw& law, double top_speed = 1e3, double load = 1.0);

// The condition (50) for a rolling contact: stiffness times pressure times transport does not rise
// along the patch. It is sufficient, not necessary.
struct PatchCertificate {
  bool shown = false;
  double place = 0.0;  // where it rises, if not shown
};
PatchCertificate certify(const PatchShape& shape);

// The energy a contact has turned into heat as the slip velocity follows a signal, at equal
// distances in time: the work of the slip less the change of what the bristles store. Where it
// falls, the contact gives back energy that was not put in, and (49) fails with that storage.
std::vector<double> dissipated(ContactPatch patch, const Signal& slip, double end, int samples);

}  // namespace bristle
