// SPDX-License-Identifier: MIT
// The figures of a fit of motion.
#pragma once

#include "bristle/io/fit_report.hpp"

namespace bristle::io {

// What was measured and fitted, residuals, the input, and the output over the input.
std::vector<Plot> rollout_plots(const FitReport& report);

// The name of the second way of doing nothing.
std::string_view simple_name(const FitSummary& fit);

}  // namespace bristle::io
