// SPDX-License-Identifier: MIT
#include "entries.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/model/error.hpp"

namespace bristle::fuzz {
namespace fs = std::filesystem;

std::span<const Entry> entries() {
  static constexpr std::array all{Entry{"cache", cache},
                                  Entry{"csv", csv},
                                  Entry{"experiment", experiment},
                                  Entry{"figures", figures},
                                  Entry{"formula", formula},
                                  Entry{"join", join},
                                  Entry{"measurement", measurement},
                                  Entry{"model", model},
                                  Entry{"part", part},
                                  Entry{"run", run},
                                  Entry{"setting", setting},
                                  Entry{"unit", unit}};
  return all;
}

bool accepts(const std::function<void()>& reader) {
  const auto check = [](const std::exception& refusal) {
    require(std::string_view(refusal.what()).size() > 10, "a refusal is a sentence");
  };
  try {
    reader();
    return true;
  } catch (const io::InputError& refusal) {
    check(refusal);
  } catch (const InvalidInput& refusal) {
    check(refusal);
  } catch (const io::FileError& refusal) {
    check(refusal);
  }
  return false;
}

Scratch::Scratch() {
  root_ = (fs::temp_directory_path() / "bristle-fuzz-XXXXXX").string();
  if (::mkdtemp(root_.data()) == nullptr) throw std::runtime_error(root_ + ": cannot be created");
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

std::string Scratch::write(const std::string& name, std::string_view text) const {
  const std::string path = root_ + "/" + name;
  if (name.find('/') != name.npos) fs::create_directories(fs::path(path).parent_path());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const bool written = ::write(file, text.data(), text.size()) == ssize_t(text.size());
  if (file < 0 || ::close(file) != 0 || !written)
    throw std::runtime_error(path + ": cannot be written");
  return path;
}

const Scratch& scratch() {
  static const Scratch one;
  return one;
}

std::pair<std::string_view, std::string_view> first_line(std::string_view text) {
  const auto end = text.find('\n');
  if (end == text.npos) return {text, {}};
  return {text.substr(0, end), text.substr(end + 1)};
}

}  // namespace bristle::fuzz
