// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace bristle::cli {

// Drives every system of a file until its map closes and says what the map tells.
int loop_of_file(const std::string& file, const std::string& directory, bool json);

}  // namespace bristle::cli
