// SPDX-License-Identifier: MIT
// Where a table begins: what stands before it, its header rows, its separator.
//
// The first row of numbers has numbers in more than half of its cells, or numbers and empty cells
// only. Lines right above it with as many cells and without a number are header rows. What stands
// above these, with another number of cells, is a preamble. A line of several cells right above a
// row of numbers of another length is no preamble: the table is then taken from its first line, and
// refused where its rows differ. So no row of numbers is ever skipped.
#pragma once

#include <string>
#include <vector>

namespace bristle::io {

struct OpeningLine {
  long number = 0;  // in the file
  std::string text;
  std::string comment;  // the line right above, if it was a comment
};

struct TableStart {
  char separator = ',';
  std::size_t header = 0;   // the first header row; lines before it are a preamble
  std::size_t numbers = 0;  // the first row behind the header rows
};

TableStart find_table(const std::vector<OpeningLine>& opening);

}  // namespace bristle::io
