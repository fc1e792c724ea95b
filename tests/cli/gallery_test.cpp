// SPDX-License-Identifier: MIT
// `bristle reproduce --all --out`: one page, only what changed is run again.
#include "cli/program.hpp"

namespace bristle::test::gallery_test {
namespace {

using Names = std::set<std::string>;

std::string experiment(double published) {
  return "title = \"Steady\"\ndocument = \"T: thesis\"\nfigure_number = \"Fig. 1.4\"\n"
         "[model]\nname = \"coulomb\"\n[steady]\nfrom = 0\n[expect]\n"
         "a = { quantity = \"steady_force\", velocity = 1, value = " +
         std::to_string(published) + " }\n";
}

Outcome all(const Bench& bench, Words more = {}) {
  more.insert(more.begin(),
              {"reproduce", "--all", "--experiments", "mine", "--out", "out", "--no-figures"});
  return bench.bristle(more);
}

// A folder with two experiments.
struct Two : Bench {
  Two() {
    fs::create_directory(path("mine"));
    write("mine/fig_2.toml", experiment(1.0));
    write("mine/fig_10.toml", experiment(1.0));
  }
};

TEST(Gallery, EndsWithThePathOfThePageAndTheCounts) {
  const Two bench;
  const Outcome run = all(bench);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out, "\npage: ");
  EXPECT_PRED2(contains, run.out, "/out/index.html\n2 facts of 2 experiments:");
  EXPECT_EQ(bench.names("out"), (Names{"counts.md", "fig_10", "fig_2", "index.html", "models.html",
                                       "models.json", "pages", "reproduce.json"}));
  EXPECT_PRED2(contains, bench.text("out/index.html"), "id=\"fig_10\"");
  EXPECT_PRED2(contains, bench.text("out/index.html"), "pages/fig_10.html");
  EXPECT_PRED2(contains, bench.text("out/models.html"), "stribeck_velocity");
  EXPECT_EQ(bench.names("out/pages"), (Names{"fig_10.html", "fig_2.html"}));
}

TEST(Gallery, PrintsOneLinePerExperimentUnlessAskedForEveryFact) {
  const Two bench;
  const std::string brief = all(bench).out;
  EXPECT_PRED2(contains, brief.substr(0, brief.find("\npage: ")), "fig_2 ");
  EXPECT_EQ(std::count(brief.begin(), brief.begin() + long(brief.find("\npage: ")), '\n'), 2);
  EXPECT_PRED2(contains, all(bench, {"--verbose", "--fresh"}).out, "reference  ");
}

TEST(Gallery, HoldsTablesOnlyOnRequest) {
  const Two bench;
  EXPECT_EQ(all(bench).code, 0);
  for (const auto& name : bench.names("out/fig_2"))
    EXPECT_TRUE(!name.ends_with(".csv") && !name.ends_with(".gp")) << name;
  EXPECT_PRED2(lacks, bench.text("out/pages/fig_2.html"), "trajectory.csv");
  EXPECT_EQ(all(bench, {"--full"}).code, 0);
  EXPECT_TRUE(bench.has("out/fig_2/trajectory.csv"));
  EXPECT_PRED2(contains, bench.text("out/pages/fig_2.html"), "../fig_2/trajectory.csv");
}

TEST(Gallery, RefusesAFolderWithoutExperiments) {
  const Bench bench;
  fs::create_directory(bench.path("none"));
  for (const Words& words : {Words{"reproduce", "--all", "--experiments", "none"},
                             Words{"reproduce", "--list", "--experiments", "none"}})
    expect_refused(bench.bristle(words), 2, {"none: holds no experiment file"});
}

TEST(Gallery, OrdersNumbersAsPeopleDo) {
  const Outcome run = all(Two(), {"--json"});
  ASSERT_EQ(run.json().at("experiments").size(), 2u);
  EXPECT_EQ(run.json().at("experiments")[0].at("key"), "fig_2");
}

TEST(Gallery, RemovesWhatAProcessThatDiedLeftBesideResultsThatStay) {
  const Two bench;
  EXPECT_EQ(all(bench).code, 0);
  const Names whole = bench.names("out");
  // No process has a number that large.
  fs::create_directory(bench.path("out/fig_2.partial-2000000000"));
  bench.write("out/fig_2.partial-2000000000/half.csv", "time,pos");
  const Outcome again = all(bench);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_PRED2(contains, again.out, "unchanged");
  EXPECT_EQ(bench.names("out"), whole);
}

TEST(Gallery, RunsAgainOnlyWhatChanged) {
  const Two bench;
  EXPECT_EQ(all(bench).code, 0);
  const auto made = [&](const char* key) {
    return fs::last_write_time(bench.path(std::string("out/") + key + "/summary.json"));
  };
  const auto first = made("fig_2"), second = made("fig_10");
  bench.write("mine/fig_2.toml", experiment(2.0));
  const Outcome again = all(bench);
  EXPECT_PRED2(contains, again.out, "unchanged");
  EXPECT_PRED2(contains, again.out, "  fails\n");
  EXPECT_NE(made("fig_2"), first);
  EXPECT_EQ(made("fig_10"), second);
  EXPECT_EQ(all(bench, {"--fresh"}).code, 0);
  EXPECT_NE(made("fig_10"), second);
}

TEST(Gallery, AFailingExperimentIsShownAndTheOthersFinish) {
  const Two bench;
  bench.write("mine/bad.toml", "[model]\nname = \"coulom\"\n[steady]\nfrom = 0\n");
  const Outcome run = all(bench);
  EXPECT_EQ(run.code, 2);
  EXPECT_PRED2(contains, run.err, "did you mean 'coulomb'?");
  EXPECT_PRED2(contains, run.out, "2 facts of 3 experiments:");
  EXPECT_PRED2(contains, bench.text("out/pages/bad.html"), "did you mean &#39;coulomb&#39;?");
  EXPECT_TRUE(bench.has("out/fig_10/summary.json"));
}

TEST(Gallery, KeepsWhatIsWholeWhenInterruptedAndGoesOnFromThere) {
  const Two bench;
  bench.write("mine/long.toml",
              stick_slip + "step_limit = 1e12\n[[case]]\nlabel = \"x\"\nsolve.end = 1e6\n");
  Process process(bench.root(),
                  {"reproduce", "--all", "--experiments", "mine", "--out", "out", "--no-figures"});
  for (int i = 0;
       i < 5000 && !(bench.has("out/fig_2/summary.json") && bench.has("out/fig_10/summary.json"));
       ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  process.signal(SIGINT);
  ASSERT_TRUE(process.ends_within(std::chrono::seconds(10)));
  expect_refused(process.outcome(), 130, {"interrupted", "2 of 3"});
  EXPECT_EQ(bench.names("out"), (Names{"fig_10", "fig_2"}));
  fs::remove(bench.path("mine/long.toml"));
  const Outcome again = all(bench);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_PRED2(contains, again.out, "unchanged");
}

TEST(Gallery, GivesOneFactForEachExperimentAsJson) {
  const Two bench;
  const auto one = all(bench, {"--json"}).json().at("experiments")[0];
  for (const char* field :
       {"key", "document", "kind", "reference", "ours", "tolerance", "verdict", "seconds"})
    EXPECT_TRUE(one.contains(field)) << field;
  EXPECT_EQ(one.at("reference"), "1");
  EXPECT_EQ(one.at("verdict"), "passes");
  EXPECT_EQ(one.at("covers"), nlohmann::json({"T Fig. 1.4"}));
}

TEST(Gallery, ReplacesNoPageThatIsNotItsOwn) {
  const Two bench;
  fs::create_directory(bench.path("out"));
  bench.write("out/index.html", "<title>My home</title>");
  expect_refused(all(bench), 3, {"out/index.html", "--out"});
  EXPECT_EQ(bench.text("out/index.html"), "<title>My home</title>");
  EXPECT_EQ(bench.names("out"), Names{"index.html"});
}

TEST(Gallery, IsMadeAgainFromDamagedFiles) {
  const Two bench;
  EXPECT_EQ(all(bench).code, 0);
  bench.write("out/fig_2/gallery.json", "{");
  bench.write("out/models.json", "[");
  EXPECT_EQ(all(bench).code, 0);
  EXPECT_PRED2(contains, bench.text("out/models.json"), "entries");
  // Still JSON with the same stamp, but not what was written.
  for (const char* name : {"out/fig_2/gallery.json", "out/models.json"}) {
    const std::string kept = bench.text(name);
    nlohmann::ordered_json changed = nlohmann::ordered_json::parse(kept);
    changed.erase(name[4] == 'f' ? "models" : "entries");
    bench.write(name, changed.dump());
    EXPECT_EQ(all(bench).code, 0);
    EXPECT_PRED2(contains, bench.text(name), name[4] == 'f' ? "\"models\"" : "\"entries\"");
  }
}

}  // namespace
}  // namespace bristle::test::gallery_test
