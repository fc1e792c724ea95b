// SPDX-License-Identifier: MIT
// The rows of a sweep as text.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/sweep_results.hpp"
#include "bristle/solve/stop_look.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

// A text as one cell: in quotes where it needs them, and on one line.
std::string cell_of(std::string text) {
  bool quotes = text.empty();
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    quotes = quotes || c == ',' || c == '"';
  }
  // A word that reads as a number stays a word.
  double number = 0.0;
  quotes =
      quotes || std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
  if (!quotes) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

struct Cell {
  std::string text;
  bool quoted = false;
};

std::vector<Cell> cells_of(std::string_view line) {
  if (line.find('"') == std::string_view::npos) {
    std::vector<Cell> plain;
    for (std::size_t at = 0; at <= line.size();) {
      const std::size_t end = std::min(line.find(',', at), line.size());
      plain.push_back({std::string(line.substr(at, end - at))});
      at = end + 1;
    }
    return plain;
  }
  std::vector<Cell> cells(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back().text += c;
      ++i;
    } else if (c == '"') {
      inside = !inside;
      cells.back().quoted = true;
    } else if (c == ',' && !inside) {
      cells.emplace_back();
    } else {
      cells.back().text += c;
    }
  }
  return cells;
}

template <class Number>
bool read_whole(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end;
}

Measured measured_from(const Cell& cell) {
  double number = 0.0;
  if (!cell.quoted && cell.text.empty()) return {};
  if (!cell.quoted && read_whole(cell.text, number)) return number;
  return cell.text;
}

}  // namespace

std::string header_text(const std::vector<std::string>& columns) {
  std::string text;
  for (const auto& name : columns) text += (text.empty() ? "" : ",") + cell_of(name);
  return text + "\n";
}

std::string row_text(const SweepRow& row) {
  std::string text = std::to_string(row.number);
  for (const double value : row.values) text += fmt::format(",{}", value);
  for (const auto& quantity : row.quantities) {
    text += ",";
    if (const auto* number = std::get_if<double>(&quantity)) text += fmt::format("{}", *number);
    if (const auto* word = std::get_if<std::string>(&quantity)) text += cell_of(utf8(*word));
  }
  return text + "," + cell_of(utf8(row.status)) + "\n";
}

SweepRow row_from(std::string_view line, std::size_t fields, std::size_t quantities,
                  const std::string& where) {
  const auto cells = cells_of(line);
  SweepRow row;
  bool good = cells.size() == fields + quantities + 2 && read_whole(cells[0].text, row.number) &&
              row.number > 0;
  row.values.resize(fields);
  for (std::size_t i = 0; i < fields && good; ++i)
    good = read_whole(cells[i + 1].text, row.values[i]);
  if (!good)
    throw InputError(where + ": '" + shown(line) +
                     "' is not a row of this sweep, the file is damaged");
  for (std::size_t i = 0; i < quantities; ++i)
    row.quantities.push_back(measured_from(cells[fields + 1 + i]));
  row.status = cells.back().text;
  return row;
}

void each_row(const std::string& path, const Sweep& sweep,
              const std::function<void(const SweepRow&)>& use) {
  std::ifstream in(path);
  std::string line;
  const std::string header = header_text(sweep.columns());
  if (!std::getline(in, line) || line + "\n" != header)
    throw InputError(path + ": is not the table of this sweep, its first line must be " +
                     shown(header.substr(0, header.size() - 1)));
  const std::size_t fields = sweep.plan().fields().size(), count = sweep.quantities().size();
  std::uint64_t last = 0;
  StopLook stop;
  while (std::getline(in, line)) {
    stop();
    const SweepRow row = row_from(line, fields, count, path);
    if (row.number <= last || row.number > sweep.plan().size())
      throw InputError(path + ": number " + std::to_string(row.number) + " does not fit behind " +
                       std::to_string(last) + ", the file is damaged");
    last = row.number;
    use(row);
  }
  if (in.bad()) throw FileError(path + ": cannot be read");
}

}  // namespace bristle::io
