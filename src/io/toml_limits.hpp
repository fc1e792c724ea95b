// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace bristle::io {

// Refuses a text that a parser of TOML would run out of memory or stack on: more than 64 MiB, more
// than 64 levels of brackets, or a key of more than 64 parts. Throws InputError with file and line.
void check_toml_size(const std::string& text, const std::string& path);

}  // namespace bristle::io
