// SPDX-License-Identifier: MIT
#include "bristle/io/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>

#include "bristle/io/errors.hpp"
#include "byte_source.hpp"

namespace bristle::io {
namespace fs = std::filesystem;

namespace {
// What a pipe or a device may give at most [bytes].
constexpr std::size_t longest_stream = std::size_t(64) << 20;
}  // namespace

std::string read_text(const std::string& path) {
  ByteSource source(path);
  std::string text;
  text.reserve(source.size() + 1);
  std::array<char, std::size_t(64) << 10> block;
  while (const std::size_t got = source.read(block.data(), block.size())) {
    text.append(block.data(), got);
    if (!source.regular() && text.size() > longest_stream)
      throw FileError(path + ": does not end after " + std::to_string(longest_stream >> 20) +
                      " MiB, it cannot be read as a whole");
  }
  return text;
}

namespace {

// `shown` is the name the user knows: `path` may be temporary.
void write_all(const std::string& path, std::string_view text, const std::string& shown) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) throw FileError(shown + ": cannot be written (" + std::strerror(errno) + ")");
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const std::string why = std::strerror(errno);
      ::close(file);
      ::unlink(path.c_str());
      throw FileError(shown + ": cannot be written (" + why + ")");
    }
    done += std::size_t(n);
  }
  if (::close(file) != 0)
    throw FileError(shown + ": cannot be written (" + std::strerror(errno) + ")");
}

// True if a directory holds earlier results of ours, and not just any file of that name.
bool holds_results(const std::string& directory) {
  const std::string summary = directory + "/" + std::string(summary_name);
  return fs::is_regular_file(summary) &&
         read_text(summary).find("\"bristle\":") != std::string::npos;
}

}  // namespace

void write_text(const std::string& path, std::string_view text) {
  const std::string temporary = path + ".partial-" + std::to_string(::getpid());
  write_all(temporary, text, path);
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
    if (!fs::is_empty(final_) && !holds_results(final_))
      throw FileError(final_ +
                      ": holds files that are not results of bristle, choose another --out");
  }
  for (fs::path p = fs::path(final_).parent_path(); !p.empty() && !fs::exists(p, error);
       p = p.parent_path())
    made_.push_back(p.string());
  working_ = final_ + ".partial-" + std::to_string(::getpid());
  fs::create_directories(working_, error);
  if (error) throw FileError(final_ + ": cannot be created (" + error.message() + ")");
}

ResultDirectory::~ResultDirectory() {
  std::error_code ignored;
  if (committed_) return;
  fs::remove_all(working_, ignored);
  for (const auto& folder : made_) fs::remove(folder, ignored);
}

void ResultDirectory::write(const std::string& name, std::string_view text) {
  write_all(path(name), text, final_ + "/" + name);
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
