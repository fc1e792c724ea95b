// SPDX-License-Identifier: MIT
// Bifurcation diagrams of experiment files, and of diagrams that were not finished.
#pragma once

#include <string>
#include <vector>

#include "bristle/analysis/bifurcation.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/plot.hpp"

namespace bristle::io {

// What is varied, and what is looked at once per drive period.
struct BifurcationPlan {
  std::string file;
  std::string parameter;  // "section.field"
  std::string label;      // of the case; empty: the first
  std::string x = "position", y = "velocity";
  std::vector<Setting> settings;
  std::string text{};  // in place of that of the file, which then only has a name
};

// The section of the plan's case at a value of its parameter. Throws InputError now for a file,
// case or column that cannot be used.
SectionAt section_at(const BifurcationPlan& plan, const BifurcationOptions& options);

// The words at its axes: the parameter and the column, with their units.
std::pair<std::string, std::string> diagram_labels(const BifurcationPlan& plan, double value);

// The diagram as a figure of its points in bifurcation.csv, in units that read well.
Plot diagram_plot(const Bifurcation& b, const BifurcationPlan& plan);

// Names a diagram by all that determines it.
std::string fingerprint(const BifurcationPlan& plan, const BifurcationOptions& options);

// A diagram as CSV: one row per point, with the kind of motion; only what is done.
std::string diagram_csv(const Bifurcation& b, const BifurcationPlan& plan,
                        const std::string& mark = "");
// Reads one back. Throws InputError if it carries another mark.
Bifurcation read_diagram(const std::string& path, const BifurcationOptions& options,
                         const std::string& mark);

}  // namespace bristle::io
