// SPDX-License-Identifier: MIT
// Whether a function is Lipschitz continuous, continuous only, or discontinuous.
//
//   w(h) = largest |f(x + h) - f(x)| over x,   w(h) ~ h^exponent as h falls
//
// The exponent is that of Hoelder at the roughest place: 0 at a jump, 1 for a Lipschitz function,
// between the two for a function that is continuous but not Lipschitz. It is measured by looking
// ever closer at the place where f changes fastest. Limits: an exponent below 0.02 counts as a
// jump, one above 0.98 as Lipschitz; a jump of less than about 1e-8 of the range of f is not found.
// Of a law the function is the rate of its state over the state at a given velocity, and for a
// set-valued law the force over the velocity; of plays the slope of the output over the state of
// the first play, while the input rises. Source: thesis (1.20), (1.23), (1.24) and Table 1.2.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "bristle/model/any_law.hpp"
#include "bristle/system/system.hpp"

namespace bristle {

struct Continuity {
  double exponent = 1.0;
  double place = 0.0;  // where f changes fastest

  bool discontinuous() const { return exponent < 0.02; }
  bool lipschitz() const { return exponent > 0.98; }
};
// discontinuous, continuous but not Lipschitz, Lipschitz
std::string_view words(const Continuity& continuity);

// Differences are taken over distances from a thousandth down to `finest` of the interval.
Continuity continuity(const std::function<double(double)>& f, double low, double high,
                      double finest = 1e-8);

// Empty for a law that remembers more than its state.
std::optional<Continuity> continuity(const AnyLaw& law, double load = 1.0);
// Empty for a system that is not a sum of plays.
std::optional<Continuity> continuity(const AnySystem& system);

}  // namespace bristle
