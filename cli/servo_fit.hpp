// SPDX-License-Identifier: MIT
// `bristle fit --mechanism servo_pendulum`.
#pragma once

#include "fit_arguments.hpp"

namespace bristle::cli {

bool asks_for_servo(const FitArguments& a);
// Throws InvalidInput if a model and a mechanism do not go together, or options of a servo are
// given without one.
void check_servo_words(const FitArguments& a);
// Fits, prints and writes; returns the exit code.
int run_servo_fit(const FitArguments& a);

}  // namespace bristle::cli
