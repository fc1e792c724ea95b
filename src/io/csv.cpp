// SPDX-License-Identifier: MIT
#include "bristle/io/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"

namespace bristle::io {
namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '"')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '"' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> cells;
  for (;;) {
    const auto at = line.find(separator);
    cells.push_back(trimmed(line.substr(0, at)));
    if (at == std::string_view::npos) return cells;
    line.remove_prefix(at + 1);
  }
}

// The place of a name, or a sentence with the names there are.
std::size_t place_of(const std::vector<std::string>& names, const std::string& name,
                     const std::string& path) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return std::size_t(at - names.begin());
  std::string all;
  for (const auto& n : names) all += (all.empty() ? "" : ", ") + n;
  throw InputError(path + ": there is no column '" + name + "' (columns: " + all + ")");
}

}  // namespace

std::optional<double> number_in(std::string_view cell) {
  if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

std::size_t Cells::index(const std::string& name, const std::string& path) const {
  return place_of(names, name, path);
}

const std::vector<double>& Table::column(const std::string& name, const std::string& path) const {
  return columns[place_of(names, name, path)];
}

Cells read_cells(const std::string& path) {
  const std::string text = read_text(path);
  Cells table;
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // byte order mark
  char separator = 0;
  long line_number = 0;
  while (!rest.empty()) {
    const auto at = rest.find('\n');
    std::string_view line = rest.substr(0, at);
    rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
    ++line_number;
    line = line.substr(0, line.find('#'));
    if (trimmed(line).empty()) continue;
    if (separator == 0)
      separator = line.find(';') != line.npos ? ';' : line.find('\t') != line.npos ? '\t' : ',';
    const auto cells = split(line, separator);
    if (table.names.empty()) {
      // A row that holds a number is no header: a mistyped first row must not be lost.
      const bool header =
          std::none_of(cells.begin(), cells.end(), [](auto c) { return number_in(c).has_value(); });
      for (std::size_t i = 0; i < cells.size(); ++i)
        table.names.push_back(header ? std::string(cells[i]) : std::to_string(i + 1));
      if (header) continue;
    }
    if (cells.size() != table.names.size())
      throw InputError(path + ":" + std::to_string(line_number) + ": has " +
                       std::to_string(cells.size()) + " values where there are " +
                       std::to_string(table.names.size()) + " columns");
    table.rows.emplace_back(cells.begin(), cells.end());
    table.lines.push_back(line_number);
  }
  if (table.rows.empty()) throw InputError(path + ": holds no rows of numbers");
  return table;
}

Table read_csv(const std::string& path) {
  Cells cells = read_cells(path);
  Table table{std::move(cells.names), {}};
  table.columns.resize(table.names.size());
  for (std::size_t row = 0; row < cells.rows.size(); ++row)
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      const auto value = number_in(cells.rows[row][i]);
      if (!value || !std::isfinite(*value))
        throw InputError(path + ":" + std::to_string(cells.lines[row]) + ": '" +
                         cells.rows[row][i] + "' in column '" + table.names[i] +
                         "' is not a finite number");
      table.columns[i].push_back(*value);
    }
  return table;
}

std::string csv_text(const std::vector<std::pair<std::string, std::span<const double>>>& columns) {
  std::string text;
  std::size_t rows = 0;
  for (const auto& [name, values] : columns) {
    text += (text.empty() ? "" : ",") + name;
    rows = std::max(rows, values.size());
  }
  text += '\n';
  text.reserve(text.size() + rows * columns.size() * 20);
  char buffer[40];
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (c > 0) text += ',';
      if (r >= columns[c].second.size()) continue;
      const auto end = std::to_chars(buffer, buffer + sizeof buffer, columns[c].second[r]).ptr;
      text.append(buffer, end);
    }
    text += '\n';
  }
  return text;
}

}  // namespace bristle::io
