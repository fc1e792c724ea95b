// SPDX-License-Identifier: MIT
// Files that are written whole or not at all.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

std::string read_text(const std::string& path);  // throws FileError

// True if two paths lead to one file, or to files with the same bytes.
bool same_file(const std::string& one, const std::string& other);
bool same_content(const std::string& one, const std::string& other);

// Writes to a temporary name beside the target, checks that all bytes arrived, then renames. A
// symbolic link at the target is replaced, not followed; a device, a pipe or a directory is
// refused.
void write_text(const std::string& path, std::string_view text);
// Refuses what an output may not be named: a link, what is not a file, or the file that is read.
void check_output_file(const std::string& path, const std::string& input);

// Letters, digits, '_', '-' and '.', the first a letter, a digit or '_', at most 100 of them: what
// a name from a file must be to become the name of a result.
bool is_plain_name(std::string_view name);
// The name with '-' in place of all else, cut to that length.
std::string plain_name(std::string_view name);

// A result directory under construction. Files go to a temporary directory that takes its final
// name on commit() and is removed otherwise.
// - A directory that does not hold earlier results is never replaced, nor is a symbolic link.
// - Earlier results there are replaced as a whole; files of others stay. Which files are results is
//   listed in `.bristle-files`. Where a new result has the name of a file of others, that file is
//   kept with `.kept` behind its name.
// - Two processes with the same directory take turns: each waits while a ResultDirectory of the
//   other lives. What a process that died left behind is removed.
class ResultDirectory {
 public:
  explicit ResultDirectory(std::string final_path);
  ~ResultDirectory();
  ResultDirectory(const ResultDirectory&) = delete;
  ResultDirectory& operator=(const ResultDirectory&) = delete;

  // A name may have folders in front; every name is written once.
  void write(const std::string& name, std::string_view text);
  // Block by block, until `next` has nothing more to add to the empty text it is given.
  void write(const std::string& name, const std::function<bool(std::string& block)>& next);
  bool has(const std::string& name) const { return written_.contains(name); }
  std::string path(const std::string& name) const { return working_ + "/" + name; }
  const std::string& working() const { return working_; }
  void commit();

 private:
  void check_place() const;
  void take_turn();
  [[noreturn]] void refuse_lock() const;
  void clear_remains();
  void drop_turn();

  std::string final_, working_;
  std::vector<std::string> made_;  // folders above it that were not there before
  std::set<std::string> written_;
  int turn_ = -1;  // the file that is locked
  bool committed_ = false;
};

// A marker file of our result directories.
inline constexpr std::string_view summary_name = "summary.json";
// The names of the results in a result directory, one per line.
inline constexpr std::string_view manifest_name = ".bristle-files";

// 64-bit FNV-1a of a text in hexadecimal: names a set of inputs, it does not protect them.
std::string fingerprint(std::string_view text);
// The same of the bytes of a file, which is not held in memory; throws FileError.
std::string file_fingerprint(const std::string& path);

}  // namespace bristle::io
