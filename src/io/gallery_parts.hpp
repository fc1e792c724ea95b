// SPDX-License-Identifier: MIT
// Parts of the pages of the gallery.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bristle/io/gallery.hpp"

namespace bristle::io {

// How an outcome is shown: its class of style and a mark beside the colour.
struct OutcomeLook {
  std::string style, mark;
};
OutcomeLook outcome_look(Outcome outcome);
// A verdict as a coloured word with its mark; of an experiment without facts "no verdict".
std::string chip(const Verdict* verdict);

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
// The cells claim, reference with its tolerance, ours and verdict of the summary; the last is open
// for more.
std::string claim_cells(const Verdict& verdict);
// "experiment:kind:verdict" of facts, for the filters of the page.
std::string filter_words(const Verdict& verdict);

// The attributes by which the overview filters experiments.
std::string filter_attributes(const GallerySection& section);
// The experiments on each figure of a document, by its name.
using Covering = std::map<std::string, std::vector<std::string>>;
Covering covering_of(const std::vector<GallerySection>& sections);

// The content of the page on one experiment, which lies in a folder beside those of the results.
std::string section_html(const GallerySection& section, const Covering& covering);

// A figure as a small picture without axes; empty if it has no curve.
std::string thumbnail(const nlohmann::ordered_json& figure);

}  // namespace bristle::io
