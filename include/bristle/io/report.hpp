// SPDX-License-Identifier: MIT
// A page a person can open in a browser: figures, verdicts, parameters, counts.
#pragma once

#include <string>
#include <vector>

#include "bristle/io/plot.hpp"
#include "bristle/io/runner.hpp"

namespace bristle::io {

// Self-contained: the page draws its figures itself.
std::string report_html(const Experiment& experiment, const ExperimentResult& result,
                        const std::vector<Plot>& plots, const std::string& command);

}  // namespace bristle::io
