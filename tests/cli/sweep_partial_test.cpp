// SPDX-License-Identifier: MIT
// What is left of sweeps that did not end: journals and their owners, and what a budget leaves.
#include <algorithm>

#include "cli/sweep_tables.hpp"

namespace bristle::test::sweep_partial_test {
namespace {

const std::string dragged =
    "[model]\nname = \"lugre\"\nstiffness = 1e5\n"
    "[mechanism]\nname = \"dragged_mass\"\nspring = 2.0\ndrag_velocity = 0.1\n"
    "[solve]\nend = 10.0\nsamples = 101\n"
    "[ensemble]\nquantity = [\"max_force\", \"stick_slip\"]\n";

TEST(SweepFresh, LeavesAFileThatIsNoJournalAsItIs) {
  const Bench bench;
  bench.write("s.toml", dragged);
  bench.write("r.unfinished", "my own notes\n");
  for (const Words& more : {Words{}, Words{"--fresh"}}) {
    Words words = sweep({"--vary", "mechanism.spring=1,2", "--out", "r"});
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(bench.bristle(words), 2, {"r.unfinished: is not the journal of a sweep"});
    EXPECT_EQ(bench.text("r.unfinished"), "my own notes\n");
  }
  EXPECT_FALSE(bench.has("r"));
}

TEST(SweepFresh, DoesNotTakeTheJournalOfAProcessThatIsAtWork) {
  const Bench bench;
  bench.write("s.toml", dragged);
  const Words words =
      sweep({"--vary", "mechanism.spring=1:2:1000000", "--budget", "60s", "--out", "r"});
  const Process process(bench.root(), words);
  for (int i = 0;
       i < 5000 && !(bench.has("r.unfinished") && whole_chunks(bench.text("r.unfinished")) > 0);
       ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  Words fresh = words;
  fresh.push_back("--fresh");
  expect_refused(bench.bristle(fresh), 3,
                 {"r.unfinished: another process is working on this sweep"});
  EXPECT_GT(whole_chunks(bench.text("r.unfinished")), 0u);
}

TEST(SweepBudget, IsSpentOnRunsWhereAHugeSweepGoesOn) {
  const Bench bench;
  bench.write("s.toml", dragged);
  std::int64_t made = 0;
  for (int i = 0; i < 2; ++i) {
    const Outcome out = bench.bristle(sweep({"--vary", "mechanism.spring=1:2:1000000", "--vary",
                                             "mechanism.drag_velocity=0.1:0.5:1000000", "--budget",
                                             "2s", "--json", "--out", "r"}));
    ASSERT_EQ(out.code, 0) << out.err;
    const auto now = out.json().at("runs").at("made").get<std::int64_t>();
    EXPECT_GT(now, made);
    made = now;
  }
}

TEST(SweepBudget, LeavesRunsAllOverAGrid) {
  const Bench bench;
  bench.write("s.toml", dragged);
  const Outcome out = bench.bristle(
      sweep({"--vary", "mechanism.spring=1:2:1000", "--vary",
             "mechanism.drag_velocity=0.1:0.5:1000", "--budget", "3s", "--out", "r"}));
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_PRED2(contains, out.out, " of 1000000 runs\n");
  const Rows rows = rows_of(bench.text("r/sweep.csv"));
  ASSERT_GE(rows.size(), 2u * 128u);
  EXPECT_EQ(rows.front()[1], 1.0);
  EXPECT_GT(rows.back()[1], 1.6);
  for (std::size_t i = 1; i < rows.size(); ++i) ASSERT_GT(rows[i][0], rows[i - 1][0]);
}

TEST(SweepUnits, StandBesideQuantitiesThatHaveOne) {
  const Bench bench;
  bench.write("s.toml", dragged);
  const Outcome out = bench.bristle(sweep({"--vary", "mechanism.spring=1,2", "--out", "r"}));
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_PRED2(contains, out.out, " N (run 2), median ");
  EXPECT_PRED2(contains, bench.text("r/sweep-max_force.gp"), "max force [N]");
  const auto summary = nlohmann::json::parse(bench.text("r/summary.json"));
  EXPECT_EQ(summary.at("quantities").at("max_force").at("unit"), "N");
  EXPECT_FALSE(summary.at("quantities").at("stick_slip").contains("unit"));
  if (bench.has("r/sweep.h5")) {
    EXPECT_PRED2(contains, bench.text("r/sweep.h5"), std::string("unit"));
  }
}

}  // namespace
}  // namespace bristle::test::sweep_partial_test
