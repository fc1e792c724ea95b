// SPDX-License-Identifier: MIT
// Replays what fuzzing began from (corpus) and what it found (found) without a fuzzer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "entries.hpp"

namespace bristle::fuzz {
namespace {

namespace fs = std::filesystem;

// In the order of their names, so that every run is the same.
std::vector<fs::path> inputs(const std::string& folder) {
  std::vector<fs::path> all;
  std::error_code none;
  for (const auto& file : fs::directory_iterator(folder, none)) all.push_back(file.path());
  std::sort(all.begin(), all.end());
  return all;
}

class Replay : public testing::TestWithParam<Entry> {};

TEST_P(Replay, EveryInputIsReadOrRefused) {
  const std::string name(GetParam().name);
  const auto began_from = inputs(std::string(BRISTLE_FUZZ) + "/corpus/" + name);
  EXPECT_FALSE(began_from.empty()) << "there is no corpus of " << name;
  for (const std::string kind : {"corpus", "found"})
    for (const auto& path : inputs(std::string(BRISTLE_FUZZ) + "/" + kind + "/" + name)) {
      std::ostringstream text;
      text << std::ifstream(path, std::ios::binary).rdbuf();
      EXPECT_NO_THROW(GetParam().run(text.str())) << path;
    }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, testing::ValuesIn(entries().begin(), entries().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace bristle::fuzz
