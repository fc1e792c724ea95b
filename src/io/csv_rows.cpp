// SPDX-License-Identifier: MIT
// The rows of a table, one after the other.
#include <algorithm>

#include "bristle/io/control_character.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/units.hpp"
#include "csv_cells.hpp"
#include "csv_opening.hpp"
#include "line_reader.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

// What is looked at to find the table: so many lines, of so many bytes.
constexpr std::size_t opening_lines = 200, opening_bytes = std::size_t(1) << 18;

// "[mm]" and "(mm)" as "mm"; a dash for none.
std::string_view bare_unit(std::string_view cell) {
  if (cell.size() > 1 &&
      ((cell.front() == '[' && cell.back() == ']') || (cell.front() == '(' && cell.back() == ')')))
    cell = trimmed(cell.substr(1, cell.size() - 2));
  return cell == "-" ? std::string_view() : cell;
}

// How many cells of a row are units, and how many say something else.
struct UnitCount {
  std::size_t units = 0, others = 0;
};
UnitCount count_units(const std::vector<std::string_view>& cells) {
  UnitCount c;
  for (const std::string_view cell : cells) {
    const std::string unit = utf8(bare_unit(cell));
    if (unit.empty() || unit == "1") continue;
    ++(!number_in(unit) && parse_unit(unit) ? c.units : c.others);
  }
  return c;
}

std::string lines_words(std::size_t count, const char* what) {
  return (count == 1 ? "1 line" : std::to_string(count) + " lines") + what;
}

}  // namespace

CsvRows::CsvRows(const std::string& path, long skip)
    : TableRows(path), lines_(std::make_unique<LineReader>(path)) {
  open_table(skip);
}

CsvRows::CsvRows(const std::string& path, std::string_view text)
    : TableRows(path), lines_(std::make_unique<LineReader>(path, text)) {
  open_table(0);
}

CsvRows::~CsvRows() = default;

std::string CsvRows::where() const { return path_ + ":" + std::to_string(line_); }

std::size_t CsvRows::expected_rows() const {
  const std::size_t size = lines_->size();
  if (rows_ < 1000 || size == 0) return 0;
  const double each = double(lines_->consumed()) / double(rows_);
  return std::size_t(1.02 * double(size) / each) + 1;
}

// The next line that says something, without its comment; `comment` takes one that is nothing else.
bool CsvRows::read_line(std::string_view& line, std::string* comment) {
  while (lines_->next(line)) {
    if (++read_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);  // byte order mark
    const auto sign = comment_in(line);
    const std::string_view remark = line.substr(std::min(sign, line.size()));
    line = line.substr(0, sign);
    if (trimmed(line).empty()) {
      if (comment) *comment = remark.substr(std::min(remark.find_first_not_of('#'), remark.size()));
      continue;
    }
    if (const auto zero = line.find('\0'); zero != line.npos)
      throw InputError(
          path_ + ":" + std::to_string(read_) + ": holds a byte of value 0 (NUL) in place " +
          std::to_string(zero + 1) +
          " of the line: this is no table of text, or a file that was not written to its end");
    return true;
  }
  return false;
}

bool CsvRows::next_line() {
  std::string_view line;
  if (opened_ < opening_.size()) {
    line_ = opening_[opened_].number;
    line = opening_[opened_++].text;
  } else {
    // Views of the last row are no longer used.
    if (!opening_.empty()) opening_ = {}, opened_ = 0;
    if (!read_line(line, nullptr)) return false;
    line_ = read_;
  }
  split(line, separator_, cells_);
  return true;
}

// Names from the header rows, joined column by column; one of them may be a row of units.
void CsvRows::name_columns(std::size_t first, std::size_t last) {
  std::vector<std::vector<std::string>> rows;
  for (opened_ = first; opened_ < last;) {
    next_line();
    const UnitCount c = count_units(cells_);
    const bool below = opened_ > first + 1;
    if (below && units_.empty() && c.units > 0 && c.others == 0) {
      for (const std::string_view cell : cells_) units_.push_back(utf8(bare_unit(cell)));
      continue;
    }
    if (below && c.units > 0 && c.units >= c.others)
      for (const std::string_view cell : cells_)
        if (const std::string unit = utf8(bare_unit(cell)); !unit.empty() && !parse_unit(unit))
          throw InputError(where() + ": looks like a row of units, but '" + shown(unit) +
                           "' is no unit that is known");
    rows.emplace_back();
    for (const std::string_view cell : cells_) rows.back().push_back(utf8(cell));
  }
  for (std::size_t i = 0; i < rows.front().size(); ++i) {
    std::string name;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      // A cell over several columns is written in the first of them.
      std::size_t from = i;
      while (k + 1 < rows.size() && from > 0 && rows[k][from].empty()) --from;
      const std::string& part = rows[k][from];
      if (!part.empty()) name += (name.empty() ? "" : " ") + part;
    }
    names_.push_back(name.empty() ? std::to_string(i + 1) : name);
  }
  if (rows.size() > 1)
    notes_.push_back(path_ + ": the names of columns are joined from " +
                     std::to_string(rows.size()) + " header rows");
}

