// SPDX-License-Identifier: MIT
#include "binary_tables.hpp"
#include "bristle/io/errors.hpp"

namespace bristle::io {

std::unique_ptr<TableRows> open_hdf5(const std::string& path) {
  throw InputError(path +
                   ": is an HDF5 file (MATLAB 7.3 writes such files too), and this program was "
                   "built without HDF5: save it as CSV");
}

}  // namespace bristle::io
