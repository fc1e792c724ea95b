// SPDX-License-Identifier: MIT
#include "write_files.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"

namespace bristle::io {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t block = std::size_t(1) << 20;
constexpr std::size_t long_file = std::size_t(64) << 20;

constexpr std::size_t many_files = 64, files_at_once = 200;

// Whoever closes a removed file last waits until the system has freed its blocks, up to seconds for
// gigabytes or for thousands of files, and Ctrl-C would wait as well. A process that holds the
// files open a moment longer does that instead. It is a grandchild, so that nobody has to wait for
// its end, and it keeps nothing else open.
void leave_to_another_process(const std::vector<int>& files) {
  const pid_t child = ::fork();
  if (child < 0) return;
  if (child > 0) {
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
    return;
  }
  if (::fork() == 0) {
    for (int other = 0; other < 1024; ++other)
      if (std::find(files.begin(), files.end(), other) == files.end()) ::close(other);
    ::usleep(100'000);
  }
  ::_exit(0);
}

bool plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.';
}

// Removes what processes that died left beside a file.
void clear_remains(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const long maker =
        maker_of(entry.path().filename().string(), path.filename().string(), ".partial-");
    if (maker > 0 && !is_alive(maker) && !entry.is_directory(none)) fs::remove(entry.path(), none);
  }
}

}  // namespace

NewFile::NewFile(std::string path, std::string shown)
    : path_(std::move(path)), shown_(std::move(shown)) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file_ < 0) throw FileError(shown_ + ": cannot be written (" + std::strerror(errno) + ")");
}

NewFile::~NewFile() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());
  if (written_ > long_file) leave_to_another_process({file_});
  ::close(file_);
}

void remove_tree(const std::string& path) {
  std::error_code none;
  // A link is removed and not followed: what it leads to is not ours.
  std::vector<std::pair<fs::path, std::uintmax_t>> files;
  if (fs::is_directory(fs::symlink_status(path, none)))
    for (auto at = fs::recursive_directory_iterator(path, none);
         !none && at != fs::recursive_directory_iterator(); at.increment(none))
      if (std::error_code gone; !at->is_symlink(gone) && at->is_regular_file(gone))
        files.emplace_back(at->path(), at->file_size(gone));
  std::vector<int> held;
  const auto let_go = [&] {
    if (held.empty()) return;
    leave_to_another_process(held);
    for (const int file : held) ::close(file);
    held.clear();
  };
  for (const auto& [name, bytes] : files) {
    if (files.size() < many_files && bytes < long_file) continue;
    const int file = ::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) continue;
    ::unlink(name.c_str());
    held.push_back(file);
    if (held.size() == files_at_once) let_go();
  }
  let_go();
  fs::remove_all(path, none);
}

void NewFile::refuse(int error) {
  throw FileError(shown_ + ": cannot be written (" + std::strerror(error) + ")");
}

void NewFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file_, text.data(), std::min(text.size(), block));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) refuse(errno);
    text.remove_prefix(std::size_t(n));
    written_ += std::size_t(n);
  }
}

void NewFile::finish() {
  const int file = file_;
  file_ = -1;
  if (::close(file) == 0) return;
  const int error = errno;
  ::unlink(path_.c_str());
  refuse(error);
}

long maker_of(const std::string& name, const std::string& target, const std::string& kind) {
  const std::string front = target + kind;
  if (!name.starts_with(front)) return 0;
  long process = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + front.size(), end, process);
  const bool whole = read.ec == std::errc() && (read.ptr == end || *read.ptr == '-');
  return whole && process > 0 ? process : 0;
}

bool is_alive(long process) {
  return process > 0 && (::kill(pid_t(process), 0) == 0 || errno != ESRCH);
}

void write_text(const std::string& path, std::string_view text) {
  static std::atomic<unsigned> number{0};
  std::error_code error;
  // A device, a pipe or a directory would be replaced by the file.
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    throw FileError(path + ": cannot be written, it is not a file");
  clear_remains(path);
  const std::string temporary =
      path + ".partial-" + std::to_string(::getpid()) + "-" + std::to_string(++number);
  // A process of the same number that died may have left one.
  ::unlink(temporary.c_str());
  NewFile file(temporary, path);
  file.write(text);
  file.finish();
  fs::rename(temporary, path, error);
  if (error) {
    fs::remove(temporary);
    throw FileError(path + ": cannot be written (" + error.message() + ")");
  }
}

void check_output_file(const std::string& path, const std::string& input) {
  std::error_code none;
  const fs::file_status there = fs::symlink_status(path, none);
  if (fs::is_symlink(there)) throw FileError(path + ": is a symbolic link, name the file itself");
  if (fs::exists(there) && !fs::is_regular_file(there))
    throw FileError(path + ": cannot be written, it is not a file");
  if (same_file(path, input)) throw FileError(path + ": is the file that is read, name another");
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || name.size() > 100 || name[0] == '.' || name[0] == '-') return false;
  for (const char c : name)
    if (!plain(c)) return false;
  return true;
}

std::string plain_name(std::string_view name) {
  std::string safe;
  for (const char c : name.substr(0, 100)) {
    if (safe.empty() && (!plain(c) || c == '.' || c == '-')) continue;
    safe += plain(c) ? c : '-';
  }
  return safe.empty() ? "file" : safe;
}

}  // namespace bristle::io
