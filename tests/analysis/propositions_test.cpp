// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "bristle/analysis/butterfly.hpp"

namespace bristle::propositions_test {
namespace {

const std::vector<double> places{-1.0, -0.5, 0.0, 0.5, 1.0};
const ClosedCurve rising =
    ClosedCurve::points(places, {-1.0, -0.85, -0.5, 0.05, 1.0}, {-1.0, -0.1, 0.45, 0.8, 1.0});
const ClosedCurve mirrored =
    ClosedCurve::points(places, {0.0, -0.9, -0.4, -0.9, 0.0}, {0.0, 0.6, 0.9, 0.6, 0.0});
const ClosedCurve flipped =
    ClosedCurve::points(places, {0.0, -0.9, -0.7, -0.2, 0.0}, {0.0, 0.9, 0.7, 0.2, 0.0});
const ClosedCurve blunt =
    ClosedCurve::points(places, {-0.9, -0.7, -0.5, -0.25, 0.0}, {0.9, 0.7, 0.5, 0.25, 0.0});

TEST(Propositions, NoMapMakesAButterflyOfACurveThatIsItsOwnMirrorImage) {
  const Theorem t = proposition_5_3_1(mirrored);
  EXPECT_TRUE(t.applies);
  EXPECT_TRUE(t.true_here);
  EXPECT_EQ(try_maps(mirrored).butterflies, 0);
  EXPECT_GT(try_maps(mirrored).multibutterflies, 0);
}

TEST(Propositions, NoMapMakesAButterflyOfAPointedCurveThatIsTheSameUpsideDown) {
  const Theorem t = proposition_5_3_2(flipped);
  EXPECT_TRUE(t.applies);
  EXPECT_TRUE(t.true_here);
}

TEST(Propositions, ABluntEndLetsButterfliesThrough) {
  const Theorem t = proposition_5_3_2(blunt);
  EXPECT_FALSE(t.applies);
  EXPECT_EQ(t.why, "the curve does not end in one point on each side");
  EXPECT_FALSE(t.true_here);
  ASSERT_EQ(t.places.size(), 1u);
}

TEST(Propositions, EveryMapMakesAButterflyOfARisingCurve) {
  const FoldCount count = try_maps(rising, 50);
  EXPECT_EQ(count.tried, 50);
  EXPECT_EQ(count.butterflies, 50);
  EXPECT_FALSE(proposition_5_3_1(rising).applies);
}

TEST(TheoremOfUnfolding, HoldsForEveryValleyOfTheSameMinimum) {
  const LoopBranches butterfly = folded_loop(rising, UnimodalMap::quadratic(1.0, 0.0, 0.2));
  for (const auto& map :
       {UnimodalMap::quadratic(1.0, 0.0, 0.2), UnimodalMap::quadratic(0.3, 0.0, -4.0),
        UnimodalMap::absolute(0.0, -1.0, -2.0, -0.5)}) {
    const Theorem t = theorem_5_3_3(butterfly, map);
    EXPECT_TRUE(t.applies) << t.why;
    EXPECT_TRUE(t.true_here);
  }
}

TEST(TheoremOfUnfolding, DoesNotApplyToAMapOfAnotherMinimum) {
  const LoopBranches butterfly = folded_loop(rising, UnimodalMap::quadratic(1.0, 0.0, 0.2));
  const Theorem t = theorem_5_3_3(butterfly, UnimodalMap::quadratic(1.0, -0.5, 0.2));
  EXPECT_FALSE(t.applies);
  EXPECT_NE(t.why.find("is not that of the butterfly"), std::string::npos) << t.why;
}

TEST(TheoremOfUnfolding, HoldsForALoopRunThroughTheOtherWay) {
  LoopBranches butterfly = folded_loop(rising, UnimodalMap::quadratic(1.0, 0.0, 0.2));
  std::swap(butterfly.up, butterfly.down);
  EXPECT_TRUE(theorem_5_3_3(butterfly, UnimodalMap::quadratic(1.0, 0.0)).true_here);
}

TEST(ClosingMaps, MeetWhereTheButterflyEnds) {
  // Up by y^2, down by a y^2 + 0.04 with the same value at 1.
  LoopBranches l = folded_loop(rising, UnimodalMap::quadratic(1.0, 0.0));
  for (double& q : l.down.y) q = 0.96 * q + 0.04;
  const TwoQuadratics maps = closing_maps(l, 1.0);
  EXPECT_NEAR(maps.b_up, 0.0, 1e-5);
  EXPECT_NEAR(maps.b_down, 0.04, 1e-5);
  EXPECT_NEAR(maps.a_down, 0.96, 1e-5);
  EXPECT_NEAR(maps.up()(1.0), maps.down()(1.0), 1e-6);
}

}  // namespace
}  // namespace bristle::propositions_test
