// SPDX-License-Identifier: MIT
#include "byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bristle/io/cancel.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"

namespace bristle::io {
namespace {

constexpr std::size_t block = std::size_t(256) << 10;
constexpr int patience = 50;  // between two looks whether to stop [ms]

}  // namespace

bool same_file(const std::string& one, const std::string& other) {
  struct stat a {
  }, b{};
  return ::stat(one.c_str(), &a) == 0 && ::stat(other.c_str(), &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

bool same_content(const std::string& one, const std::string& other) {
  // What comes through a pipe can be read only once.
  struct stat left_about {
  }, right_about{};
  if (::stat(one.c_str(), &left_about) != 0 || ::stat(other.c_str(), &right_about) != 0 ||
      !S_ISREG(left_about.st_mode) || !S_ISREG(right_about.st_mode) ||
      left_about.st_size != right_about.st_size)
    return false;
  ByteSource a(one), b(other);
  std::vector<char> left(block), right(block);
  for (;;) {
    const std::size_t n = a.read(left.data(), block), m = b.read(right.data(), block);
    if (n != m || std::memcmp(left.data(), right.data(), n) != 0) return false;
    if (n == 0) return true;
  }
}

ByteSource::ByteSource(const std::string& path) : path_(path) {
  // Without waiting: a pipe that nobody writes to would block here, ignoring requests.
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) throw FileError(path + ": cannot be read (" + std::strerror(errno) + ")");
  struct stat about {};
  if (::fstat(file_, &about) == 0) {
    if (S_ISDIR(about.st_mode)) {
      ::close(file_);
      throw FileError(path + ": is a directory, not a file");
    }
    regular_ = S_ISREG(about.st_mode);
    if (regular_) size_ = std::size_t(about.st_size);
  }
}

ByteSource::~ByteSource() { ::close(file_); }

std::size_t ByteSource::read(char* into, std::size_t count) {
  for (;;) {
    stop_if_asked();
    if (!regular_) {
      pollfd wait{file_, POLLIN, 0};
      if (::poll(&wait, 1, patience) <= 0) continue;
    }
    const ssize_t got = ::read(file_, into, count);
    if (got >= 0) return std::size_t(got);
    if (errno != EINTR && errno != EAGAIN)
      throw FileError(path_ + ": cannot be read (" + std::strerror(errno) + ")");
  }
}

}  // namespace bristle::io
