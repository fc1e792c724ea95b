// SPDX-License-Identifier: MIT
// Texts of files as sentences quote them.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "bristle/io/control_character.hpp"

namespace bristle::io {

// The text with its control characters written out: a byte of value 0 would end the sentence.
inline std::string shown(std::string_view text) {
  std::string s;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t length = control_length(text.substr(i));
    if (length > 1) ++i;
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned char>(text[i]));
    if (length > 0) s += escape;
    else s += text[i];
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
