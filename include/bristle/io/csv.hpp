// SPDX-License-Identifier: MIT
// Tables of numbers as text.
//
// Comma, semicolon, tab or space separated, with or without a header; '#' starts a comment; a cell
// in quotes may hold the separator. Lines before the table are skipped, several header rows are
// joined, and a row of units may be among them (src/io/csv_opening.hpp says how they are told
// apart). Columns without a header are called 1, 2, ... Numbers may have decimal commas where the
// separator is another sign. Text is UTF-8, UTF-16, or Latin-1 if it is neither, and may be
// compressed by gzip. A table is read row by row, so that memory is needed for the columns that are
// kept and for nothing else.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bristle/io/table_rows.hpp"

namespace bristle::io {

class LineReader;
struct OpeningLine;

// The rows of a table one after the other. Throws FileError, or InputError with file and line.
class CsvRows : public TableRows {
 public:
  // The first `skip` lines are skipped.
  explicit CsvRows(const std::string& path, long skip = 0);
  CsvRows(const std::string& path, std::string_view text);  // of a file that was read already
  ~CsvRows() override;

  bool next() override;
  std::optional<double> number(std::size_t column) const override;
  std::string text(std::size_t column) const override;
  std::string where() const override;
  std::size_t expected_rows() const override;
  std::string hint(std::size_t column) const override;
  const std::vector<std::string_view>& cells() const { return cells_; }
  long line() const { return line_; }

 private:
  void open_table(long skip);
  bool read_line(std::string_view& line, std::string* comment);
  bool next_line();
  void name_columns(std::size_t first, std::size_t last);

  std::unique_ptr<LineReader> lines_;
  std::vector<OpeningLine> opening_;  // lines that were read to find the table
  std::size_t opened_ = 0;            // of them handed out
  std::vector<std::string_view> cells_;
  char separator_ = ',';
  mutable char decimal_ = 0;  // the sign in numbers, 0 as long as none was met
  long line_ = 0, read_ = 0;  // of the present row, and of the last line that was read
  std::size_t rows_ = 0;
};

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  std::vector<std::string> units;  // from a row of units, as in TableRows

  // Both throw InputError that lists the columns there are.
  std::size_t index(const std::string& name, const std::string& path) const;
  const std::vector<double>& column(const std::string& name, const std::string& path) const;
};

// All columns, or those named; the cells of other columns are not read, and their vectors stay
// empty. Throws FileError or InputError with file and line.
Table read_csv(const std::string& path, const std::vector<std::string>& kept = {});
Table table_of(TableRows& rows, const std::vector<std::string>& kept = {});

std::optional<double> number_in(std::string_view cell);

// The text itself if it is UTF-8, otherwise what it says in Latin-1.
std::string utf8(std::string_view text);

// Numbers in the shortest form that reads back exactly.
std::string csv_text(const std::vector<std::pair<std::string, std::span<const double>>>& columns);

}  // namespace bristle::io
