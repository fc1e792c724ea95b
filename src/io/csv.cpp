// SPDX-License-Identifier: MIT
#include "bristle/io/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "bristle/io/errors.hpp"
#include "bristle/model/describe.hpp"
#include "bristle/solve/stop_look.hpp"
#include "place_of.hpp"

namespace bristle::io {

std::string words_of(const std::vector<std::string>& names) {
  std::string all;
  for (const auto& n : names) all += (all.empty() ? "" : ", ") + n;
  return all;
}

std::size_t place_of(const std::vector<std::string>& names, const std::string& name,
                     const std::string& path) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) {
    // Short names are near to any other.
    const std::string near = name.size() > 3 ? nearest(name, names) : "";
    throw InputError(path + ": there is no column '" + name + "'" +
                     (near.empty() ? "" : ", did you mean '" + near + "'?") +
                     " (columns: " + words_of(names) + ")");
  }
  const auto other = std::find(at + 1, names.end(), name);
  if (other != names.end())
    throw InputError(path + ": columns " + std::to_string(at - names.begin() + 1) + " and " +
                     std::to_string(other - names.begin() + 1) + " are both called '" + name +
                     "', rename one of them");
  return std::size_t(at - names.begin());
}

std::optional<double> number_in(std::string_view cell) {
  if (!cell.empty() && cell.front() == '+') cell.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

namespace {

// How many bytes of valid UTF-8 the text begins with, at most one character.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first >= 0xF5 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // No overlong forms, no surrogates, nothing beyond U+10FFFF.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

}  // namespace

std::string utf8(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t length = character(rest);
    if (length == 0) break;
    rest.remove_prefix(length);
  }
  if (rest.empty()) return std::string(text);
  std::string converted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) converted += c;
    else if (byte < 0xA0) converted += "\xEF\xBF\xBD";  // Latin-1 has control characters there
    else converted += {char(0xC0 | byte >> 6), char(0x80 | (byte & 0x3F))};
  }
  return converted;
}

std::size_t Table::index(const std::string& name, const std::string& path) const {
  return place_of(names, name, path);
}

const std::vector<double>& Table::column(const std::string& name, const std::string& path) const {
  return columns[index(name, path)];
}

Table table_of(TableRows& rows, const std::vector<std::string>& kept) {
  Table table{rows.names(), {}, rows.units()};
  table.columns.resize(table.names.size());
  std::vector<std::size_t> places;
  for (const auto& name : kept) places.push_back(rows.index(name));
  for (std::size_t i = 0; kept.empty() && i < table.names.size(); ++i) places.push_back(i);
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  rows.keep(places);
  for (std::size_t row = 0; rows.next(); ++row) {
    if (row == 1000)
      for (const std::size_t i : places) table.columns[i].reserve(rows.expected_rows());
    for (const std::size_t i : places) {
      const auto value = rows.number(i);
      if (!value || !std::isfinite(*value))
        throw InputError(rows.where() + ": '" + rows.text(i) + "' in column '" + table.names[i] +
                         "' is not a finite number" + (value ? "" : rows.hint(i)));
      table.columns[i].push_back(*value);
    }
  }
  return table;
}

Table read_csv(const std::string& path, const std::vector<std::string>& kept) {
  CsvRows rows(path);
  return table_of(rows, kept);
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
  StopLook stop;
  for (std::size_t r = 0; r < rows; ++r) {
    stop();
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
