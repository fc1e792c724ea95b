// SPDX-License-Identifier: MIT
// The hysteretic law to the letter: every acceleration that solves
//   mass a = push - load f(v, a),
// with f_st = contact_stiffness v^2 / (2 load |a|) - f0 while the contact yields. f_st falls with
// |a|, so that the yielding branch alone has two solutions or none, and between f- and f+ there is
// none at all. Source: hysteretic effects of dry friction (4.1)-(4.4), (5.6).
#pragma once

#include <vector>

#include "bristle/system/friction_oscillator.hpp"

namespace bristle {

struct LiteralRoot {
  double acceleration = 0.0, coefficient = 0.0;
  ContactMode branch = ContactMode::yields;
};

// In order of acceleration; empty where none exists.
std::vector<LiteralRoot> literal_roots(const HystereticStatic<>& law, double mass, double load,
                                       double velocity, double push);

}  // namespace bristle
