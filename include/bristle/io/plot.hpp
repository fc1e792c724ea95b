// SPDX-License-Identifier: MIT
// Figures through gnuplot: a script beside the data, an SVG and a PNG.
#pragma once

#include <string>
#include <vector>

namespace bristle::io {

struct Line {
  std::string file;  // CSV beside the script
  std::string x, y;  // column expressions of gnuplot, such as "1" or "($2-$3)"
  std::string label;
  bool faint = false;              // a background to the others: grey and thick
  bool points = false;             // with a mark at each value
  bool dots = false;               // marks alone, not joined
  std::vector<double> xs{}, ys{};  // what the columns hold; a gap is not a number
  bool dashed = false;             // a closed form beside what was computed
  bool behind = false;             // what a mean is taken of: grey and thin
  // A curve with more swings than the picture has pixels is drawn as the area between its lower and
  // upper ends; `y` and `ys` are the lower ones.
  std::string upper{};
  std::vector<double> uppers{};

  bool envelope() const { return !upper.empty(); }
};

struct Plot {
  std::string name;  // file name without extension
  std::string title, x_label, y_label, x_range, y_range;
  std::vector<Line> lines;
  bool log_x = false, log_y = false;
  bool equal = false;     // both axes in the same scale
  bool overlay = false;   // the lines lie over each other: draw them thick to thin
  std::string band_file;  // outline of a shaded region, columns x, y; empty for none
  std::string band_label = "equilibria";
  std::vector<double> band_xs{}, band_ys{};
  double x_factor = 1.0, y_factor = 1.0;  // from the band file to the units of the axes
  // A map in colours: a file with columns x, y, their lower and upper ends, and the value.
  std::string map_file{}, map_label{};
  std::vector<std::string> map_words{};  // where values count words from 0
  std::string bars_file{};               // upright bars: columns x, height, width
  // Lying bars: a file with columns row, value and half width, and the names of the rows from 1.
  std::string rows_file{};
  std::vector<std::string> row_names{};
};

// Throws InputError where the name of the figure or of a data file is not plain (files.hpp). Titles
// and labels are text to gnuplot, whatever stands in them.
std::string gnuplot_script(const Plot& plot);

// Runs gnuplot on the scripts in a directory. False if gnuplot is missing, fails, or takes more
// than `seconds` per script and is ended; `why` says which. A request to stop ends it at once.
bool draw(const std::string& directory, const std::vector<std::string>& scripts, std::string& why,
          double seconds = 60.0);

}  // namespace bristle::io
