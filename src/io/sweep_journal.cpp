// SPDX-License-Identifier: MIT
// The journal of a sweep. First line: "bristle sweep FINGERPRINT". Then one entry per chunk: the
// line "#chunk NUMBER BYTES HASH" and BYTES of rows.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <mutex>

#include "bristle/io/cancel.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/sweep.hpp"

namespace bristle::io {
namespace {

// How the first line begins.
constexpr std::string_view journal_begin = "bristle sweep ";
// The longest entry that is believed [bytes].
constexpr std::uint64_t longest_entry = std::uint64_t(1) << 30;

}  // namespace

struct SweepJournal::Inside {
  struct Place {
    std::uint64_t from, bytes;
  };
  std::string path;
  int file = -1;
  std::uint64_t end = 0;  // of the last whole entry
  std::map<std::uint64_t, Place> places;
  mutable std::mutex guard;

  ~Inside() {
    if (file >= 0) ::close(file);
  }
  [[noreturn]] void refuse(const std::string& why) const { throw FileError(path + ": " + why); }

  std::string read(std::uint64_t from, std::uint64_t bytes) const {
    std::string text(bytes, '\0');
    for (std::uint64_t got = 0; got < bytes;) {
      const ssize_t n = ::pread(file, text.data() + got, bytes - got, off_t(from + got));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refuse(std::string("cannot be read (") + std::strerror(errno) + ")");
      if (n == 0) return text.substr(0, got);
      got += std::uint64_t(n);
    }
    return text;
  }
  // All bytes behind the last entry, or none of them.
  void write(std::string_view text) {
    const std::uint64_t before = end;
    while (!text.empty()) {
      const ssize_t n = ::pwrite(file, text.data(), text.size(), off_t(end));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        const int error = n < 0 ? errno : ENOSPC;
        end = before;
        if (::ftruncate(file, off_t(before)) != 0) {
          // What is left over is dropped when the file is opened again.
        }
        refuse(std::string("cannot be written (") + std::strerror(error) + "); " +
               std::to_string(places.size()) +
               " finished chunks of runs are kept in it, the same command goes on from there");
      }
      end += std::uint64_t(n);
      text.remove_prefix(std::size_t(n));
    }
  }
  void open() {
    while (true) {
      file = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
      if (file < 0 && errno == ELOOP) refuse("is a symbolic link, which is not followed");
      if (file < 0) refuse(std::string("cannot be written (") + std::strerror(errno) + ")");
      if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        refuse("another process is working on this sweep");
      // A file that another process removed after we opened it does not count.
      struct stat ours {
      }, now{};
      if (::fstat(file, &ours) == 0 && ::lstat(path.c_str(), &now) == 0 &&
          ours.st_ino == now.st_ino && ours.st_dev == now.st_dev)
        return;
      ::close(file);
      file = -1;
    }
  }
  // Finds the whole entries; what follows the last of them was cut off.
  void scan() {
    while (true) {
      stop_if_asked();
      const std::string head = read(end, 80);
      const auto line = head.find('\n');
      if (!head.starts_with("#chunk ") || line == std::string::npos) return;
      std::uint64_t chunk = 0, bytes = 0;
      const char* const last = head.data() + line;
      auto at = std::from_chars(head.data() + 7, last, chunk);
      if (at.ec != std::errc() || at.ptr == last) return;
      at = std::from_chars(at.ptr + 1, last, bytes);
      if (at.ec != std::errc() || at.ptr == last || bytes > longest_entry) return;
      const std::string rows = read(end + line + 1, bytes);
      if (rows.size() != bytes || fingerprint(rows) != std::string_view(at.ptr + 1, last)) return;
      places[chunk] = {end + line + 1, bytes};
      end += line + 1 + bytes;
    }
  }
};

SweepJournal::SweepJournal(std::string path, const std::string& fingerprint, bool fresh)
    : inside_(std::make_unique<Inside>()) {
  Inside& in = *inside_;
  in.path = std::move(path);
  in.open();
  const std::string head = std::string(journal_begin) + fingerprint + "\n";
  const std::string there = in.read(0, head.size());
  // A first line that was cut off has nothing behind it.
  const bool cut_off = head.starts_with(there) && there != head;
  if (!cut_off && !there.starts_with(journal_begin))
    throw InputError(in.path + ": is not the journal of a sweep; give another --out");
  if (!cut_off && there != head && !fresh)
    throw InputError(in.path +
                     ": belongs to another sweep; give another --out, or --fresh to begin again");
  if (there == head && !fresh) {
    in.end = head.size();
    in.scan();
  }
  if (::ftruncate(in.file, off_t(in.end)) != 0)
    in.refuse(std::string("cannot be written (") + std::strerror(errno) + ")");
  if (in.end == 0) in.write(head);
}

SweepJournal::~SweepJournal() = default;

bool SweepJournal::has(std::uint64_t chunk) const {
  const std::scoped_lock lock(inside_->guard);
  return inside_->places.contains(chunk);
}

std::uint64_t SweepJournal::chunks() const {
  const std::scoped_lock lock(inside_->guard);
  return inside_->places.size();
}

std::vector<std::uint64_t> SweepJournal::numbers() const {
  const std::scoped_lock lock(inside_->guard);
  std::vector<std::uint64_t> all;
  for (const auto& [chunk, place] : inside_->places) all.push_back(chunk);
  return all;
}

void SweepJournal::append(std::uint64_t chunk, std::string_view rows) {
  std::string head = "#chunk " + std::to_string(chunk) + " " + std::to_string(rows.size()) + " " +
                     fingerprint(rows) + "\n";
  const std::scoped_lock lock(inside_->guard);
  const std::uint64_t from = inside_->end + head.size();
  inside_->write(head += rows);
  inside_->places[chunk] = {from, rows.size()};
}

bool SweepJournal::next(std::uint64_t& position, std::string& rows) const {
  const std::scoped_lock lock(inside_->guard);
  const auto at = inside_->places.lower_bound(position);
  if (at == inside_->places.end()) return false;
  rows = inside_->read(at->second.from, at->second.bytes);
  position = at->first + 1;
  return true;
}

void SweepJournal::remove() { ::unlink(inside_->path.c_str()); }

}  // namespace bristle::io
