// SPDX-License-Identifier: MIT
#include "bristle/io/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "bristle/io/errors.hpp"

namespace bristle::io {
namespace fs = std::filesystem;

std::string read_text(const std::string& path) {
  if (fs::is_directory(path)) throw FileError(path + ": is a directory, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw FileError(path + ": cannot be read (" + std::strerror(errno) + ")");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

namespace {

void write_all(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) throw FileError(path + ": cannot be written (" + std::strerror(errno) + ")");
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const std::string why = std::strerror(errno);
      ::close(file);
      ::unlink(path.c_str());
      throw FileError(path + ": cannot be written (" + why + ")");
    }
    done += std::size_t(n);
  }
  if (::close(file) != 0)
    throw FileError(path + ": cannot be written (" + std::strerror(errno) + ")");
}

}  // namespace

void write_text(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".partial-" + std::to_string(::getpid());
  write_all(temporary, text);
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) {
    fs::remove(temporary);
    throw FileError(path + ": cannot be written (" + error.message() + ")");
  }
}

ResultDirectory::ResultDirectory(std::string final_path) : final_(std::move(final_path)) {
  while (final_.size() > 1 && final_.back() == '/') final_.pop_back();
  std::error_code error;
  if (fs::exists(final_, error)) {
    if (!fs::is_directory(final_)) throw FileError(final_ + ": exists and is not a directory");
    if (!fs::is_empty(final_) && !fs::exists(final_ + "/" + std::string(summary_name)))
      throw FileError(final_ + ": holds files that are not results of bristle, choose another --out");
  }
  working_ = final_ + ".partial-" + std::to_string(::getpid());
  fs::create_directories(working_, error);
  if (error) throw FileError(final_ + ": cannot be created (" + error.message() + ")");
}

ResultDirectory::~ResultDirectory() {
  std::error_code ignored;
  if (!committed_) fs::remove_all(working_, ignored);
}

void ResultDirectory::write(const std::string& name, std::string_view text) {
  write_all(path(name), text);
}

void ResultDirectory::commit() {
  std::error_code error;
  const std::string old = final_ + ".old-" + std::to_string(::getpid());
  const bool replace = fs::exists(final_);
  if (replace) fs::rename(final_, old, error);
  if (!error) fs::rename(working_, final_, error);
  if (error) {
    std::error_code ignored;
    if (replace && !fs::exists(final_)) fs::rename(old, final_, ignored);
    throw FileError(final_ + ": cannot be written (" + error.message() + ")");
  }
  committed_ = true;
  fs::remove_all(old, error);
}

std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
  return hex;
}

}  // namespace bristle::io
