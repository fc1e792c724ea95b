// SPDX-License-Identifier: MIT
// The rows of a table one after the other, whatever the file they come from.
//
// A file of text is read as CSV (io/csv.hpp), compressed by gzip or not; a MATLAB file (versions 5
// and 7.3) and an HDF5 file hold columns of numbers (io/binary_tables.hpp); several files become
// one table if they are joined by time (io/join.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bristle::io {

class TableRows {
 public:
  explicit TableRows(std::string path) : path_(std::move(path)) {}
  virtual ~TableRows();
  TableRows(const TableRows&) = delete;
  TableRows& operator=(const TableRows&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<std::string>& names() const { return names_; }
  // Beside the header, "" where a column has none; empty if no column has one.
  const std::vector<std::string>& units() const { return units_; }
  std::string unit(std::size_t column) const { return units_.empty() ? "" : units_[column]; }
  // What was skipped or taken in a way that is worth saying, one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }
  // The place of a name. Throws InputError that lists the columns there are, or says that several
  // have that name.
  std::size_t index(const std::string& name) const;

  // The columns that will be used; the others need not be kept. Called before the first row.
  virtual void keep(const std::vector<std::size_t>&) {}
  virtual bool next() = 0;  // false at the end
  // Of the present row: the number in a column, if it is one, and its text in UTF-8.
  virtual std::optional<double> number(std::size_t column) const = 0;
  virtual std::string text(std::size_t column) const = 0;
  virtual std::string where() const = 0;  // "data.csv:12"
  // How many rows there will be; 0 if nothing can be said yet.
  virtual std::size_t expected_rows() const { return 0; }
  // What may be wrong with a cell that is no number, in words to put behind a refusal.
  virtual std::string hint(std::size_t) const { return ""; }

 protected:
  std::string path_;
  std::vector<std::string> names_, units_, notes_;
};

// The table of a file: by its first bytes, or, for old MATLAB files, by its name. Throws FileError
// or InputError, which names what a file is if it is no table.
std::unique_ptr<TableRows> open_table(const std::string& path, long skip = 0);

}  // namespace bristle::io
