// SPDX-License-Identifier: MIT
// A page a person can open in a browser: figures, verdicts, parameters, counts.
#pragma once

#include <string>
#include <vector>

#include "bristle/io/runner.hpp"

namespace bristle::io {

// Self-contained; `pictures` are SVG texts.
std::string report_html(const Experiment& experiment, const ExperimentResult& result,
                        const std::vector<std::string>& pictures, const std::string& command);

}  // namespace bristle::io
