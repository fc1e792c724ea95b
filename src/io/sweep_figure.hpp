// SPDX-License-Identifier: MIT
// Figures of sweeps: a quantity over the value that is swept.
#pragma once

#include "bristle/io/files.hpp"
#include "bristle/io/plot.hpp"
#include "bristle/io/runner.hpp"

namespace bristle::io {

// Adds a line for each sweep of the figure, with its CSV, and the published level behind them.
void add_sweeps(Plot& plot, const FigureSpec& figure, const Experiment& experiment,
                const ExperimentResult& result, ResultDirectory& out);

// A quantity as a label: words, and the unit where it has one.
std::string quantity_label(std::string name);
std::string label_with_unit(std::string name, const std::string& unit);

}  // namespace bristle::io
