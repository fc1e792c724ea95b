// SPDX-License-Identifier: MIT
// The figures of an experiment, with the data they show beside the samples.
#pragma once

#include "bristle/io/files.hpp"
#include "bristle/io/plot.hpp"
#include "bristle/io/runner.hpp"

namespace bristle::io {

// Those of the file, or those that its kind has without any.
std::vector<FigureSpec> figures_of(const Experiment& experiment);

// One figure; `files` are those of the cases. Data that no case has are written to `out`.
Plot plot_of(const FigureSpec& figure, const Experiment& experiment, const ExperimentResult& result,
             const std::vector<std::string>& files, ResultDirectory& out);

}  // namespace bristle::io
