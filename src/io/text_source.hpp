// SPDX-License-Identifier: MIT
// The text of a file as UTF-8 or Latin-1: unpacked if it is compressed by gzip, converted if it is
// in UTF-16. It comes in blocks, so that memory does not grow with the file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "byte_source.hpp"

namespace bristle::io {

class TextSource {
 public:
  explicit TextSource(const std::string& path);                 // throws FileError
  TextSource(const std::string& path, std::string_view bytes);  // of a file that was read already
  ~TextSource();

  // How many bytes of text were read, 0 at the end. Throws FileError, Interrupted if asked to stop,
  // or InputError: a file that is no text, that is damaged, or that unpacks to far more than
  // measured data do.
  std::size_t read(char* into, std::size_t count);
  // The size of the text, as far as it can be told by now; 0 if it cannot.
  std::size_t size() const;

 private:
  class Inflater;
  std::size_t raw(char* into, std::size_t count);       // as the file has them
  std::size_t unpacked(char* into, std::size_t count);  // behind the compression
  void look_at_head();
  void refill();
  std::size_t convert(char* into, std::size_t count);
  unsigned unit();  // of UTF-16; `none` at the end

  std::string path_;
  std::optional<ByteSource> file_;
  std::string_view bytes_;
  std::string head_;  // bytes that were looked at and not handed on yet
  bool looked_ = false;
  std::unique_ptr<Inflater> inflater_;
  std::size_t size_ = 0;               // of the file, 0 if it is not known
  std::size_t taken_ = 0, given_ = 0;  // raw bytes in, bytes of text out
  enum class Code { bytes, little, big } code_ = Code::bytes;
  std::vector<char> pending_;  // of UTF-16
  std::size_t at_ = 0, filled_ = 0;
  std::string left_;  // converted, but without room so far
  unsigned ahead_ = none;
  static constexpr unsigned none = 0x110000;
};

}  // namespace bristle::io
