// SPDX-License-Identifier: MIT
// Makes a failing machine small: as many fields as possible at their defaults, the others round,
// the run short.
#pragma once

#include <functional>

#include "machine.hpp"

namespace bristle::campaign {

// `fails` must be true of the machine given, and is of the one returned.
Machine minimised(Machine machine, const std::function<bool(const Machine&)>& fails);

}  // namespace bristle::campaign
