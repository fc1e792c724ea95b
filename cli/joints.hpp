// SPDX-License-Identifier: MIT
// Several joints of one record, each with a law of its own parameters.
#pragma once

#include "fit_arguments.hpp"

namespace bristle::cli {

// Fits the law to every joint of --joint, one after the other, and prints one row per joint. What
// one joint does to the torque of another is not modelled.
int run_joint_fits(const FitArguments& a);

}  // namespace bristle::cli
