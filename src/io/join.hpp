// SPDX-License-Identifier: MIT
// Several files as one table, joined by time.
//
// The rows are those of the first file whose times all others cover. Columns of the others are
// interpolated linearly. Clocks may count from different instants: counted
// from the first row of each file they agree, if all files began together.
#pragma once

#include <memory>

#include "bristle/io/table_rows.hpp"

namespace bristle::io {

struct JoinOptions {
  std::string column;       // of time: NAME or NAME:UNIT, in every file
  bool from_start = false;  // each clock counts from the first row of its file
  long skip = 0;            // lines of each file
};

// A column of another file keeps its name, or has that of its file before it (file.name) where an
// earlier file has the name. Throws InputError: a file without that column or whose times do not
// increase, and files without a common range of time.
std::unique_ptr<TableRows> join_tables(const std::vector<std::string>& files,
                                       const JoinOptions& options);

}  // namespace bristle::io
