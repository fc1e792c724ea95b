// SPDX-License-Identifier: MIT
// The gallery: an overview of all experiments with a small picture of each, and a page for each
// with its figures and facts.
//
// A section is what the page shows of one experiment. It is kept as gallery.json in the result
// directory with the stamp of all it came from, so that only what changed is run again.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bristle/io/fact_counts.hpp"
#include "bristle/io/plot.hpp"
#include "bristle/io/runner.hpp"

namespace bristle::io {

struct GallerySection {
  nlohmann::ordered_json content;  // what stands in gallery.json
  std::vector<Verdict> verdicts;

  std::string text(const char* name) const { return content.value(name, std::string()); }
};

// Names what a result depends on: the file, the files named in it, the program, and `settings`.
std::string stamp(const Experiment& experiment, const std::string& program,
                  const std::string& settings);

// The section of an experiment that was run, with its figures.
GallerySection make_section(const Experiment& experiment, const ExperimentResult& result,
                            const std::vector<Plot>& plots, const std::string& stamp);
// The section of an experiment that could not be run.
GallerySection failed_section(const std::string& key, const Experiment& experiment,
                              const std::string& error);
// The section kept in a result directory, if it bears the stamp.
std::optional<GallerySection> stored_section(const std::string& directory,
                                             const std::string& stamp);

inline constexpr std::string_view section_name = "gallery.json";

// The fact that stands for the experiment: the worst, and among equals the first by the order of
// the kinds; none if there is no fact.
const Verdict* headline(const std::vector<Verdict>& verdicts);
// The verdict on that fact, empty if there is none.
std::string overall(const std::vector<Verdict>& verdicts);

FactCounts count(const std::vector<GallerySection>& sections);

// A figure or table of a document, as documents/figures.toml lists it.
struct ListedFigure {
  std::string document, item, caption;  // "T", "Fig. 3.9", in a few words
  std::string no_data;                  // why there is nothing to reproduce, empty if there is
  std::string name() const { return document + " " + item; }
};
// From a folder of experiments; none if it has no list.
std::vector<ListedFigure> listed_figures(const std::string& folder);
// What an experiment covers: as it says, or the figures and tables in figure_number.
std::vector<std::string> covered(const Experiment& experiment);

struct GalleryPage {
  std::vector<GallerySection> sections;
  std::vector<ListedFigure> figures;
  std::string command;  // that made it
  bool models = false;  // models.html is beside it
};
// index.html: the counts, the filters, a small picture of each experiment, all verdicts.
std::string gallery_html(const GalleryPage& page);
// The page of each experiment, by its key; they lie in pages/ beside index.html.
std::vector<std::pair<std::string, std::string>> experiment_pages(const GalleryPage& page);

}  // namespace bristle::io
