// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace bristle::cli {

// Drives every system of a file to a periodic state and reports the properties of its map.
int loop_of_file(const std::string& file, const std::string& directory, bool json);

}  // namespace bristle::cli
