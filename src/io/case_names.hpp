// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "bristle/io/experiment.hpp"

namespace bristle::io {

// The file of each case, from its label.
std::vector<std::string> file_names(const Experiment& experiment);

}  // namespace bristle::io
