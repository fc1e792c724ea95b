// SPDX-License-Identifier: MIT
#include "binary_tables.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/sweep_results.hpp"

namespace bristle::io {

std::unique_ptr<TableRows> open_hdf5(const std::string& path) {
  throw InputError(path +
                   ": is an HDF5 file (MATLAB 7.3 writes such files too), and this program was "
                   "built without HDF5: save it as CSV");
}

bool write_sweep_hdf5(const std::string&, const std::string&, const std::string&, const Sweep&,
                      const SweepStatistics&) {
  return false;
}

bool write_trajectories_hdf5(const std::string&, const std::string&, const std::string&,
                             const Sweep&, std::uint64_t) {
  return false;
}

}  // namespace bristle::io
