// SPDX-License-Identifier: MIT
// Which file a library of others is reading: the libraries for MATLAB and HDF5 files may crash on
// damaged ones, and whoever handles the signal can name the file.
#pragma once

#include <string>

namespace bristle::io {

// Null while this thread is in no such library.
inline thread_local const char* file_in_library = nullptr;

class LibraryReading {
 public:
  explicit LibraryReading(const std::string& path) : before_(file_in_library) {
    file_in_library = path.c_str();
  }
  ~LibraryReading() { file_in_library = before_; }
  LibraryReading(const LibraryReading&) = delete;
  LibraryReading& operator=(const LibraryReading&) = delete;

 private:
  const char* before_;
};

}  // namespace bristle::io
