// SPDX-License-Identifier: MIT
// MATLAB files of versions 4 and 5, by libmatio.
#include <matio.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string_view>

#include "binary_tables.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/library_reading.hpp"
#include "bristle/solve/cancel.hpp"

namespace bristle::io {
namespace {

using Variable = std::unique_ptr<matvar_t, decltype(&Mat_VarFree)>;
using File = std::unique_ptr<mat_t, decltype(&Mat_Close)>;

bool holds_numbers(matvar_t& v) {
  return v.class_type >= MAT_C_DOUBLE && v.class_type <= MAT_C_UINT64 && !v.isComplex &&
         v.rank == 2 && v.dims;
}

template <class Number>
void append(std::vector<double>& into, matvar_t& v, std::size_t first, std::size_t stride,
            std::size_t count) {
  const auto* data = static_cast<const Number*>(v.data);
  for (std::size_t i = 0; i < count; ++i) into.push_back(double(data[first + i * stride]));
}

// Version 5 is a row of elements, each with its length: libmatio takes numbers beyond the end of a
// file that was cut off for zeros.
void check_length(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::uint64_t size = std::uint64_t(std::max<std::streamoff>(file.tellg(), 0));
  std::array<unsigned char, 128> head{};
  file.seekg(0);
  file.read(reinterpret_cast<char*>(head.data()), head.size());
  if (!file || std::string_view(reinterpret_cast<char*>(head.data()), 10) != "MATLAB 5.0") return;
  const bool little = head[126] == 'I';
  for (std::uint64_t at = head.size(); at < size;) {
    stop_if_asked();
    std::array<unsigned char, 4> length{};
    file.seekg(std::streamoff(at + 4));
    file.read(reinterpret_cast<char*>(length.data()), length.size());
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < 4; ++i) bytes = bytes << 8 | length[little ? 3 - i : i];
    if (!file || bytes > size - std::min(size, at + 8))
      throw InputError(path + ": ends in the middle of a variable, it was cut off");
    at += 8 + bytes;
  }
}

class MatlabRows : public ColumnRows {
 public:
  explicit MatlabRows(const std::string& path)
      : ColumnRows(path), file_(Mat_Open(path.c_str(), MAT_ACC_RDONLY), &Mat_Close) {
    if (!file_) throw InputError(path + ": cannot be read as a MATLAB file");
    std::vector<Found> all;
    while (const Variable v{Mat_VarReadNextInfo(file_.get()), &Mat_VarFree}) {
      if (!v->name) continue;
      variables_.push_back(v->name);
      std::size_t part = 0;
      look(*v, v->name, part, 0, all);
    }
    choose(std::move(all));
  }

 private:
  // The columns of a variable, in the order in which they are counted again as they are read.
  void look(matvar_t& v, const std::string& name, std::size_t& part, int depth,
            std::vector<Found>& all) const {
    if (all.size() > most_columns || depth > deepest)
      throw InputError(path_ + ": holds more than " + std::to_string(most_columns) +
                       " columns, or structures within each other more than " +
                       std::to_string(deepest) + " deep");
    if (v.class_type == MAT_C_STRUCT) {
      each_field(v, [&](const char* field, matvar_t& one) {
        look(one, name + "." + field, part, depth + 1, all);
      });
      return;
    }
    if (!holds_numbers(v)) return;
    const std::size_t rows = std::max(v.dims[0], v.dims[1]),
                      columns = std::min(v.dims[0], v.dims[1]);
    if (rows == 0 || columns == 0) return;
    if (columns > most_columns || rows > most_values / columns)
      throw InputError(path_ + ": " + name + " has " + std::to_string(v.dims[0]) + " times " +
                       std::to_string(v.dims[1]) + " values, more than are read");
    for (std::size_t k = 0; k < columns; ++k)
      all.push_back({columns == 1 ? name : name + "_" + std::to_string(k + 1), "", rows,
                     variables_.size() - 1, part++});
  }

  template <class Each>
  static void each_field(matvar_t& v, const Each& each) {
    // Of arrays of structures the first; a damaged one announces elements and has none.
    if (!v.data) return;
    char* const* names = Mat_VarGetStructFieldnames(&v);
    const unsigned count = Mat_VarGetNumberOfFields(&v);
    for (unsigned i = 0; names && i < count; ++i)
      if (matvar_t* one = Mat_VarGetStructFieldByIndex(&v, i, 0)) each(names[i], *one);
  }

  std::vector<double> load(const Found& column) const override {
    const LibraryReading reading(path_);
    const Variable v{Mat_VarRead(file_.get(), variables_[column.source].c_str()), &Mat_VarFree};
    std::vector<double> values;
    std::size_t part = column.part;
    if (v) take(*v, part, values);
    return values;
  }

  // True once the part was met and read.
  static bool take(matvar_t& v, std::size_t& part, std::vector<double>& values) {
    if (v.class_type == MAT_C_STRUCT) {
      bool done = false;
      each_field(v, [&](const char*, matvar_t& one) { done = done || take(one, part, values); });
      return done;
    }
    if (!holds_numbers(v)) return false;
    const std::size_t rows = std::max(v.dims[0], v.dims[1]),
                      columns = std::min(v.dims[0], v.dims[1]);
    if (part >= columns) {
      part -= columns;
      return false;
    }
    if (!v.data) return true;
    // Numbers stand column by column.
    const bool upright = v.dims[0] >= v.dims[1];
    const std::size_t first = upright ? part * rows : part, stride = upright ? 1 : columns;
    values.reserve(rows);
    switch (v.class_type) {
      case MAT_C_DOUBLE: append<double>(values, v, first, stride, rows); break;
      case MAT_C_SINGLE: append<float>(values, v, first, stride, rows); break;
      case MAT_C_INT8: append<std::int8_t>(values, v, first, stride, rows); break;
      case MAT_C_UINT8: append<std::uint8_t>(values, v, first, stride, rows); break;
      case MAT_C_INT16: append<std::int16_t>(values, v, first, stride, rows); break;
      case MAT_C_UINT16: append<std::uint16_t>(values, v, first, stride, rows); break;
      case MAT_C_INT32: append<std::int32_t>(values, v, first, stride, rows); break;
      case MAT_C_UINT32: append<std::uint32_t>(values, v, first, stride, rows); break;
      case MAT_C_INT64: append<std::int64_t>(values, v, first, stride, rows); break;
      case MAT_C_UINT64: append<std::uint64_t>(values, v, first, stride, rows); break;
      default: break;
    }
    return true;
  }

  File file_;
  std::vector<std::string> variables_;
};

}  // namespace

std::unique_ptr<TableRows> open_matlab(const std::string& path) {
  check_length(path);
  const LibraryReading reading(path);
  return std::make_unique<MatlabRows>(path);
}

}  // namespace bristle::io