void CsvRows::open_table(long skip) {
  std::string_view line;
  for (long i = 0; i < skip; ++i, ++read_)
    if (!lines_->next(line))
      throw InputError(path_ + ": has " + std::to_string(read_) + " lines, --skip " +
                       std::to_string(skip) + " leaves none of them");
  std::string comment;
  for (std::size_t bytes = 0; opening_.size() < opening_lines && bytes < opening_bytes;) {
    if (!read_line(line, &comment)) break;
    opening_.push_back({read_, std::string(line), std::move(comment)});
    comment.clear();
    bytes += line.size();
  }
  if (opening_.empty()) throw InputError(path_ + ": holds no rows of numbers");
  TableStart start = find_table(opening_);
  separator_ = start.separator;
  // Without a row of numbers only a row of units tells more of the header.
  const auto units_in = [&](std::size_t i) {
    split(opening_[i].text, separator_, cells_);
    const UnitCount c = count_units(cells_);
    return c.units > 0 && c.others == 0;
  };
  const bool single = start.header == 0 && start.numbers == 1 && opening_.size() > 1;
  if (single && units_in(1)) {
    split(opening_[0].text, separator_, cells_);
    const std::size_t columns = cells_.size();
    split(opening_[1].text, separator_, cells_);
    if (cells_.size() == columns) start.numbers = 2;
  }
  if (start.header > 0)
    notes_.push_back(path_ + ": " + lines_words(start.header, " before the table ") +
                     (start.header == 1 ? "was" : "were") + " skipped, the last is " +
                     std::to_string(opening_[start.header - 1].number));
  if (start.numbers > start.header) {
    name_columns(start.header, start.numbers);
  } else {
    const OpeningLine& first = opening_[start.numbers];
    split(first.text, separator_, cells_);
    const std::size_t width = cells_.size();
    // A header may stand in a comment.
    split(first.comment, separator_, cells_);
    const bool named = width > 1 && cells_.size() == width &&
                       std::none_of(cells_.begin(), cells_.end(), [](std::string_view c) {
                         return c.empty() || number_in(c).has_value();
                       });
    for (std::size_t i = 0; i < width; ++i)
      names_.push_back(named ? utf8(cells_[i]) : std::to_string(i + 1));
    if (named)
      notes_.push_back(path_ + ": the names of columns are those of the comment above the numbers");
  }
  const std::string header_line = path_ + ":" + std::to_string(opening_[start.header].number);
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (const std::string found = control_character(names_[i]); !found.empty())
      throw InputError(header_line + ": the name of column " + std::to_string(i + 1) +
                       " holds the control character " + found + ", which is not allowed");
  opened_ = start.numbers;
}

bool CsvRows::next() {
  if (!next_line()) {
    if (rows_ == 0) throw InputError(path_ + ": holds no rows of numbers");
    return false;
  }
  ++rows_;
  if (cells_.size() != names_.size()) {
    const bool commas = separator_ == ',' && cells_.size() == 2 * names_.size();
    throw InputError(
        where() + ": has " + std::to_string(cells_.size()) + " values where there are " +
        std::to_string(names_.size()) + " columns" +
        (commas ? ": decimal commas cannot be distinguished from commas between columns, save "
                  "the table with semicolons"
                : ""));
  }
  return true;
}

std::optional<double> CsvRows::number(std::size_t column) const {
  const std::string_view cell = cells_[column];
  if (separator_ == ',') return number_in(cell);
  // One file has one decimal sign: 1.234 beside 1,5 may well be a thousand.
  const auto value = decimal_ == ',' ? number_with_comma(cell) : number_in(cell);
  if (value && decimal_ == 0 && cell.find('.') != cell.npos) decimal_ = '.';
  if (value) return value;
  if (decimal_ == '.') return std::nullopt;
  if (decimal_ == ',') return cell.find('.') == cell.npos ? number_in(cell) : std::nullopt;
  const auto with_comma = number_with_comma(cell);
  if (with_comma) decimal_ = ',';
  return with_comma;
}

std::string CsvRows::text(std::size_t column) const { return utf8(cells_[column]); }

std::string CsvRows::hint(std::size_t column) const {
  const std::string_view cell = cells_[column];
  if (decimal_ == ',' && cell.find('.') != cell.npos)
    return ", numbers above it have decimal commas";
  if (cell.find(',') == cell.npos) return "";
  if (decimal_ == '.') return ", numbers above it have decimal points";
  return separator_ == ',' ? ", decimal commas are read where columns are separated by semicolons, "
                             "tabs or blanks"
                           : "";
}

}  // namespace bristle::io
