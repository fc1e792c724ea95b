// SPDX-License-Identifier: MIT
// `bristle fit --machine`: parameters of a machine from measured motion.
#pragma once

#include "fit_arguments.hpp"

namespace bristle::cli {

int run_machine_fit(const FitArguments& a);

}  // namespace bristle::cli
