// SPDX-License-Identifier: MIT
// A system as a file that `bristle run` reads.
#pragma once

#include <string>

#include "bristle/system/system.hpp"

namespace bristle::io {

// Title, section [system] with all fields, and an input between two values to try it with.
std::string model_text(const SystemModel& model, const std::string& title, double low, double high);

}  // namespace bristle::io
