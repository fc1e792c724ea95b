// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>
#include <utility>

#include "bristle/io/cancel.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "write_files.hpp"

namespace bristle::io {
namespace fs = std::filesystem;
using Names = std::set<std::string>;

namespace {

bool there(const fs::path& path) {
  std::error_code none;
  return fs::exists(fs::symlink_status(path, none));
}

// True if a directory holds earlier results of ours, and not just any file of that name.
bool holds_results(const std::string& directory) {
  if (fs::is_regular_file(fs::symlink_status(directory + "/" + std::string(manifest_name))))
    return true;
  const std::string summary = directory + "/" + std::string(summary_name);
  return fs::is_regular_file(fs::symlink_status(summary)) &&
         read_text(summary).find("\"bristle\":") != std::string::npos;
}

// The files and links below a directory, by their names from there; links are not followed.
Names files_in(const fs::path& directory) {
  Names names;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(directory, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error))
    if (!fs::is_directory(at->symlink_status()))
      names.insert(at->path().lexically_relative(directory).string());
  return names;
}

Names listed_in(const std::string& directory) {
  const std::string path = directory + "/" + std::string(manifest_name);
  if (!fs::is_regular_file(fs::symlink_status(path))) return {};
  Names names{std::string(manifest_name)};
  std::istringstream lines(read_text(path));
  for (std::string line; std::getline(lines, line);) names.insert(line);
  return names;
}

// Takes the files of others out of earlier results into the new ones, then removes the rest.
void hand_over(const std::string& old, const std::string& now, const Names& fresh) {
  const Names listed = listed_in(old);
  std::error_code error;
  for (const auto& name : files_in(old)) {
    // Results without a list were made before there was one: what is made again is ours.
    if (listed.contains(name) || (listed.empty() && fresh.contains(name))) continue;
    std::string target = now + "/" + name;
    while (there(target)) target += ".kept";
    fs::create_directories(fs::path(target).parent_path(), error);
    fs::rename(old + "/" + name, target, error);
    if (error)
      throw FileError(old + "/" + name + ": is not a result and cannot be moved to " + target +
                      " (" + error.message() + ")");
  }
  remove_tree(old);
}

}  // namespace

ResultDirectory::ResultDirectory(std::string final_path) : final_(std::move(final_path)) {
  while (final_.size() > 1 && (final_.ends_with("/") || final_.ends_with("/."))) final_.pop_back();
  check_place();
  std::error_code error;
  for (fs::path p = fs::path(final_).parent_path(); !p.empty() && !fs::exists(p, error);
       p = p.parent_path())
    made_.push_back(p.string());
  try {
    if (const auto folder = fs::path(final_).parent_path(); !folder.empty())
      fs::create_directories(folder, error);
    if (error) throw FileError(final_ + ": cannot be created (" + error.message() + ")");
    take_turn();
    clear_remains();
    check_place();
    working_ = final_ + ".partial-" + std::to_string(::getpid());
    if (::mkdir(working_.c_str(), 0755) != 0)
      throw FileError(final_ + ": cannot be created (" + std::strerror(errno) + ")");
  } catch (...) {
    drop_turn();
    for (const auto& folder : made_) fs::remove(folder, error);
    throw;
  }
}

ResultDirectory::~ResultDirectory() {
  std::error_code ignored;
  if (!committed_) remove_tree(working_);
  drop_turn();
  if (committed_) return;
  for (const auto& folder : made_) fs::remove(folder, ignored);
}

void ResultDirectory::check_place() const {
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(final_, error)))
    throw FileError(final_ + ": is a symbolic link, name the directory itself with --out");
  if (!fs::exists(final_, error)) return;
  if (!fs::is_directory(final_)) throw FileError(final_ + ": exists and is not a directory");
  if (!fs::is_empty(final_) && !holds_results(final_))
    throw FileError(final_ + ": holds files that are not results of bristle, choose another --out");
}

