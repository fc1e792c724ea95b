// SPDX-License-Identifier: MIT
// Tables of numbers as text.
//
// Comma, semicolon or tab separated, with or without a header; '#' starts a comment; a cell in
// quotes may hold the separator. Columns without a header are called 1, 2, ... A row of units may
// follow the header. Names that are not UTF-8 are taken as Latin-1. A table is read row by row, so
// that memory is needed for the columns that are kept and for nothing else.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bristle::io {

class LineReader;

// The rows of a table one after the other. Throws FileError, or InputError with file and line.
class CsvRows {
 public:
  explicit CsvRows(const std::string& path);
  CsvRows(const std::string& path, std::string_view text);  // of a file that was read already
  ~CsvRows();
  CsvRows(const CsvRows&) = delete;
  CsvRows& operator=(const CsvRows&) = delete;

  const std::vector<std::string>& names() const { return names_; }
  // From a row of units under the header, "" where it has none; empty without such a row.
  const std::vector<std::string>& units() const { return units_; }
  // The place of a name. Throws InputError that lists the columns there are, or says that several
  // have that name.
  std::size_t index(const std::string& name) const;

  bool next();  // false at the end
  const std::vector<std::string_view>& cells() const { return cells_; }
  long line() const { return line_; }
  std::string where() const;  // "data.csv:12"
  // How many rows there will be, from the size of the file; 0 if nothing can be said yet.
  std::size_t expected_rows() const;

 private:
  void open_table();
  bool next_line();
  bool is_row_of_units() const;

  std::string path_;
  std::unique_ptr<LineReader> lines_;
  std::vector<std::string> names_, units_;
  std::vector<std::string_view> cells_;
  char separator_ = 0;
  long line_ = 0;
  std::size_t rows_ = 0;
  bool waiting_ = false;  // cells_ hold a row that was not handed out yet
};

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  std::vector<std::string> units;  // from a row of units, as in CsvRows

  // Both throw InputError that lists the columns there are.
  std::size_t index(const std::string& name, const std::string& path) const;
  const std::vector<double>& column(const std::string& name, const std::string& path) const;
};

// All columns, or those named; the cells of other columns are not looked at, and their vectors stay
// empty. Throws FileError or InputError with file and line.
Table read_csv(const std::string& path, const std::vector<std::string>& kept = {});
Table table_of(CsvRows& rows, const std::vector<std::string>& kept = {});

std::optional<double> number_in(std::string_view cell);

// The text itself if it is UTF-8, otherwise what it says in Latin-1.
std::string utf8(std::string_view text);

// Numbers in the shortest form that reads back exactly.
std::string csv_text(const std::vector<std::pair<std::string, std::span<const double>>>& columns);

}  // namespace bristle::io
