// SPDX-License-Identifier: MIT
// The bytes of one file, and what a process that died left behind.
#pragma once

#include <string>
#include <string_view>

namespace bristle::io {

// A new file that is open for writing and removed again unless finish() is called. `shown` is the
// name the user knows: `path` may be temporary. Neither a file that is there nor a symbolic link is
// written to.
class NewFile {
 public:
  NewFile(std::string path, std::string shown);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view text);
  void finish();

 private:
  [[noreturn]] void refuse(int error);

  std::string path_, shown_;
  int file_ = -1;
  std::size_t written_ = 0;  // bytes
};

// Removes a file or a directory with all it holds, without waiting for the blocks of long files.
void remove_tree(const std::string& path);

// The process that made a temporary name, "TARGET.partial-12" or "TARGET.old-12", 0 for any other
// name.
long maker_of(const std::string& name, const std::string& target, const std::string& kind);
bool is_alive(long process);

}  // namespace bristle::io
