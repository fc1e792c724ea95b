// SPDX-License-Identifier: MIT
// `bristle new`: files to begin with.
#include "cli/program.hpp"

namespace bristle::test::new_test {
namespace {

class NewFile : public ::testing::TestWithParam<const char*> {};

TEST_P(NewFile, RunsWithoutAWarningAndGivesItsFigures) {
  const std::string kind = GetParam();
  const Bench bench;
  const Outcome written = bench.bristle({"new", kind, "mine.toml"});
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_PRED2(contains, written.out, "next: bristle run mine.toml");
  const std::string text = bench.text("mine.toml");
  EXPECT_GT(std::count(text.begin(), text.end(), '#'), 8);
  const Outcome run = bench.bristle({"run", "mine.toml", "--no-figures", "--out", "result"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  // Stick-slip of the stem amplifies errors, and its run says so.
  EXPECT_TRUE(kind == "valve" || run.out.find("warning") == std::string::npos) << run.out;
  const std::string mark = "\n[[figure]]\nname = \"";
  std::size_t figures = 0;
  for (auto at = text.find(mark); at != std::string::npos;
       at = text.find(mark, at + 1), ++figures) {
    const auto from = at + mark.size();
    EXPECT_TRUE(bench.has("result/" + text.substr(from, text.find('"', from) - from) + ".gp"));
  }
  EXPECT_GE(figures, 2u);
}

// What stands under "What to try next" is tried.
TEST_P(NewFile, NamesCommandsThatWork) {
  const Bench bench;
  ASSERT_EQ(bench.bristle({"new", GetParam(), "mine.toml"}).code, 0);
  const std::string text = bench.text("mine.toml");
  const std::string mark = "\n#   bristle ";
  std::size_t tried = 0;
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1), ++tried) {
    const auto from = at + mark.size();
    std::istringstream line(text.substr(from, text.find('\n', from) - from));
    Words words;
    for (std::string word; line >> word;) words.push_back(word);
    if (words[0] == "run") words.push_back("--no-figures");
    const Outcome outcome = bench.bristle(words);
    EXPECT_EQ(outcome.code, 0) << words[0] << ": " << outcome.err;
  }
  EXPECT_GE(tried, 2u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, NewFile,
                         ::testing::Values("axis", "drive", "valve", "stage", "operator"));

TEST(New, NeverOverwritesAFile) {
  const Bench bench;
  bench.write("axis.toml", "mine");
  expect_refused(bench.bristle({"new", "axis"}), 3, {"axis.toml", "exists already"});
  EXPECT_EQ(bench.text("axis.toml"), "mine");
}

TEST(New, NamesTheKindsThereAre) {
  expect_refused(Bench().bristle({"new", "axle"}), 2,
                 {"'axle'", "axis, drive, valve, stage, operator", "did you mean 'axis'?"});
}

}  // namespace
}  // namespace bristle::test::new_test
