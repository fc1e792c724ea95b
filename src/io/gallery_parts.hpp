// SPDX-License-Identifier: MIT
// Parts of the pages of the gallery.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bristle/io/gallery.hpp"

namespace bristle::io {

// How a verdict is shown: its class of style, its words, and a mark beside the colour.
struct VerdictLook {
  std::string style, words, mark;
};
VerdictLook verdict_look(const std::string& verdict);

// From the document type to the body, with the style inside.
std::string page_head(const std::string& title);
// Links to the other pages and the switch of colours.
std::string page_navigation(const std::string& links);

// "T Fig. 3.9"
std::string short_source(const nlohmann::ordered_json& section);
// Words with commas between.
std::string listed(const nlohmann::ordered_json& words);
// How a fact is to be read: as printed, with which choice, why not.
std::string reading(const Verdict& verdict);
// Four cells: claim, published, ours, verdict. The last is open for more. `in_words` adds what the
// source says of it.
std::string claim_cells(const Verdict& verdict, bool in_words);

// The part of the page on one experiment; `covering` gives the experiments on a figure.
std::string section_html(const Section& section,
                         const std::map<std::string, std::vector<std::string>>& covering);

}  // namespace bristle::io
