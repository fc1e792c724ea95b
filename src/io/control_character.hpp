// SPDX-License-Identifier: MIT
// Control characters in texts of files, which a terminal would obey.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace bristle::io {

// The first control character of a text in UTF-8 as "U+001B", but for line breaks and tabs; empty
// if it has none.
inline std::string control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned byte = static_cast<unsigned char>(text[i]);
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    const bool late = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    const bool line = byte == '\n' || byte == '\t' || (byte == '\r' && next == '\n');
    if (!late && byte != 0x7F && (byte >= 0x20 || line)) continue;
    char code[8];
    std::snprintf(code, sizeof code, "U+%04X", late ? next : byte);
    return code;
  }
  return {};
}

}  // namespace bristle::io
