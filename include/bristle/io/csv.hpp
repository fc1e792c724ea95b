// SPDX-License-Identifier: MIT
// Tables of numbers as text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bristle::io {

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;

  // Throws InputError that lists the columns there are.
  const std::vector<double>& column(const std::string& name, const std::string& path) const;
};

// A table as it stands, all cells as text.
struct Cells {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  std::vector<long> lines;  // of the file, for each row

  // Throws InputError that lists the columns there are.
  std::size_t index(const std::string& name, const std::string& path) const;
};
Cells read_cells(const std::string& path);
std::optional<double> number_in(std::string_view cell);

// Comma, semicolon or tab separated, with or without a header, '#' starts a comment. Columns
// without a header are called 1, 2, ... Throws FileError or InputError with file and line.
Table read_csv(const std::string& path);

// Numbers in the shortest form that reads back exactly.
std::string csv_text(const std::vector<std::pair<std::string, std::span<const double>>>& columns);

}  // namespace bristle::io
