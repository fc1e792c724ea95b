// SPDX-License-Identifier: MIT
#include "text_source.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "bristle/io/errors.hpp"
#include "file_kind.hpp"
#ifdef BRISTLE_ZLIB
#include <zlib.h>
#endif

namespace bristle::io {
namespace {

constexpr std::size_t block = std::size_t(64) << 10;
// Measured numbers shrink to a tenth, constant columns to a hundredth.
constexpr std::size_t most_growth = 300, free_growth = std::size_t(64) << 20;

// UTF-16 by its mark, or by the zeros between letters of a file without one.
bool zeros_between(std::string_view head, std::size_t first) {
  if (head.size() < 4) return false;
  for (std::size_t i = 0; i < 4; ++i)
    if ((head[i] == '\0') != (i % 2 == first)) return false;
  return true;
}

}  // namespace

#ifdef BRISTLE_ZLIB
class TextSource::Inflater {
 public:
  explicit Inflater(const std::string& path) : path_(path), in_(block) {
    if (inflateInit2(&z_, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&z_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  template <class Raw>
  std::size_t read(char* into, std::size_t count, const Raw& raw) {
    z_.next_out = reinterpret_cast<Bytef*>(into),
    z_.avail_out = uInt(std::min<std::size_t>(count, 1u << 30));
    const std::size_t asked = z_.avail_out;
    while (z_.avail_out == asked) {
      if (z_.avail_in == 0) {
        z_.next_in = in_.data();
        z_.avail_in = uInt(raw(reinterpret_cast<char*>(in_.data()), in_.size()));
        if (z_.avail_in == 0) {
          if (!between_) refuse("ends in the middle of its compressed data, it was cut off");
          return 0;
        }
      }
      if (between_ && !next_member()) continue;
      const int state = inflate(&z_, Z_NO_FLUSH);
      if (state == Z_STREAM_END) between_ = true;
      else if (state != Z_OK && state != Z_BUF_ERROR)
        refuse("is damaged: its compressed data cannot be unpacked");
    }
    return asked - z_.avail_out;
  }

 private:
  // Several compressed files may follow each other, with zeros behind the last.
  bool next_member() {
    while (z_.avail_in > 0 && *z_.next_in == 0) ++z_.next_in, --z_.avail_in;
    if (z_.avail_in == 0) return false;
    if (inflateReset(&z_) != Z_OK) refuse("is damaged: its compressed data cannot be unpacked");
    between_ = false;
    return true;
  }
  [[noreturn]] void refuse(const char* what) const { throw InputError(path_ + ": " + what); }

  std::string path_;
  std::vector<Bytef> in_;
  z_stream z_{};
  bool between_ = false;
};
#else
class TextSource::Inflater {
 public:
  explicit Inflater(const std::string& path) {
    throw InputError(
        path + ": is compressed by gzip, and this program was built without zlib: unpack it first");
  }
  template <class Raw>
  std::size_t read(char*, std::size_t, const Raw&) {
    return 0;
  }
};
#endif

TextSource::TextSource(const std::string& path) : path_(path), file_(path) {
  size_ = file_->regular() ? file_->size() : 0;
}
TextSource::TextSource(const std::string& path, std::string_view bytes)
    : path_(path), bytes_(bytes), size_(bytes.size()) {}
TextSource::~TextSource() = default;

std::size_t TextSource::raw(char* into, std::size_t count) {
  std::size_t got = 0;
  if (!head_.empty()) {
    got = std::min(count, head_.size());
    std::memcpy(into, head_.data(), got);
    head_.erase(0, got);
    return got;  // counted as it was looked at
  }
  if (file_) {
    got = file_->read(into, count);
  } else {
    got = std::min(count, bytes_.size());
    std::memcpy(into, bytes_.data(), got);
    bytes_.remove_prefix(got);
  }
  taken_ += got;
  return got;
}

std::size_t TextSource::unpacked(char* into, std::size_t count) {
  if (!inflater_) return raw(into, count);
  const std::size_t got =
      inflater_->read(into, count, [&](char* to, std::size_t n) { return raw(to, n); });
  given_ += got;
  if (given_ > free_growth && given_ / most_growth > taken_)
    throw InputError(path_ + ": unpacks to more than " + std::to_string(most_growth) +
                     " times its size, this is no measurement");
  return got;
}

void TextSource::look_at_head() {
  looked_ = true;
  const auto gather = [&](const auto& read) {
    std::string seen(enough_to_tell, '\0');
    std::size_t filled = 0;
    while (filled < seen.size()) {
      const std::size_t got = read(seen.data() + filled, seen.size() - filled);
      if (got == 0) break;
      filled += got;
      // A pipe may give its first line now and the rest later.
      if (filled >= 16 && file_ && !file_->regular()) break;
    }
    seen.resize(filled);
    return seen;
  };
  head_ = gather([&](char* to, std::size_t n) { return raw(to, n); });
  if (kind_of(head_) == FileKind::gzip) {
    inflater_ = std::make_unique<Inflater>(path_);
    const std::string first = gather([&](char* to, std::size_t n) { return unpacked(to, n); });
    pending_.assign(first.begin(), first.end());
    filled_ = first.size();
  } else {
    pending_.assign(head_.begin(), head_.end());
    filled_ = head_.size();
    head_.clear();
  }
  const std::string_view head(pending_.data(), filled_);
  if (path_.ends_with(".toml"))
    throw InputError(path_ + ": is a TOML file where a table of data is read");
  switch (kind_of(head)) {
    case FileKind::foreign: throw InputError(path_ + ": is " + foreign_words(head));
    case FileKind::gzip: throw InputError(path_ + ": is compressed twice, unpack it once");
    case FileKind::matlab:
    case FileKind::hdf5:
      throw InputError(path_ + ": holds a MATLAB or HDF5 file in a place where text is read" +
                       (inflater_ ? ", unpack it first" : ""));
    default: break;
  }
  if (head.starts_with("\xFF\xFE")) code_ = Code::little, at_ = 2;
  else if (head.starts_with("\xFE\xFF")) code_ = Code::big, at_ = 2;
  else if (zeros_between(head, 1)) code_ = Code::little;
  else if (zeros_between(head, 0)) code_ = Code::big;
}

std::size_t TextSource::read(char* into, std::size_t count) {
  if (!looked_) look_at_head();
  if (code_ != Code::bytes) return convert(into, count);
  if (at_ < filled_) {
    const std::size_t got = std::min(count, filled_ - at_);
    std::memcpy(into, pending_.data() + at_, got);
    at_ += got;
    return got;
  }
  return unpacked(into, count);
}

std::size_t TextSource::size() const {
  const double each = inflater_ && taken_ > 0 ? double(given_) / double(taken_) : 1.0;
  const double text = code_ == Code::bytes ? 1.0 : 0.5;
  return std::size_t(double(size_) * each * text);
}

// More bytes behind what is left of the last ones.
void TextSource::refill() {
  const std::size_t rest = filled_ - at_;
  std::memmove(pending_.data(), pending_.data() + at_, rest);
  if (pending_.size() < block) pending_.resize(block);
  at_ = 0, filled_ = rest;
  filled_ += unpacked(pending_.data() + rest, pending_.size() - rest);
}

unsigned TextSource::unit() {
  if (ahead_ != none) return std::exchange(ahead_, none);
  while (filled_ - at_ < 2) {
    const std::size_t before = filled_ - at_;
    refill();
    if (filled_ == before) {
      if (before == 1)
        throw InputError(path_ + ": is text in UTF-16 with half a character at its end");
      return none;
    }
  }
  const auto byte = [&](std::size_t i) {
    return unsigned(static_cast<unsigned char>(pending_[at_ + i]));
  };
  const unsigned u = code_ == Code::little ? byte(0) | byte(1) << 8 : byte(0) << 8 | byte(1);
  at_ += 2;
  return u;
}

std::size_t TextSource::convert(char* into, std::size_t count) {
  while (left_.size() < count) {
    unsigned c = unit();
    if (c == none) break;
    // Two halves of a character beyond U+FFFF; a half alone is shown as the sign of replacement.
    if (c >= 0xD800 && c < 0xDC00) {
      const unsigned low = unit();
      if (low >= 0xDC00 && low < 0xE000) c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
      else c = 0xFFFD, ahead_ = low;
    } else if (c >= 0xDC00 && c < 0xE000) {
      c = 0xFFFD;
    }
    if (c < 0x80) left_ += char(c);
    else if (c < 0x800) left_ += {char(0xC0 | c >> 6), char(0x80 | (c & 0x3F))};
    else if (c < 0x10000)
      left_ += {char(0xE0 | c >> 12), char(0x80 | (c >> 6 & 0x3F)), char(0x80 | (c & 0x3F))};
    else
      left_ += {char(0xF0 | c >> 18), char(0x80 | (c >> 12 & 0x3F)), char(0x80 | (c >> 6 & 0x3F)),
                char(0x80 | (c & 0x3F))};
  }
  const std::size_t got = std::min(count, left_.size());
  std::memcpy(into, left_.data(), got);
  left_.erase(0, got);
  return got;
}

}  // namespace bristle::io
