// SPDX-License-Identifier: MIT
// What is said to the HDF5 library before its first call.
#pragma once

#include <hdf5.h>

namespace bristle::io {

inline void start_hdf5() {
  // Its own clean-up when the program ends crashes where a file could not be stored, such as on a
  // full disk; whatever is opened here is closed here. Refused once the library is at work.
  [[maybe_unused]] static const herr_t first = H5dont_atexit();
  // What goes wrong is said in a sentence of ours.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

}  // namespace bristle::io
