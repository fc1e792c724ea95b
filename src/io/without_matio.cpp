// SPDX-License-Identifier: MIT
#include "binary_tables.hpp"
#include "bristle/io/errors.hpp"

namespace bristle::io {

std::unique_ptr<TableRows> open_matlab(const std::string& path) {
  throw InputError(path +
                   ": is a MATLAB file, and this program was built without libmatio: save it as "
                   "version 7.3 or as CSV");
}

}  // namespace bristle::io
