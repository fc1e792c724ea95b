// SPDX-License-Identifier: MIT
#include "line_reader.hpp"

#include <algorithm>
#include <cstring>

#include "bristle/io/errors.hpp"

namespace bristle::io {
namespace {

constexpr std::size_t block = std::size_t(256) << 10;

}  // namespace

// Moves what is left to the front and reads on behind it.
bool LineReader::fill() {
  if (ended_) return false;
  if (at_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
    filled_ -= at_;
    at_ = 0;
  }
  if (filled_ > longest_line)
    throw InputError(path_ + ":" + std::to_string(number_ + 1) + ": the line is longer than " +
                     std::to_string(longest_line >> 20) + " MiB, this is no table");
  // A small file needs a small buffer; the byte beyond its size meets its end.
  if (buffer_.size() == filled_) {
    const std::size_t size = source_.size();
    buffer_.resize(filled_ + (size >= filled_ ? std::min(block, size - filled_ + 1) : block));
  }
  const std::size_t got = source_.read(buffer_.data() + filled_, buffer_.size() - filled_);
  filled_ += got;
  ended_ = got == 0;
  return true;
}

// Lines of old spreadsheets end with a carriage return alone: then the first has no other end.
void LineReader::find_line_end() {
  const std::string_view text(buffer_.data(), filled_);
  const auto first = text.find_first_of("\r\n");
  if (first != text.npos && first + 1 < text.size() && text[first] == '\r' &&
      text[first + 1] != '\n' && text[first + 1] != '\r')
    line_end_ = '\r';
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const char* const begin = buffer_.data() + at_;
    const std::size_t there = filled_ - at_;
    const void* const end =
        there > searched ? std::memchr(begin + searched, line_end_, there - searched) : nullptr;
    if (end || ended_) {
      if (!end && there == 0) return false;
      const std::size_t length = end ? std::size_t(static_cast<const char*>(end) - begin) : there;
      line = {begin, length};
      at_ += length + (end ? 1 : 0);
      consumed_ += length + (end ? 1 : 0);
      ++number_;
      return true;
    }
    searched = there;
    fill();
    if (number_ == 0) find_line_end();
  }
}

}  // namespace bristle::io