// Waits for the lock of the directory. A lock file that was removed while we waited does not count.
void ResultDirectory::take_turn() {
  const std::string path = final_ + ".lock";
  while (true) {
    turn_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (turn_ < 0 && (errno == ELOOP || errno == EISDIR)) refuse_lock();
    if (turn_ < 0) throw FileError(final_ + ": cannot be created (" + std::strerror(errno) + ")");
    // A lock of ours is empty, and is removed afterwards: a file of others is not.
    struct stat lock {};
    if (::fstat(turn_, &lock) == 0 && (!S_ISREG(lock.st_mode) || lock.st_size > 0)) {
      ::close(turn_);
      turn_ = -1;
      refuse_lock();
    }
    while (::flock(turn_, LOCK_EX | LOCK_NB) != 0) {
      // Where there are no locks results are still written under names of their own.
      if (errno != EWOULDBLOCK && errno != EINTR) return;
      stop_if_asked();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    struct stat ours {
    }, now{};
    if (::fstat(turn_, &ours) == 0 && ::lstat(path.c_str(), &now) == 0 &&
        ours.st_ino == now.st_ino && ours.st_dev == now.st_dev)
      return;
    ::close(turn_);
    turn_ = -1;
  }
}

void ResultDirectory::refuse_lock() const {
  throw FileError(final_ + ".lock: is not a lock of bristle, choose another --out or move it");
}

void ResultDirectory::drop_turn() {
  if (turn_ < 0) return;
  // Removed while it is locked, so that nobody waits for a name that comes back.
  ::unlink((final_ + ".lock").c_str());
  ::close(turn_);
  turn_ = -1;
}

// Removes what processes that died left behind; files of others that were on their way are kept.
void ResultDirectory::clear_remains() {
  const fs::path target(final_);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  const std::string name = target.filename().string();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string own = entry.path().filename().string();
    const auto dead = [&](const char* kind) {
      const long maker = maker_of(own, name, kind);
      return maker > 0 && (maker == ::getpid() || !is_alive(maker));
    };
    if (dead(".partial-")) remove_tree(entry.path().string());
    if (!dead(".old-") || fs::is_symlink(entry.symlink_status())) continue;
    if (there(final_)) hand_over(entry.path().string(), final_, files_in(final_));
    else fs::rename(entry.path(), final_, error);
  }
}

void ResultDirectory::write(const std::string& name, std::string_view text) {
  bool first = true;
  write(name, [&](std::string& block) {
    if (first) block = text;
    return std::exchange(first, false);
  });
}

void ResultDirectory::write(const std::string& name,
                            const std::function<bool(std::string&)>& next) {
  const std::string shown = final_ + "/" + name;
  const fs::path relative(name);
  if (relative.is_absolute() || relative.lexically_normal() != relative || name.find("..") == 0 ||
      name.find("/..") != std::string::npos)
    throw FileError(shown + ": is not a place inside the result directory");
  if (!written_.insert(name).second) throw FileError(shown + ": two results have this name");
  std::error_code error;
  if (relative.has_parent_path()) fs::create_directories(fs::path(path(name)).parent_path(), error);
  NewFile file(path(name), shown);
  std::string block;
  constexpr std::size_t most = std::size_t(1) << 20;
  for (; next(block); block.clear())
    for (std::string_view rest = block; !rest.empty();
         rest.remove_prefix(std::min(most, rest.size()))) {
      stop_if_asked();
      file.write(rest.substr(0, most));
    }
  file.finish();
}

void ResultDirectory::commit() {
  const Names fresh = files_in(working_);
  std::string list;
  for (const auto& name : fresh) list += name + "\n";
  write(std::string(manifest_name), list);
  std::error_code error;
  const std::string old = final_ + ".old-" + std::to_string(::getpid());
  const bool replace = there(final_);
  if (replace) fs::rename(final_, old, error);
  if (!error) fs::rename(working_, final_, error);
  if (error) {
    std::error_code ignored;
    if (replace && !there(final_)) fs::rename(old, final_, ignored);
    throw FileError(final_ + ": cannot be written (" + error.message() + ")");
  }
  committed_ = true;
  if (replace) hand_over(old, final_, fresh);
  drop_turn();
}

}  // namespace bristle::io
