// SPDX-License-Identifier: MIT
// A column by its name.
#pragma once

#include <string>
#include <vector>

namespace bristle::io {

// The place of a name. Throws InputError with the names there are, or if several columns have it.
std::size_t place_of(const std::vector<std::string>& names, const std::string& name,
                     const std::string& path);
std::string words_of(const std::vector<std::string>& names);  // "time, x, F"

}  // namespace bristle::io
