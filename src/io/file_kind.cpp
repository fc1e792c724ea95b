// SPDX-License-Identifier: MIT
#include "file_kind.hpp"

#include <algorithm>

namespace bristle::io {
namespace {

struct Mark {
  std::string_view bytes, words;
};

using namespace std::string_view_literals;

constexpr Mark foreign[]{
    {"PK\3\4"sv, "a spreadsheet (.xlsx, .ods) or another ZIP archive: save the sheet as CSV"},
    {"\xD0\xCF\x11\xE0"sv, "an old Office document (.xls): save the sheet as CSV"},
    {"%PDF"sv, "a PDF document: tables of numbers are read from text"},
    {"\x89PNG"sv, "a picture: tables of numbers are read from text"},
    {"MDF     "sv, "an ASAM measurement (.mf4, .mdf): export its channels as CSV or .mat"},
    {"UnFinMF "sv, "an unfinished ASAM measurement (.mf4): export its channels as CSV or .mat"},
    {"TDSm"sv, "a LabVIEW measurement (.tdms): export its channels as CSV or .mat"},
    {"SQLite format 3\0"sv, "an SQLite database: export the table as CSV"},
    {"PAR1"sv, "a Parquet file: export it as CSV or HDF5"},
    {"\x93NUMPY"sv, "an array of NumPy (.npy): write it by numpy.savetxt"},
    {"BZh"sv, "compressed by bzip2: unpack it, or compress it by gzip"},
    {"\xFD"
     "7zXZ"sv,
     "compressed by xz: unpack it, or compress it by gzip"},
    {"\x28\xB5\x2F\xFD"sv, "compressed by zstd: unpack it, or compress it by gzip"},
    {"\xFF\xFE\0\0"sv, "text in UTF-32: save it as UTF-8"},
    {"\0\0\xFE\xFF"sv, "text in UTF-32: save it as UTF-8"}};

constexpr std::string_view hdf5_mark = "\x89HDF\r\n\x1A\n"sv;

}  // namespace

FileKind kind_of(std::string_view head) {
  if (head.starts_with("\x1F\x8B"sv)) return FileKind::gzip;
  if (head.starts_with("MATLAB 5.0 MAT-file"sv)) return FileKind::matlab;
  // A block of the user may stand before the mark; MATLAB 7.3 writes words of its own there.
  for (const std::size_t at : {0, 512, 1024, 2048})
    if (head.substr(std::min(at, head.size())).starts_with(hdf5_mark)) return FileKind::hdf5;
  return foreign_words(head).empty() ? FileKind::text : FileKind::foreign;
}

std::string foreign_words(std::string_view head) {
  for (const Mark& mark : foreign)
    if (head.starts_with(mark.bytes)) return std::string(mark.words);
  return "";
}

}  // namespace bristle::io
