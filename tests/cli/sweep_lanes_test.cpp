// SPDX-License-Identifier: MIT
// Sweeps whose runs go side by side in the lanes of the processor.
#include "cli/sweep_tables.hpp"

namespace bristle::test::sweep_lanes_test {
namespace {

const std::string in_lanes =
    "[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\n"
    "[solve]\nend = 10.0\nsamples = 11\ntolerance = 1e-7\n"
    "[[draw]]\nfield = \"mechanism.spring\"\nnormal = [2.0, 0.2]\n"
    "[[draw]]\nfield = \"model.static_force\"\nuniform = [1.3, 1.6]\n"
    "[ensemble]\nquantity = [{ quantity = \"position\", time = 10.0, name = \"x\" }]\n"
    "draws = 300\n";

TEST(SweepLanes, AreTheSameToTheByteWhateverTheThreadsAndParts) {
  const Bench bench;
  bench.write("s.toml", in_lanes + "lanes = true\n");
  const Outcome out = bench.bristle(sweep({"--out", "one", "--threads", "1"}));
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_PRED2(contains, out.out, "lanes per thread");
  ASSERT_EQ(bench.bristle(sweep({"--out", "many", "--threads", "3"})).code, 0);
  for (const char* one : {"1/2", "2/2"}) ASSERT_EQ(bench.bristle(sweep({"--part", one})).code, 0);
  const Outcome merged = bench.bristle({"sweep", "merge", "--no-figures", "--out", "whole",
                                        "out/sweep-s-part-1-of-2", "out/sweep-s-part-2-of-2"});
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(bench.text("one/sweep.csv"), bench.text("many/sweep.csv"));
  EXPECT_EQ(bench.text("one/sweep.csv"), bench.text("whole/sweep.csv"));
  // One by one the same draws end within some hundred tolerances of 1 m.
  bench.write("s.toml", in_lanes);
  ASSERT_EQ(bench.bristle(sweep({"--out", "single"})).code, 0);
  const Rows lanes = rows_of(bench.text("one/sweep.csv"));
  const Rows single = rows_of(bench.text("single/sweep.csv"));
  ASSERT_EQ(lanes.size(), 300u);
  ASSERT_EQ(single.size(), 300u);
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_EQ(lanes[i][1], single[i][1]);
    EXPECT_NEAR(lanes[i][3], single[i][3], 2e-5) << "run " << i + 1;
  }
}

TEST(SweepLanes, SayWhyRunsDoNotGoInThem) {
  const auto said = [](const std::string& text, const std::string& why) {
    const Bench bench;
    bench.write("s.toml", text);
    const Outcome out = bench.bristle(sweep({"--lanes", "--out", "r"}));
    EXPECT_EQ(out.code, 0) << out.err;
    EXPECT_PRED2(contains, out.err, "runs do not go in lanes: " + why);
    EXPECT_FALSE(contains(out.out, "lanes per thread"));
  };
  const std::string few = in_lanes.substr(0, in_lanes.find("draws = ")) + "draws = 3\n";
  std::string dahl = few;
  dahl.replace(dahl.find("lugre"), 5, "dahl");
  dahl.replace(dahl.find("static_force"), 12, "coulomb_force");
  said(dahl, "the law dahl is none of lugre and frbd");
  std::string period = few;
  period.replace(period.find("{ quantity"), period.find(" }]") + 2 - period.find("{ quantity"),
                 "\"period\"");
  said(period, "the quantity period needs more than samples");
  std::string fixed = few;
  fixed.replace(fixed.find("tolerance = 1e-7"), 16, "method = \"coupled\"");
  said(fixed, "their method is rosenbrock");
}

}  // namespace
}  // namespace bristle::test::sweep_lanes_test
