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

const std::string closed_loops =
    "[[body]]\nname = \"axis\"\ninertia = 1.0\n"
    "[[contact]]\nname = \"guide\"\non = \"axis\"\n"
    "law = { name = \"stribeck\", coulomb_force = 1.0, static_force = 1.5 }\n"
    "[[controller]]\nname = \"pid\"\non = \"axis\"\nposition_gain = 400.0\n"
    "velocity_gain = 20.0\nintegral_gain = 300.0\nresolution = 1e-5\n"
    "shape = \"sine\"\namplitude = 0.02\nfrequency = 6.0\n"
    "[solve]\nmethod = \"coupled\"\nend = 1.0\nsamples = 101\n"
    "[[draw]]\nfield = \"body.axis.inertia\"\nuniform = [0.9, 1.1]\n"
    "[[draw]]\nfield = \"contact.guide.law.coulomb_force\"\nuniform = [0.9, 1.1]\n"
    "[[draw]]\nfield = \"controller.pid.position_gain\"\nnormal = [400.0, 40.0]\n"
    "[ensemble]\nquantity = [{ quantity = \"maximum\", column = \"axis.position\" }, "
    "{ quantity = \"final\", column = \"guide.force\", name = \"friction\" }]\n"
    "draws = 300\n";

// The largest difference of a column of two tables over its largest value.
double apart(const Rows& one, const Rows& other, std::size_t column) {
  double size = 0.0, off = 0.0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    size = std::max(size, std::abs(one[i][column]));
    off = std::max(off, std::abs(one[i][column] - other[i][column]));
  }
  return off / size;
}

TEST(SweepLanes, StepClosedLoopsAsOneByOne) {
  const Bench bench;
  bench.write("s.toml", closed_loops);
  ASSERT_EQ(bench.bristle(sweep({"--out", "single"})).code, 0);
  const Outcome out = bench.bristle(sweep({"--lanes", "--out", "lanes", "--threads", "1"}));
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_PRED2(contains, out.out, "lanes per thread");
  ASSERT_EQ(bench.bristle(sweep({"--lanes", "--out", "more", "--threads", "3"})).code, 0);
  EXPECT_EQ(bench.text("lanes/sweep.csv"), bench.text("more/sweep.csv"));
  const Rows lanes = rows_of(bench.text("lanes/sweep.csv"));
  const Rows single = rows_of(bench.text("single/sweep.csv"));
  ASSERT_EQ(lanes.size(), 300u);
  ASSERT_EQ(single.size(), 300u);
  for (const std::size_t column : {1u, 2u, 3u}) EXPECT_EQ(apart(single, lanes, column), 0.0);
  for (const std::size_t column : {4u, 5u}) EXPECT_LT(apart(single, lanes, column), 1e-9);
}

TEST(SweepLanes, StepClosedLoopsWhoseFieldsAreNoNumbersOfParts) {
  // The step is a field of [solve]: each run is then made from the file.
  const Bench bench;
  bench.write("s.toml", closed_loops);
  const Words steps{"--vary", "solve.step=5e-4,1e-3", "--vary", "controller.pid.step=1e-3,2e-3"};
  Words lanes{"--lanes", "--out", "lanes"}, single{"--out", "single"};
  lanes.insert(lanes.end(), steps.begin(), steps.end());
  single.insert(single.end(), steps.begin(), steps.end());
  ASSERT_EQ(bench.bristle(sweep(lanes)).code, 0);
  ASSERT_EQ(bench.bristle(sweep(single)).code, 0);
  const Rows a = rows_of(bench.text("lanes/sweep.csv")),
             b = rows_of(bench.text("single/sweep.csv"));
  ASSERT_EQ(a.size(), 1200u);
  for (const std::size_t column : {6u, 7u}) EXPECT_LT(apart(b, a, column), 1e-9);
}

TEST(SweepLanes, RefuseARunInTheSentenceOfTheRunAlone) {
  const Bench bench;
  bench.write("s.toml", closed_loops);
  const Words bad{"--vary", "contact.guide.static_force=1.5,1.05"};
  Words lanes{"--lanes", "--out", "lanes"}, single{"--out", "single"};
  lanes.insert(lanes.end(), bad.begin(), bad.end());
  single.insert(single.end(), bad.begin(), bad.end());
  const Outcome in_lanes = bench.bristle(sweep(lanes)), alone = bench.bristle(sweep(single));
  EXPECT_PRED2(contains, in_lanes.out, "lanes per thread");
  EXPECT_PRED2(contains, in_lanes.err, "static_force");
  const auto statuses = [](const std::string& text) {
    std::string all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      all += line.substr(line.find_last_of(',')) + "\n";
    return all;
  };
  EXPECT_EQ(statuses(bench.text("lanes/sweep.csv")), statuses(bench.text("single/sweep.csv")));
  EXPECT_EQ(in_lanes.code, alone.code);
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
  said(dahl, "the law dahl is neither lugre nor frbd");
  std::string period = few;
  period.replace(period.find("{ quantity"), period.find(" }]") + 2 - period.find("{ quantity"),
                 "\"period\"");
  said(period, "the quantity period needs more than samples");
  std::string fixed = few;
  fixed.replace(fixed.find("tolerance = 1e-7"), 16, "method = \"coupled\"");
  said(fixed, "their method is rosenbrock");
  const std::string loops = closed_loops.substr(0, closed_loops.find("draws = ")) + "draws = 3\n";
  std::string adaptive = loops;
  adaptive.replace(adaptive.find("method = \"coupled\"\n"), 19, "");
  said(adaptive, "their method for machines is coupled");
  std::string slips = loops;
  slips.replace(slips.find("\"final\", column = \"guide.force\""), 31,
                "\"events\", contact = \"guide\"");
  said(slips, "the quantity friction needs more than samples");
}

}  // namespace
}  // namespace bristle::test::sweep_lanes_test
