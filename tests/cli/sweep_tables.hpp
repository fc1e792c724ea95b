// SPDX-License-Identifier: MIT
// What tests of sweeps share: the command, and tables as numbers.
#pragma once

#include <cmath>
#include <sstream>

#include "cli/program.hpp"

namespace bristle::test {

inline Words sweep(const Words& more) {
  Words words{"sweep", "s.toml", "--no-figures"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

using Rows = std::vector<std::vector<double>>;

// The numbers of a table; a cell that is none reads as 0.
inline Rows rows_of(const std::string& text, std::string* header = nullptr) {
  Rows rows;
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  if (header) *header = line;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');)
      rows.back().push_back(std::strtod(cell.c_str(), nullptr));
  }
  return rows;
}

// The chunks of a journal that are whole.
inline std::size_t whole_chunks(const std::string& journal) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = journal.find("#chunk ", at)) != std::string::npos; ++at) {
    const auto line = journal.find('\n', at);
    if (line == std::string::npos) break;
    std::istringstream head(journal.substr(at + 7, line - at - 7));
    std::size_t chunk = 0, bytes = 0;
    head >> chunk >> bytes;
    if (journal.size() >= line + 1 + bytes) ++count;
  }
  return count;
}

}  // namespace bristle::test
