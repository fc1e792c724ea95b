// SPDX-License-Identifier: MIT
// Text inside pages.
#pragma once

#include <string>
#include <string_view>

namespace bristle::io {

// Text as it stands between tags or in quotes of an attribute. Control characters have no place in
// a page.
inline std::string escaped(std::string_view text) {
  std::string s;
  for (const char c : text) {
    if (c == '<') s += "&lt;";
    else if (c == '>') s += "&gt;";
    else if (c == '&') s += "&amp;";
    else if (c == '"') s += "&quot;";
    else if (c == '\'') s += "&#39;";
    else if (const auto byte = static_cast<unsigned char>(c);
             byte == 0x7f || (byte < 0x20 && c != '\n' && c != '\t' && c != '\r'))
      s += "\xef\xbf\xbd";
    else s += c;
  }
  return s;
}

// JSON as it stands inside a script element: no tag can end it.
inline std::string inside_script(std::string_view json) {
  std::string s;
  for (const char c : json) {
    if (c == '<') s += "\\u003c";
    else s += c;
  }
  return s;
}

}  // namespace bristle::io
