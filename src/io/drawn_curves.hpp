// SPDX-License-Identifier: MIT
// What a figure draws beside the columns of its cases: means over the velocity, the peaks of slips,
// and closed forms.
#pragma once

#include "bristle/io/files.hpp"
#include "bristle/io/plot.hpp"
#include "bristle/io/runner.hpp"

namespace bristle::io {

// The mean of the figure's y over its velocity, one line per direction the case moves in.
void add_mean(Plot& plot, const FigureSpec& figure, const Case& c, const CaseResult& r,
              const std::string& number, ResultDirectory& out);

// In place of the columns: the largest speed of each slip over time.
void add_peaks(Plot& plot, const FigureSpec& figure, const Case& c, const CaseResult& r,
               const std::string& number, ResultDirectory& out);

// The closed forms of the figure, dashed, over the range that the other lines have.
void add_closed_forms(Plot& plot, const FigureSpec& figure, ResultDirectory& out);

}  // namespace bristle::io
