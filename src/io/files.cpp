// SPDX-License-Identifier: MIT
#include "bristle/io/files.hpp"

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
constexpr std::size_t largest_file = std::size_t(1) << 30;
}  // namespace

std::string read_text(const std::string& path) {
  ByteSource source(path);
  if (source.size() > largest_file)
    throw FileError(path + ": has " + std::to_string(source.size() >> 20) +
                    " MiB, a file that is read as a whole may have at most " +
                    std::to_string(largest_file >> 20) + " MiB");
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

// 64-bit FNV-1a, byte by byte.
struct Fnv {
  std::uint64_t hash = 14695981039346656037ull;
  void add(std::string_view text) {
    for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
  }
  std::string hex() const {
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
  }
};

}  // namespace

std::string fingerprint(std::string_view text) {
  Fnv all;
  all.add(text);
  return all.hex();
}

std::string file_fingerprint(const std::string& path) {
  ByteSource source(path);
  Fnv all;
  std::array<char, std::size_t(64) << 10> block;
  while (const std::size_t got = source.read(block.data(), block.size()))
    all.add({block.data(), got});
  return all.hex();
}

}  // namespace bristle::io
