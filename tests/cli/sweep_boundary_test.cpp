// SPDX-License-Identifier: MIT
// Maps that are refined along a boundary.
#include "cli/sweep_tables.hpp"

namespace bristle::test::sweep_boundary_test {
namespace {

// A block on Coulomb friction that a constant force pushes moves where the force is larger.
const std::string pushed =
    "[[body]]\nname = \"block\"\ninertia = 2.0\n[[contact]]\nname = \"floor\"\non = \"block\"\n"
    "law = { name = \"coulomb\", coulomb_force = 1.0 }\n[[input]]\nname = \"push\"\non = "
    "\"block\"\namplitude = 0.0\nbias = 3.0\n[solve]\nend = 1.0\nsamples = 11\n"
    "[[vary]]\nfield = \"contact.floor.coulomb_force\"\nfrom = 1.0\nto = 2.0\ncount = 5\n"
    "[[vary]]\nfield = \"input.push.bias\"\nfrom = 0.5\nto = 2.5\ncount = 5\n"
    "[ensemble]\nquantity = [{ quantity = \"maximum\", column = \"block.velocity\", name = "
    "\"top\" }]\n";

TEST(SweepBoundary, IsRefinedWhereTheLevelIsPassed) {
  const Bench bench;
  bench.write("s.toml", pushed + "boundary = { quantity = \"top\", level = 1e-9, halvings = 5 }\n");
  const Outcome out = bench.bristle(sweep({"--out", "r"}));
  ASSERT_EQ(out.code, 0) << out.err;
  // Of the finest grid of 129 x 129 runs, those of the coarse grid and along one line.
  const Rows rows = rows_of(bench.text("r/sweep.csv"));
  EXPECT_GT(rows.size(), 25u);
  EXPECT_LT(rows.size(), 1300u);
  // The push at which the block moves is the friction: the boundary is a straight line.
  const Rows boundary = rows_of(bench.text("r/boundary.csv"));
  EXPECT_GT(boundary.size(), 128u);
  const double cell_x = 1.0 / 128, cell_y = 2.0 / 128;
  double least = 9.0, most = 0.0;
  for (const auto& point : boundary) {
    EXPECT_NEAR(point[1], point[0], cell_x + cell_y);
    least = std::min(least, point[0]), most = std::max(most, point[0]);
  }
  // From end to end.
  EXPECT_NEAR(least, 1.0, cell_x);
  EXPECT_NEAR(most, 2.0, cell_x);
  // Any number of threads, and interruptions, leave the same bytes.
  ASSERT_EQ(bench.bristle(sweep({"--out", "q", "--threads", "1"})).code, 0);
  EXPECT_EQ(bench.text("r/sweep.csv"), bench.text("q/sweep.csv"));
  const Outcome brief = bench.bristle(sweep({"--out", "b", "--budget", "0.02s"}));
  if (brief.code == 0) {
    ASSERT_EQ(bench.bristle(sweep({"--out", "b"})).code, 0);
    EXPECT_EQ(bench.text("r/sweep.csv"), bench.text("b/sweep.csv"));
  }
  // A run of the finest grid can be run alone by its number.
  EXPECT_EQ(bench.bristle(sweep({"--only", "16641", "--out", "last"})).code, 0);
}

TEST(SweepBoundary, RefusesWhatItCannotRefine) {
  const auto refused = [](const std::string& text, const Words& more, const Words& parts) {
    const Bench bench;
    bench.write("s.toml", text);
    expect_refused(bench.bristle(sweep(more)), 2, parts);
  };
  refused(pushed + "boundary = { quantity = \"top\" }\n", {}, {"top is a number, say which"});
  refused(pushed + "boundary = { quantity = \"tp\", level = 1 }\n", {}, {"did you mean 'top'?"});
  refused(pushed + "boundary = { quantity = \"top\", level = 1, halvings = 0 }\n", {},
          {"s.toml:28:", "halvings = 0 must be a whole number from 1 to 12"});
  refused(pushed + "boundary = { level = 1 }\n", {}, {"boundary needs a quantity"});
  refused(pushed + "boundary = { quantity = \"top\", level = 1 }\n",
          {"--vary", "input.push.bias=1,2,5"}, {"must have a range of at least two points"});
  refused(pushed + "boundary = { quantity = \"top\", level = 1 }\n", {"--part", "1/2"},
          {"made by one process"});
}

}  // namespace
}  // namespace bristle::test::sweep_boundary_test
