// SPDX-License-Identifier: MIT
// A page of measured loops: the data with the fitted operator drawn over them.
#pragma once

#include <string>
#include <vector>

#include "bristle/io/plot.hpp"

namespace bristle::io {

struct LoopPage {
  std::string title;
  Plot plot;  // with the numbers of its lines
  // Label, points, width, height, area, orientation and closing error of each loop.
  std::vector<std::vector<std::string>> loops;
  std::vector<std::string> sentences;  // about the fit, and rows that are in no loop
  std::string command;
};
std::string loop_html(const LoopPage& page);

}  // namespace bristle::io
