// SPDX-License-Identifier: MIT
// `bristle reproduce`: reference, tolerance, ours, verdict.
#include "cli/program.hpp"

namespace bristle::test::reproduce_test {
namespace {

using Names = std::set<std::string>;

// The experiments that come with the program.
Outcome reproduce(const Bench& bench, Words words) {
  words.insert(words.begin(), "reproduce");
  words.insert(words.end(), {"--experiments", BRISTLE_EXPERIMENTS});
  return bench.bristle(words);
}

Names shipped() {
  Names keys;
  for (const auto& file : fs::directory_iterator(BRISTLE_EXPERIMENTS))
    if (file.path().extension() == ".toml") keys.insert(file.path().stem().string());
  return keys;
}

TEST(Reproduce, ListsWhatThereIs) {
  const Bench bench;
  const Outcome list = reproduce(bench, {"--list"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_EQ(list.err, "");
  for (const auto& key : shipped()) EXPECT_PRED2(contains, "\n" + list.out, "\n" + key + " ");
}

TEST(Reproduce, ListsWhatThereIsAsJson) {
  const Bench bench;
  const Outcome list = reproduce(bench, {"--list", "--json"});
  EXPECT_EQ(list.code, 0);
  Names keys;
  for (const auto& one : list.json()) {
    keys.insert(one.at("key").get<std::string>());
    for (const char* about : {"document", "figure", "title"})
      EXPECT_FALSE(one.at(about).get<std::string>().empty()) << one;
  }
  EXPECT_EQ(keys, shipped());
}

TEST(Reproduce, FindsTheExperimentsBesideTheProgram) {
  const fs::path beside = fs::path(BRISTLE_PROGRAM).parent_path() / "../experiments";
  if (!fs::is_directory(beside)) GTEST_SKIP() << "the build directory lies elsewhere";
  EXPECT_EQ(Bench().bristle({"reproduce", "--list"}).code, 0);
}

TEST(Reproduce, MeetsThePublishedFactsOfAQuickExperiment) {
  const Bench bench;
  for (const std::string key : {"t_1_4_coulomb", "t_1_10_lugre_steady", "r_8_stick_slip"}) {
    const Outcome run = reproduce(bench, {key, "--strict"});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_PRED2(contains, run.out, "  kind ");
    EXPECT_PRED2(contains, run.out, "  tolerance ");
    EXPECT_PRED2(lacks, run.out, "  not reproduced");
  }
}

TEST(Reproduce, GivesItsVerdictsAsJson) {
  const Bench bench;
  const Outcome run = reproduce(bench, {"t_1_4_coulomb", "t_1_10_lugre_steady", "--json"});
  EXPECT_EQ(run.code, 0);
  const auto report = run.json();
  const auto& all = report.at("experiments");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].at("key"), "t_1_4_coulomb");
  EXPECT_EQ(all[1].at("key"), "t_1_10_lugre_steady");
  EXPECT_EQ(all[0].at("facts").size(), 3u);
  for (const auto& fact : all[0].at("facts")) {
    EXPECT_EQ(fact.at("verdict"), fact.at("kind") == "document" ? "reproduced" : "agrees") << fact;
    EXPECT_EQ(fact.at("absolute_tolerance"), 1e-12) << fact;
  }
  EXPECT_EQ(report.at("counts").at("document").at("met"), 1);
  EXPECT_EQ(report.at("counts").at("closed_form").at("met"), 7);
}

TEST(Reproduce, WritesOneDirectoryForEachExperiment) {
  const Bench bench;
  const Outcome run =
      reproduce(bench, {"t_1_4_coulomb", "t_1_10_lugre_steady", "--out", "out", "--no-figures"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(bench.names("out"), (Names{"reproduce.json", "t_1_10_lugre_steady", "t_1_4_coulomb"}));
  EXPECT_TRUE(bench.has("out/t_1_4_coulomb/report.html"));
  EXPECT_EQ(nlohmann::json::parse(bench.text("out/reproduce.json")).at("experiments").size(), 2u);
}

TEST(Reproduce, RunsAnExperimentNamedTwiceOnce) {
  const Bench bench;
  const Outcome run = reproduce(
      bench, {"r_8_stick_slip", "r_8_stick_slip", "--out", "out", "--no-figures", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json().at("experiments").size(), 1u);
}

TEST(Reproduce, SuggestsTheNearestKey) {
  const Bench bench;
  expect_refused(reproduce(bench, {"r_8_stick_slp"}), 2,
                 {"'r_8_stick_slp'", "did you mean 'r_8_stick_slip'?"});
  expect_refused(reproduce(bench, {}), 2, {"--all", "--list"});
}

TEST(Reproduce, NamesAFileInPlaceOfAFolder) {
  expect_refused(Bench().bristle({"reproduce", "--list", "--experiments", "none"}), 3, {"none"});
}

// A folder with one experiment of two facts, the second of which is not met.
void write_experiments(const Bench& bench) {
  fs::create_directory(bench.path("mine"));
  bench.write("mine/rest.toml",
              "[model]\nname = \"coulomb\"\n[steady]\nfrom = 0\n[expect]\n"
              "a = { quantity = \"steady_force\", velocity = 1, value = 1 }\n"
              "b = { quantity = \"steady_force\", velocity = 1, value = 2 }\n");
}

TEST(Reproduce, ExitsWithOneOnlyWhenItIsStrict) {
  const Bench bench;
  write_experiments(bench);
  const Outcome run = bench.bristle({"reproduce", "rest", "--experiments", "mine"});
  EXPECT_EQ(run.code, 0);
  EXPECT_PRED2(contains, run.out, "2 facts of 1 experiment:");
  EXPECT_PRED2(contains, run.out, "  passes\n");
  EXPECT_PRED2(contains, run.out, "  fails\n");
  EXPECT_EQ(bench.bristle({"reproduce", "rest", "--experiments", "mine", "--strict"}).code, 1);
}

TEST(Reproduce, ExitsWithTwoOnABadFile) {
  const Bench bench;
  write_experiments(bench);
  bench.write("mine/bad.toml", "[model\n");
  for (const Words& words : {Words{"bad"}, Words{"--all"}, Words{"--list"}}) {
    Words all{"reproduce", "--experiments", "mine"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome run = bench.bristle(all);
    EXPECT_EQ(run.code, 2) << words[0];
    EXPECT_PRED2(contains, run.err, "mine/bad.toml:1: ");
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1);
  }
}

TEST(Reproduce, ExitsWithThreeWhereItCannotWrite) {
  const Bench bench;
  write_experiments(bench);
  for (const std::string out : {"/proc/x", "mine/rest.toml/x"}) {
    const Outcome run = bench.bristle({"reproduce", "rest", "--experiments", "mine", "--out", out});
    EXPECT_EQ(run.code, 3);
    EXPECT_PRED2(begins, run.err, "bristle: ");
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
    EXPECT_PRED2(contains, run.err, out);
    EXPECT_PRED2(lacks, run.err, "partial");
  }
  expect_refused(
      bench.bristle({"reproduce", "rest", "--experiments", "mine", "--out", "mine/rest.toml"}), 3,
      {"mine/rest.toml: exists and is not a directory"});
  fs::create_directories(bench.path("out/rest"));
  bench.write("out/rest/chapter.tex", "precious");
  EXPECT_EQ(bench.bristle({"reproduce", "rest", "--experiments", "mine", "--out", "out"}).code, 3);
  EXPECT_EQ(bench.text("out/rest/chapter.tex"), "precious");
}

TEST(Reproduce, LeavesNothingBehindWhenInterrupted) {
  const Bench bench;
  fs::create_directory(bench.path("mine"));
  for (const char* name : {"mine/a.toml", "mine/b.toml", "mine/c.toml"})
    bench.write(name, stick_slip + "step_limit = 1e12\n[[case]]\nlabel = \"x\"\nsolve.end = 1e6\n");
  Process process(bench.root(), {"reproduce", "--all", "--experiments", "mine", "--out", "out"});
  process.signal(SIGINT);
  ASSERT_TRUE(process.ends_within(std::chrono::seconds(10)));
  expect_refused(process.outcome(), 130, {"interrupted"});
  EXPECT_EQ(bench.files(), Names{"mine"});
}

}  // namespace
}  // namespace bristle::test::reproduce_test
