// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#define TOML_HEADER_ONLY 0
#define TOML_SHARED_LIB 1
#include <toml++/toml.h>

namespace bristle::io {

// Refuses a text that a parser of TOML would run out of memory or stack on: more than 64 MiB, more
// than 64 levels of brackets, or a key of more than 64 parts. Throws InputError with file and line.
void check_toml_size(const std::string& text, const std::string& path);

// Refuses a key or a text with a control character other than a line break or a tab, which a
// terminal would obey. Throws InputError with file and line.
void refuse_control_characters(const toml::table& root, const std::string& path);

// The text as a table, after both of these. Throws InputError with file and line.
toml::table parse_toml(const std::string& text, const std::string& path);

}  // namespace bristle::io
