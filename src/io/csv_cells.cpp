// SPDX-License-Identifier: MIT
#include "csv_cells.hpp"

#include <algorithm>
#include <array>

#include "bristle/io/csv.hpp"

namespace bristle::io {
namespace {

// Where a cell that begins here ends; in quotes it may hold the separator.
std::size_t end_of_cell(std::string_view line, char separator) {
  std::size_t from = line.find_first_not_of(' ');
  if (from != line.npos && line[from] == '"') {
    const auto close = line.find('"', from + 1);
    from = close == line.npos ? 0 : close;
  } else {
    from = 0;
  }
  return line.find(separator, from);
}

bool all_numbers(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  split(line, separator, cells);
  const auto number = [&](std::string_view c) {
    return number_in(c) || (separator != ',' && number_with_comma(c));
  };
  return cells.size() > 1 && std::all_of(cells.begin(), cells.end(), number);
}

constexpr std::array<std::string_view, 7> spreadsheet_errors{"N/A",  "DIV/0!", "VALUE!", "REF!",
                                                             "NUM!", "NAME?",  "NULL!"};

}  // namespace

std::size_t comment_in(std::string_view line) {
  for (auto at = line.find('#'); at != line.npos; at = line.find('#', at + 1)) {
    const std::string_view behind = line.substr(at + 1);
    const bool error = std::any_of(spreadsheet_errors.begin(), spreadsheet_errors.end(),
                                   [&](std::string_view word) { return behind.starts_with(word); });
    const bool numbered = !behind.empty() && behind[0] >= '0' && behind[0] <= '9' &&
                          !trimmed(line.substr(0, at)).empty();
    if (!error && !numbered) return at;
  }
  return line.npos;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '"')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '"' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

void split(std::string_view line, char separator, std::vector<std::string_view>& cells) {
  cells.clear();
  if (separator == ' ')
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  for (;;) {
    if (separator == ' ') line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const auto at = end_of_cell(line, separator);
    cells.push_back(trimmed(line.substr(0, at)));
    if (at == std::string_view::npos) return;
    line.remove_prefix(at + 1);
  }
}

char separator_of(std::string_view line) {
  bool quoted = false, tab = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == ';') return ';';
    tab = tab || c == '\t';
  }
  if (tab) return '\t';
  return !all_numbers(line, ',') && all_numbers(line, ' ') ? ' ' : ',';
}

std::optional<double> number_with_comma(std::string_view cell) {
  std::array<char, 64> copy;
  const auto comma = cell.find(',');
  if (comma == cell.npos || comma + 1 == cell.size() || cell.size() > copy.size() ||
      cell[comma + 1] < '0' || cell[comma + 1] > '9' || cell.find('.') != cell.npos)
    return std::nullopt;
  std::copy(cell.begin(), cell.end(), copy.begin());
  copy[comma] = '.';
  return number_in({copy.data(), cell.size()});
}

}  // namespace bristle::io
