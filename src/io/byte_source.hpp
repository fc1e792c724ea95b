// SPDX-License-Identifier: MIT
// Bytes and lines of a file, a pipe or a device, read in blocks; a request to stop is heard while
// waiting for them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

class LineReader {
 public:
  static constexpr std::size_t longest_line = std::size_t(4) << 20;  // [bytes]

  explicit LineReader(const std::string& path) : path_(path), source_(path) {}
  LineReader(const std::string& path, std::string_view text)
      : path_(path), buffer_(text.begin(), text.end()), filled_(text.size()), ended_(true) {}

  // False at the end. The line is valid until the next call and ends before its line end. Throws
  // InputError if it is too long to be one.
  bool next(std::string_view& line);
  std::size_t consumed() const { return consumed_; }  // bytes of the lines handed out
  std::size_t size() const { return source_ ? source_->size() : filled_; }

 private:
  bool fill();

  std::string path_;
  std::optional<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t filled_ = 0, at_ = 0, consumed_ = 0;
  bool ended_ = false;
  long number_ = 0;
};

}  // namespace bristle::io
