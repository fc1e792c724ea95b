// SPDX-License-Identifier: MIT
// Bytes of a file, a pipe or a device; a request to stop is heard while waiting for them.
#pragma once

#include <cstddef>
#include <string>

namespace bristle::io {

class ByteSource {
 public:
  explicit ByteSource(const std::string& path);  // throws FileError
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // How many bytes were read, 0 at the end. Throws FileError, or Interrupted if asked to stop.
  std::size_t read(char* into, std::size_t count);
  bool regular() const { return regular_; }
  std::size_t size() const { return size_; }  // of a regular file

 private:
  std::string path_;
  int file_ = -1;
  bool regular_ = false;
  std::size_t size_ = 0;
};

}  // namespace bristle::io
