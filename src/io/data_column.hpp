// SPDX-License-Identifier: MIT
// A column of measured data: by its name or a usual one, with its unit.
#pragma once

#include "bristle/io/csv.hpp"

namespace bristle::io {

struct Column {
  std::string name, unit;
  double factor = 1.0;
};

// The column asked for (NAME or NAME:UNIT), or the first of a usual name that is not taken; empty
// if there is none.
Column choose_column(const std::string& asked, const Cells& cells, const std::string& path,
                     const std::vector<std::string>& usual, const std::string& taken = "");

std::string lower_case(std::string s);

}  // namespace bristle::io
