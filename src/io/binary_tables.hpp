// SPDX-License-Identifier: MIT
// Columns of numbers from MATLAB and HDF5 files.
//
// Every vector of numbers is a column under its own name, every column of a matrix one with its
// number behind (force_2), every field of a structure, and every member of a table, one with a dot
// (log.force). The longer side of a matrix are its rows. The table has the length that most columns
// have; others are left out and named. HDF5: groups count as structures, an attribute `units` gives
// the unit; links to other files are not followed. Version 7.3 of MATLAB is HDF5.
#pragma once

#include <memory>

#include "bristle/io/table_rows.hpp"

namespace bristle::io {

// Throw InputError if the file is damaged, holds no columns, or if the library that reads it was
// left out of this build.
std::unique_ptr<TableRows> open_matlab(const std::string& path);
std::unique_ptr<TableRows> open_hdf5(const std::string& path);

// Columns that are there as a whole.
class ColumnRows : public TableRows {
 public:
  using TableRows::TableRows;

  void keep(const std::vector<std::size_t>& columns) override;
  bool next() override { return ++row_ <= rows_; }
  std::optional<double> number(std::size_t column) const override;
  std::string text(std::size_t column) const override;
  std::string where() const override { return path_ + ": row " + std::to_string(row_); }
  std::size_t expected_rows() const override { return rows_; }

 protected:
  // A column that the file has.
  struct Found {
    std::string name, unit;
    std::size_t length = 0;
    std::size_t source = 0, part = 0;  // what it is for the reader
  };
  // Takes those of the usual length and says what is left out.
  void choose(std::vector<Found> all);
  virtual std::vector<double> load(const Found& column) const = 0;

  static constexpr std::size_t most_columns = 10000, most_values = std::size_t(1) << 27;
  static constexpr int deepest = 8;  // structures within structures

 private:
  const std::vector<double>& values(std::size_t column) const;

  std::vector<Found> columns_;
  mutable std::vector<std::vector<double>> values_;  // read as they are asked for
  std::size_t rows_ = 0, row_ = 0;
};

}  // namespace bristle::io
