// SPDX-License-Identifier: MIT
// What must hold of every run, whatever its parameters.
#pragma once

#include <string>
#include <vector>

#include "machine.hpp"

namespace bristle::campaign {

// A property that does not hold, with the size of what is wrong in units of what is allowed.
struct Violation {
  std::string property;
  std::string words;
  double size = 0.0;
};

// Of an adaptive run: it is done or says why not, all numbers are finite, times increase, the last
// sample is there, the ledger closes, a passive law never gives back what was dissipated, and a
// body that sticks has a velocity of exactly zero.
std::vector<Violation> adaptive_violations(const Parts& parts, const Simulation& run);

// Of a run by the coupled step: finite, exactly at rest in stick, no energy from a passive law, and
// no more energy than the drive can have given.
std::vector<Violation> fixed_violations(const Parts& parts, const Simulation& run);

// The ledger must close within this part of the work.
double allowed_ledger_error(double tolerance);

// Whether the law, as it is set, is passive at all speeds up to the given one.
bool passive(const Parts& parts, double top_speed);

// How large the state of a law may become, in units of its scale.
double bound_of(const AnyLaw& law);

}  // namespace bristle::campaign
