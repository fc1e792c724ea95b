// SPDX-License-Identifier: MIT
// Control characters in texts of files, which a terminal would obey.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace bristle::io {

// The bytes of the control character that a text in UTF-8 begins with, 0 if it begins with none.
inline std::size_t control_length(std::string_view text) {
  const unsigned byte = text.empty() ? 0x20u : static_cast<unsigned char>(text[0]);
  const unsigned next = text.size() > 1 ? static_cast<unsigned char>(text[1]) : 0u;
  if (byte < 0x20 || byte == 0x7F) return 1;
  return byte == 0xC2 && next >= 0x80 && next < 0xA0 ? 2 : 0;
}

// The first control character of a text in UTF-8 as "U+001B", but for line breaks and tabs; empty
// if it has none.
inline std::string control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t length = control_length(text.substr(i));
    const char next = i + 1 < text.size() ? text[i + 1] : ' ';
    const bool line = text[i] == '\n' || text[i] == '\t' || (text[i] == '\r' && next == '\n');
    if (length == 0 || line) continue;
    char code[8];
    std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned char>(text[i + length - 1]));
    return code;
  }
  return {};
}

}  // namespace bristle::io
