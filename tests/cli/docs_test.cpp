// SPDX-License-Identifier: MIT
// What the documentation shows is what the program does.
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "cli/program.hpp"

namespace bristle::test::docs_test {
namespace {

// The TOML files in a page that are complete: a model and what it acts on, a system, a curve,
// a machine.
std::vector<std::string> examples(const std::filesystem::path& page) {
  std::ifstream in(page);
  std::stringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = all.find("```toml\n", at)) != std::string::npos;) {
    at += 8;
    const std::string one = all.substr(at, all.find("```", at) - at);
    const bool law =
        contains(one, "[model]") && (contains(one, "[mechanism]") || contains(one, "[steady]"));
    if ((law || contains(one, "[system]") || contains(one, "[curve]") ||
         contains(one, "[[body]]")) &&
        !contains(one, "file = ") && !contains(one, "..."))
      found.push_back(one);
  }
  return found;
}

TEST(Docs, ExamplesRunAndHoldWhatTheyExpect) {
  const std::filesystem::path docs = BRISTLE_DOCS;
  std::vector<std::filesystem::path> pages{docs.parent_path() / "README.md"};
  for (const char* directory : {"models", "tasks", "cookbook"})
    for (const auto& page : std::filesystem::directory_iterator(docs / directory))
      // That page makes a law of its own first.
      if (page.path().filename() != "add-a-model.md") pages.push_back(page.path());
  ASSERT_FALSE(examples(pages.front()).empty()) << "the README shows a machine";
  int run = 0;
  for (const auto& page : pages)
    for (const auto& text : examples(page)) {
      SCOPED_TRACE(page.filename().string());
      const Bench bench;
      bench.write("example.toml", text);
      const Outcome out = bench.bristle({"run", "example.toml", "--no-figures", "--json"});
      ASSERT_EQ(out.code, 0) << out.err;
      for (const auto& fact : out.json().at("expectations"))
        EXPECT_EQ(fact.at("verdict"), "passes") << fact.dump();
      ++run;
    }
  EXPECT_GE(run, 20);
}

TEST(Docs, SweepsOfExamplesGiveTheNumbersOfThePage) {
  const std::filesystem::path page = std::filesystem::path(BRISTLE_DOCS) / "tasks/sweep.md";
  const auto found = examples(page);
  ASSERT_EQ(found.size(), 1u);
  const Bench bench;
  bench.write("example.toml", found.front());
  const Outcome out =
      bench.bristle({"sweep", "example.toml", "--no-figures", "--json", "--out", "r"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.json().at("runs").at("made"), 1000);
  const auto quantiles = out.json().at("quantities").at("period").at("quantiles");
  std::ostringstream sentence;
  sentence << std::fixed << std::setprecision(2) << "within " << quantiles.at("2.5 %").get<double>()
           << " s and " << quantiles.at("97.5 %").get<double>() << " s in 95 %";
  EXPECT_PRED2(contains, read(page), sentence.str());
}

}  // namespace
}  // namespace bristle::test::docs_test
