// SPDX-License-Identifier: MIT
#include "bristle/io/table_rows.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "binary_tables.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "file_kind.hpp"
#include "place_of.hpp"

namespace bristle::io {
namespace {

// The first bytes of a regular file; what comes through a pipe can be read only once.
std::string head_of(const std::string& path) {
  std::string head(enough_to_tell, '\0');
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return "";
  struct stat about {};
  const bool regular = ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  const ssize_t got = regular ? ::read(file, head.data(), head.size()) : 0;
  ::close(file);
  head.resize(std::size_t(std::max<ssize_t>(got, 0)));
  return head;
}

}  // namespace

TableRows::~TableRows() = default;

std::size_t TableRows::index(const std::string& name) const {
  // By its number, if no column is called so.
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number >= 1 &&
        number <= names_.size())
      return number - 1;
  }
  return place_of(names_, name, path_);
}

std::unique_ptr<TableRows> open_table(const std::string& path, long skip) {
  const std::string head = head_of(path);
  FileKind kind = kind_of(head);
  // Version 4 has no mark: a small number in its first bytes, and zeros.
  if (kind == FileKind::text && path.ends_with(".mat") && head.find('\0') < 20)
    kind = FileKind::matlab;
  if (kind != FileKind::matlab && kind != FileKind::hdf5)
    return std::make_unique<CsvRows>(path, skip);
  if (skip > 0)
    throw InputError(path + ": --skip is for lines of text, this file holds columns of numbers");
  return kind == FileKind::matlab ? open_matlab(path) : open_hdf5(path);
}

}  // namespace bristle::io
