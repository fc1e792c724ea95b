// SPDX-License-Identifier: MIT
// Files that are written whole or not at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

std::string read_text(const std::string& path);  // throws FileError

// Asked again and again while files are read and pipes are waited for; once it says true, reading
// throws Interrupted.
void stop_reading_when(bool (*asked)());

// True if two paths lead to one file, or to files with the same bytes.
bool same_file(const std::string& one, const std::string& other);
bool same_content(const std::string& one, const std::string& other);

// Writes to a temporary name beside the target, checks that all bytes arrived, then renames.
void write_text(const std::string& path, std::string_view text);

// A result directory under construction. Files go to a temporary directory that takes its final
// name on commit() and is removed otherwise. A directory that does not hold earlier results is
// never replaced.
class ResultDirectory {
 public:
  explicit ResultDirectory(std::string final_path);
  ~ResultDirectory();
  ResultDirectory(const ResultDirectory&) = delete;
  ResultDirectory& operator=(const ResultDirectory&) = delete;

  void write(const std::string& name, std::string_view text);
  std::string path(const std::string& name) const { return working_ + "/" + name; }
  const std::string& working() const { return working_; }
  void commit();

 private:
  std::string final_, working_;
  std::vector<std::string> made_;  // folders above it that were not there before
  bool committed_ = false;
};

// A marker file of our result directories.
inline constexpr std::string_view summary_name = "summary.json";

// 64-bit FNV-1a of a text in hexadecimal: names a set of inputs, it does not protect them.
std::string fingerprint(std::string_view text);

}  // namespace bristle::io
