// SPDX-License-Identifier: MIT
// What pages are made of, put into the program as it is built (cmake/embed.cmake).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace bristle::io::page {

extern const std::string_view gallery_css, gallery_js, figure_js;

// The comment at the top of each header of a law, by the name of the file.
const std::map<std::string, std::string_view, std::less<>>& header_comments();

}  // namespace bristle::io::page
