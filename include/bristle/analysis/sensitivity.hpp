// SPDX-License-Identifier: MIT
// Whether a friction law is sensitive to the dynamics of the system, as its source defines it.
//
// A law is insensitive if its force is a function of the velocity and of whether the motion speeds
// up or slows down: then its characteristic is the same for any motion. It is sensitive if the same
// velocity gives another force in another motion, by frictional memory or a break-away that varies.
// Three motions of the same top speed are compared: a sine, one of twice the frequency, and two
// sines together. The difference is the largest one between their forces at equal velocity, sign
// and direction of change, over the largest force; next to rest, where any law jumps, nothing is
// compared. Source: hysteretic effects of dry friction, section 6, which names the two groups and
// gives no number; the threshold is ours.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "bristle/mechanism/signal.hpp"
#include "bristle/model/any_law.hpp"
#include "bristle/solve/options.hpp"

namespace bristle {

struct SensitivityOptions {
  double amplitude = 3e-3;  // of the sine [m]
  double frequency = 60.0;  // [rad/s]
  double threshold = 0.01;  // of the largest force
  double load = 1.0;        // [N]
  double near_rest = 0.02;  // part of the top speed within which nothing is compared
};

struct Sensitivity {
  bool sensitive = false;
  double difference = 0.0;  // over the largest force
  double velocity = 0.0;    // at which it occurs [m/s]
};

// Velocity, acceleration and force along a motion.
struct Characteristic {
  std::vector<double> velocity, acceleration, force;
};
using ForceOver = std::function<Characteristic(const Signal& motion, const Options& options)>;

Sensitivity classify_sensitivity(const ForceOver& force, const SensitivityOptions& options = {});
Sensitivity classify_sensitivity(const AnyLaw& law, const SensitivityOptions& options = {});

}  // namespace bristle
