// SPDX-License-Identifier: MIT
// Runs of a friction oscillator that are not by located modes: a given motion, and the law as
// printed.
#pragma once

#include "bristle/system/friction_oscillator.hpp"

namespace bristle::detail {

// The force over a given motion.
OscillatorRun follow(const MeasuredFriction& friction, const FrictionOscillator& body,
                     const Options& options);
OscillatorRun follow(const SevenParameter& law, const FrictionOscillator& body,
                     const Options& options);

// The literal form, at fixed steps.
OscillatorRun run_literal(const MeasuredFriction& friction, const FrictionOscillator& body,
                          const Options& options);

}  // namespace bristle::detail
