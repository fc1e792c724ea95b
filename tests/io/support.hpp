// SPDX-License-Identifier: MIT
// A fresh directory for one test, removed when the test ends, and predicates for sentences.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

namespace bristle::test {

namespace fs = std::filesystem;

inline std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path.string() + ": cannot be read by the test");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (fs::temp_directory_path() / "bristle-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  const fs::path& root() const { return path_; }
  bool has(const std::string& name) const { return fs::exists(path_ / name); }

  // Writes a file and returns its whole path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path(name);
  }
  std::string text(const std::string& name) const { return read(path_ / name); }

  // The names in a folder of this directory.
  std::set<std::string> names(const std::string& folder = ".") const {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(path_ / folder))
      all.insert(entry.path().filename().string());
    return all;
  }

 private:
  fs::path path_;
};

// What a call says when it throws an Error; a note if it throws nothing.
template <class Error, class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "(not refused)";
}

// For EXPECT_PRED2, which prints both texts.
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
inline bool begins(const std::string& text, const std::string& part) {
  return text.starts_with(part);
}
inline bool lacks(const std::string& text, const std::string& part) {
  return !contains(text, part);
}

}  // namespace bristle::test
