// SPDX-License-Identifier: MIT
// How much a fit of measured loops explains, beside the best straight line through the same rows.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace bristle {

// One measured run of input and output.
struct MeasuredRun {
  std::vector<double> input, output;
};

struct FitQuality {
  double rms = 0.0;        // of the residual, in the unit of the output
  double line_rms = 0.0;   // of the best straight line, output = a input + b
  double range = 0.0;      // largest minus smallest output
  double r_squared = 0.0;  // share of the variance of the output that is explained
  std::size_t rows = 0;

  // A fit is of use if its residual is at least 20 % below that of the best straight line and below
  // 25 % of the range of the output. The inverse of any other fit undoes something that the data do
  // not show.
  static constexpr double most_of_line = 0.8, most_of_range = 0.25;
  bool explains() const { return rms <= most_of_line * line_rms && rms <= most_of_range * range; }
  // Which of the two bounds is missed, as a sentence; empty if none is.
  std::string why_not() const;
};

// The quality of a fit with the residual `rms` over all rows of the runs.
FitQuality fit_quality(std::span<const MeasuredRun> runs, double rms);

}  // namespace bristle
