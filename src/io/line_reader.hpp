// SPDX-License-Identifier: MIT
// The lines of a text, read in blocks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text_source.hpp"

namespace bristle::io {

class LineReader {
 public:
  static constexpr std::size_t longest_line = std::size_t(4) << 20;  // [bytes]

  explicit LineReader(const std::string& path) : path_(path), source_(path) {}
  LineReader(const std::string& path, std::string_view bytes) : path_(path), source_(path, bytes) {}

  // False at the end. The line is valid until the next call and ends before its line end. Throws
  // InputError if it is too long to be one.
  bool next(std::string_view& line);
  std::size_t consumed() const { return consumed_; }  // bytes of the lines handed out
  std::size_t size() const { return source_.size(); }

 private:
  bool fill();
  void find_line_end();

  std::string path_;
  TextSource source_;
  std::vector<char> buffer_;
  std::size_t filled_ = 0, at_ = 0, consumed_ = 0;
  bool ended_ = false;
  char line_end_ = '\n';
  long number_ = 0;
};

}  // namespace bristle::io
