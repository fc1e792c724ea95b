// SPDX-License-Identifier: MIT
// Texts of files as sentences quote them.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace bristle::io {

// The text with its control characters written out: a byte of value 0 would end the sentence.
inline std::string shown(std::string_view text) {
  std::string s;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04X", byte);
    if (byte < 0x20 || byte == 0x7f) s += escape;
    else s += c;
  }
  return s;
}

// The first bytes of a text in UTF-8, at most so many and no part of a character.
inline std::string shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return std::string(text.substr(0, bytes));
}

}  // namespace bristle::io
