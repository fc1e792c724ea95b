// SPDX-License-Identifier: MIT
// The rows of a table, one after the other.
#include <algorithm>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/units.hpp"
#include "byte_source.hpp"
#include "control_character.hpp"
#include "place_of.hpp"

namespace bristle::io {
namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '"')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '"' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

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

void split(std::string_view line, char separator, std::vector<std::string_view>& cells) {
  cells.clear();
  for (;;) {
    const auto at = end_of_cell(line, separator);
    cells.push_back(trimmed(line.substr(0, at)));
    if (at == std::string_view::npos) return;
    line.remove_prefix(at + 1);
  }
}

// The separator of the first line, looked for outside of quotes.
char separator_of(std::string_view line) {
  bool quoted = false, tab = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == ';') return ';';
    tab = tab || c == '\t';
  }
  return tab ? '\t' : ',';
}

// "[mm]" and "(mm)" as "mm"; a dash for none.
std::string_view bare_unit(std::string_view cell) {
  if (cell.size() > 1 &&
      ((cell.front() == '[' && cell.back() == ']') || (cell.front() == '(' && cell.back() == ')')))
    cell = trimmed(cell.substr(1, cell.size() - 2));
  return cell == "-" ? std::string_view() : cell;
}

}  // namespace

CsvRows::CsvRows(const std::string& path)
    : path_(path), lines_(std::make_unique<LineReader>(path)) {
  open_table();
}

CsvRows::CsvRows(const std::string& path, std::string_view text)
    : path_(path), lines_(std::make_unique<LineReader>(path, text)) {
  open_table();
}

CsvRows::~CsvRows() = default;

std::string CsvRows::where() const { return path_ + ":" + std::to_string(line_); }

std::size_t CsvRows::index(const std::string& name) const { return place_of(names_, name, path_); }

std::size_t CsvRows::expected_rows() const {
  const std::size_t size = lines_->size();
  if (rows_ < 1000 || size == 0) return 0;
  const double each = double(lines_->consumed()) / double(rows_);
  return std::size_t(1.02 * double(size) / each) + 1;
}

bool CsvRows::next_line() {
  std::string_view line;
  while (lines_->next(line)) {
    if (++line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);  // byte order mark
    if (line_ == 1 && (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")))
      throw InputError(path_ + ": is text in UTF-16, save it as UTF-8");
    line = line.substr(0, line.find('#'));
    if (trimmed(line).empty()) continue;
    if (line.find('\0') != line.npos)
      throw InputError(where() + ": holds a byte of value 0, this is no table of text");
    if (separator_ == 0) separator_ = separator_of(line);
    split(line, separator_, cells_);
    return true;
  }
  return false;
}

bool CsvRows::is_row_of_units() const {
  bool any = false;
  for (const std::string_view cell : cells_) {
    const std::string unit = utf8(bare_unit(cell));
    if (unit.empty()) continue;
    if (number_in(unit) && unit != "1") return false;
    if (!parse_unit(unit)) return false;
    any = any || unit != "1";
  }
  return any && cells_.size() == names_.size();
}

void CsvRows::open_table() {
  if (!next_line()) throw InputError(path_ + ": holds no rows of numbers");
  // A row that holds a number is no header: a mistyped first row must not be lost.
  const bool header =
      std::none_of(cells_.begin(), cells_.end(), [](auto c) { return number_in(c).has_value(); });
  for (std::size_t i = 0; i < cells_.size(); ++i)
    names_.push_back(header ? utf8(cells_[i]) : std::to_string(i + 1));
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (const std::string found = control_character(names_[i]); !found.empty())
      throw InputError(where() + ": the name of column " + std::to_string(i + 1) +
                       " holds the control character " + found + ", which is not allowed");
  waiting_ = true;
  if (!header) return;
  if (!next_line()) throw InputError(path_ + ": holds no rows of numbers");
  if (!is_row_of_units()) return;
  for (const std::string_view cell : cells_) units_.push_back(utf8(bare_unit(cell)));
  waiting_ = false;
}

bool CsvRows::next() {
  if (!waiting_ && !next_line()) {
    if (rows_ == 0) throw InputError(path_ + ": holds no rows of numbers");
    return false;
  }
  waiting_ = false;
  ++rows_;
  if (cells_.size() != names_.size())
    throw InputError(where() + ": has " + std::to_string(cells_.size()) +
                     " values where there are " + std::to_string(names_.size()) + " columns");
  return true;
}

}  // namespace bristle::io
