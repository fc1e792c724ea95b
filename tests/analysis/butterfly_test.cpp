// SPDX-License-Identifier: MIT
// Folding, unfolding and snapping, against closed forms and the numbers of oracle/.
#include "bristle/analysis/butterfly.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/analysis/fit_plays.hpp"
#include "bristle/analysis/io_map.hpp"
#include "bristle/analysis/snap_map.hpp"
#include "bristle/system/cubic.hpp"
#include "bristle/system/operators.hpp"
#include "bristle/system/two_bar_linkage.hpp"

namespace bristle::butterfly_test {
namespace {

const UnimodalMap tent = UnimodalMap::absolute();

TEST(Fold, ACircleUnderATentIsDegenerate) {
  EXPECT_EQ(fold(ClosedCurve::ellipse(), tent).kind, CurveKind::degenerate);
}

// Example 5.3.2: crossings at +-sqrt(11)/6, and the area of the lobe between them.
TEST(Fold, ACircleUnderALeaningTentIsAMultibutterfly) {
  const auto map = UnimodalMap::absolute(2.0, 1.0, 4.0, 0.5);
  EXPECT_NEAR(map(0.0), 1.5, 1e-15);
  EXPECT_NEAR(map(1.0), 0.0, 1e-15);
  const auto image = fold(ClosedCurve::ellipse(), map);
  EXPECT_EQ(image.kind, CurveKind::multibutterfly);
  ASSERT_EQ(image.lobes.size(), 3u);
  EXPECT_NEAR(image.lobes[0].to, -std::sqrt(11.0) / 6.0, 1e-13);
  // oracle: operators.example_5_3_2.crossing
  EXPECT_NEAR(image.lobes[1].to, 0.5527707983925666, 1e-13);
  // oracle: operators.example_5_3_2.lobe
  EXPECT_NEAR(image.lobes[1].area, -0.3751296343900363, 1e-12);
}

TEST(Fold, ASlantingEllipseUnderATentIsAButterfly) {
  const auto image = fold(ClosedCurve::ellipse(1.0, 0.5, 0.8), tent);
  EXPECT_EQ(image.kind, CurveKind::butterfly);
  EXPECT_NEAR(image.lobes[0].to, 0.0, 1e-12);
  EXPECT_NEAR(image.lobes[0].area, -image.lobes[1].area, 1e-12);
}

TEST(Fold, LoopsThatOnlyTouchHaveOneOrientation) {
  // The upper side is further from zero everywhere but in the middle, where both are at 0.5.
  ClosedCurve c{-1.0, 1.0, [](double x) { return -0.5 * std::sqrt(1.0 - x * x); },
                [](double x) { return (0.5 + 0.4 * x * x) * std::sqrt(1.0 - x * x); }};
  const auto image = fold(c, tent);
  EXPECT_EQ(image.kind, CurveKind::loops);
  EXPECT_EQ(image.lobes.size(), 2u);
}

TEST(Fold, AMapThatDoesNotTurnInsideLeavesTheCurveSimple) {
  EXPECT_EQ(fold(ClosedCurve::ellipse(), UnimodalMap::absolute(1.0, 1.0, 1.0, 2.0)).kind,
            CurveKind::simple);
}

TEST(Unimodal, InverseIsTheInverseOnBothSides) {
  for (const auto& map :
       {tent, UnimodalMap::quadratic(2.0, -1.0, 0.3), UnimodalMap::linkage(1.0),
        UnimodalMap::points({-1.0, 0.2, 1.0}, {0.0, 2.0, -1.0}),
        UnimodalMap::function([](double y) { return std::cosh(y - 0.1); }, -1.0, 1.0)}) {
    for (const double y : {map.centre() - 0.3, map.centre() + 0.4})
      EXPECT_NEAR(map.inverse(map(y), y < map.centre() ? -1 : 1), y, 1e-9);
    EXPECT_EQ(map.inverse(map.extreme(), 1), map.centre());
  }
}

TEST(Unimodal, RefusesWhatIsNot) {
  EXPECT_THROW(UnimodalMap::absolute(1.0, 1.0, -1.0), InvalidInput);
  EXPECT_THROW(UnimodalMap::points({0, 1, 2}, {0, 1, 2}), InvalidInput);
  EXPECT_THROW(UnimodalMap::points({0, 1, 2, 3}, {0, 1, 0, 1}), InvalidInput);
  EXPECT_THROW(UnimodalMap::points({0, 2, 1}, {0, 1, 0}), InvalidInput);
  EXPECT_THROW(UnimodalMap::function([](double y) { return std::sin(5.0 * y); }, -2.0, 2.0),
               InvalidInput);
  EXPECT_THROW(UnimodalMap::linkage(1.0).inverse(-1.0, 1), InvalidInput);
}

// A loop whose two sides both rise, and that ends in points.
ClosedCurve rising_loop() {
  return {-1.0, 1.0, [](double x) { return x - 0.3 * (1.0 - x * x); },
          [](double x) { return x + 0.4 * (1.0 - x * x); }};
}

TEST(Theorem531, HoldsForEveryRisingLoopAndEveryMapThatTurnsInside) {
  for (const double centre : {-0.9, -0.3, 0.0, 0.5, 0.95})
    for (const auto& map :
         {UnimodalMap::absolute(1.0, 1.0, 3.0, centre), UnimodalMap::quadratic(2.0, 0.0, centre)}) {
      const auto t = theorem_5_3_1(rising_loop(), map);
      EXPECT_TRUE(t.applies) << t.why;
      EXPECT_TRUE(t.true_here) << centre;
    }
}

TEST(Theorem531, SaysWhichHypothesisFails) {
  EXPECT_NE(theorem_5_3_1(ClosedCurve::ellipse(), tent).why.find("monotone"), std::string::npos);
  EXPECT_NE(theorem_5_3_1(rising_loop(), UnimodalMap::absolute(1, 1, 1, 2)).why.find("inside"),
            std::string::npos);
}

TEST(Theorem532, FindsTheTwoEqualExtremes) {
  const auto t = theorem_5_3_2(rising_loop(), UnimodalMap::quadratic(1.0, 0.0, 0.2));
  EXPECT_TRUE(t.applies) << t.why;
  EXPECT_TRUE(t.true_here);
  ASSERT_EQ(t.places.size(), 2u);
  EXPECT_NEAR(rising_loop().upper(t.places[0]), 0.2, 1e-9);
  EXPECT_NEAR(rising_loop().lower(t.places[1]), 0.2, 1e-9);
}

TEST(Symmetry, OfACircleIsBoth) {
  EXPECT_TRUE(left_right_symmetric(ClosedCurve::ellipse()));
  EXPECT_TRUE(up_down_symmetric(ClosedCurve::ellipse()));
  EXPECT_FALSE(left_right_symmetric(ClosedCurve::ellipse(1.0, 1.0, 0.2)));
}

// Propositions 5.3.1 and 5.3.2: symmetric curves under a thousand maps, never a butterfly.
TEST(Symmetry, KeepsACurveFromBecomingAButterfly) {
  ClosedCurve bump{-1.0, 1.0, [](double x) { return -0.2 - 0.1 * x * x; },
                   [](double x) { return 1.0 - x * x * 0.9; }};
  for (int i = 0; i < 100; ++i)
    for (const auto& c : {ClosedCurve::ellipse(), bump}) {
      const auto map = UnimodalMap::absolute(1.0, 0.3 + 0.05 * (i % 10), 1.0, -0.9 + 0.018 * i);
      EXPECT_NE(fold(c, map).kind, CurveKind::butterfly) << i;
    }
}

LoopBranches folded(const ClosedCurve& c, const UnimodalMap& map, bool counterclockwise = true) {
  std::vector<double> x, q;
  constexpr int n = 2000;
  for (int i = 0; i < n; ++i) {
    x.push_back(c.x0 + (c.x1 - c.x0) * i / n);
    q.push_back(map((counterclockwise ? c.lower : c.upper)(x.back())));
  }
  for (int i = 0; i < n; ++i) {
    x.push_back(c.x1 - (c.x1 - c.x0) * i / n);
    q.push_back(map((counterclockwise ? c.upper : c.lower)(x.back())));
  }
  return split_branches(x, q);
}

// Theorem 5.3.3: fold a loop, unfold it, fold it again.
TEST(Unfold, TakesAButterflyBackToTheLoopItCameFrom) {
  const auto map = UnimodalMap::quadratic(1.5, 0.25);
  const auto butterfly = folded(rising_loop(), map);
  EXPECT_EQ(classify(butterfly).kind, CurveKind::butterfly);
  const auto t = theorem_5_3_3(butterfly, true);
  EXPECT_TRUE(t.applies) << t.why;
  const Unfolded loop = unfold(butterfly, map);
  for (std::size_t i = 0; i < loop.x.size(); ++i) {
    const double wanted =
        i < loop.x.size() / 2 ? rising_loop().lower(loop.x[i]) : rising_loop().upper(loop.x[i]);
    EXPECT_NEAR(loop.y[i], wanted, 2e-8 + (std::abs(wanted) < 2e-3 ? 2e-3 : 0.0)) << loop.x[i];
  }
  const Unfolded falling = unfold(butterfly, map, false);
  for (std::size_t i = 0; i < falling.x.size(); ++i)
    EXPECT_NEAR(map(falling.y[i]), map(loop.y[i]), 1e-12);
}

TEST(Unfold, NamesTheHypothesisThatFails) {
  const auto say = [](const LoopBranches& l, const UnimodalMap& map) -> std::string {
    try {
      unfold(l, map);
    } catch (const InvalidInput& e) {
      return e.what();
    }
    return "";
  };
  // A valley asked of a butterfly with two maxima.
  EXPECT_NE(say(folded(rising_loop(), tent), UnimodalMap::quadratic(1.0, 0.0)), "");
  // Minima that are not equal.
  auto l = folded(rising_loop(), UnimodalMap::quadratic(1.0, 0.0));
  for (std::size_t i = 0; i < l.up.y.size(); ++i) l.up.y[i] += 0.1 * (1.0 - l.up.x[i] * l.up.x[i]);
  EXPECT_NE(say(l, UnimodalMap::quadratic(1.0, 0.0)).find("not equal"), std::string::npos);
  // With a map of its own for each way there is no jump.
  EXPECT_LT(unfold_each(l, 1.0).jump, 0.05);
}

// Folds and landings in closed form; the lobe by quadrature to 1e-12.
TEST(SnapMap, OfTheLinkageIsItsLimit) {
  const TwoBarLinkage s;
  const auto u = resting_curve([&](auto y) { return s.resting_input(y); });
  const auto map = snap_map(u, -0.99, 0.99, 1.0);
  ASSERT_EQ(map.snaps.size(), 2u);
  EXPECT_NEAR(map.snaps[0].input, 0.3748065504232397, 1e-15);  // oracle: systems.linkage.fold
  // To rounding: at acos(cbrt(cos(pi / 4))), landing on the other root of the same force.
  // oracle: systems.linkage.fold_angle
  EXPECT_NEAR(map.snaps[0].from, std::sin(0.4714763059565126), 1e-14);
  // oracle: systems.linkage.landing_angle
  EXPECT_NEAR(std::asin(map.snaps[0].to), -0.8880701785539471, 1e-14);
  EXPECT_NEAR(map.snaps[1].input, -0.3748065504232397, 1e-15);  // oracle: -systems.linkage.fold
  EXPECT_NEAR(map.snaps[1].from, -map.snaps[0].from, 1e-14);
  // The limit of the dissipated energy: that at 0.001 and 0.01 rad/s, which nears it with the power
  // 2/3 of the frequency as at every fold.
  // oracle: systems.linkage.printed.energy_0_01 .energy_0_001
  const double fast = 1.220864116364009, slow = 1.0735786784934622,
               ratio = std::pow(10.0, 2.0 / 3.0);
  EXPECT_NEAR(map.area, (ratio * slow - fast) / (ratio - 1.0), 0.01);
  // Force against the distance of the ends: two lobes of opposite sign.
  const auto distance = [](double y) { return 2.0 * std::sqrt(1.0 - y * y); };
  const auto butterfly = snap_map(u, -0.99, 0.99, 1.0, distance);
  EXPECT_NEAR(butterfly.area, 0.0, 1e-10);
  // oracle: systems.linkage.lobe
  EXPECT_NEAR(std::abs(butterfly.positive_area), 0.077292789669, 1e-10);
  const double fold_q = 1.7817974362806788;  // oracle: systems.linkage.fold_distance
  EXPECT_NEAR(distance(map.snaps[0].from), fold_q, 1e-14);
}

TEST(SnapMap, OfTheCubicHasTheKnownFolds) {
  const auto map = snap_map(resting_curve([](auto y) { return y * y * y - y; }), -2.0, 2.0, 1.0);
  ASSERT_EQ(map.snaps.size(), 2u);
  EXPECT_NEAR(map.snaps[0].input, 0.3849001794597505, 1e-14);  // oracle: systems.cubic.fold
  EXPECT_NEAR(map.snaps[0].from, -0.5773502691896258, 1e-15);  // oracle: -systems.cubic.fold_at
  EXPECT_NEAR(map.snaps[0].to, 2.0 / std::sqrt(3.0), 1e-14);
  // Two jumps of height sqrt(3) at +-u less the branches between: 1.5.
  EXPECT_NEAR(map.area, -1.5, 1e-10);  // oracle: systems.cubic.limit
}

TEST(SnapMap, RefusesASwingBeyondItsEquilibria) {
  EXPECT_THROW(snap_map(resting_curve([](auto y) { return y; }), -1.0, 1.0, 2.0), InvalidInput);
}

// Rounding of values far from zero is larger than any tolerance of a quadrature; the area of a
// sampled loop is a sum over its samples.
TEST(Butterfly, AreasOfASampledLoopAreThoseOfItsPolygonAtAnyWidthAndOffset) {
  for (const double width : {1e-6, 1.0, 4e5, 1e12})
    for (const double offset : {0.0, 1e3}) {
      std::vector<double> x, y;
      constexpr int n = 400;
      for (int i = 0; i < n; ++i) {
        const double t = 2.0 * std::numbers::pi * i / n;
        x.push_back(width * std::sin(t));
        y.push_back(offset + std::cos(t));
      }
      const auto image = classify(split_branches(x, y));
      ASSERT_EQ(image.lobes.size(), 1u) << width;
      // A regular polygon of n corners, drawn out by the width.
      const double area = 0.5 * n * std::sin(2.0 * std::numbers::pi / n) * width;
      EXPECT_NEAR(std::abs(image.lobes[0].area) / area, 1.0, offset > 0.0 ? 1e-11 : 1e-13) << width;
    }
}

TEST(Butterfly, AreasOfAFoldedEllipseScaleWithItsWidth) {
  const auto map = UnimodalMap::quadratic(1.0, 0.0);
  const double unit = fold(ClosedCurve::ellipse(1.0, 0.5, 0.8), map).lobes.at(0).area;
  for (const double width : {1e-6, 4e5})
    EXPECT_NEAR(fold(ClosedCurve::ellipse(width, 0.5, 0.8 / width), map).lobes.at(0).area / width,
                unit, 1e-12 * std::abs(unit));
}

// The magnetostrictive chain of thesis 5.5 on data made from Table 5.1: butterfly, simple loop,
// generalised Prandtl-Ishlinskii model, inverse.
TEST(Magnetostriction, TheChainRecoversTheFieldFromTheStrain) {
  const auto plays =
      exponential_plays(11.9609, 4.6403, -0.1909, 1.1386, 3, {4.0904, 0.7774, -0.0666, -0.2686});
  PlaySum rod(plays);
  const double a = 1.313e-3 / (78.7 * 78.7);  // lambda_s / M_s^2 in units of 1e4 A/m
  std::vector<double> field, strain;
  for (int i = 0; i <= 4000; ++i) rod.update(3.0 * std::sin(2.0 * M_PI * i / 2000.0));
  for (int i = 0; i < 2000; ++i) {
    field.push_back(3.0 * std::sin(2.0 * M_PI * i / 2000.0));
    strain.push_back(a * std::pow(rod.update(field.back()), 2));
  }
  const LoopBranches butterfly = split_branches(field, strain);
  EXPECT_EQ(classify(butterfly).kind, CurveKind::butterfly);
  const Unfolded loop = unfold(butterfly, UnimodalMap::quadratic(a, 0.0));
  // The loop starts at the smallest field; the inverse starts from the memory that belongs to it.
  PlaySum again(plays);
  for (const double h : {3.0, -3.0}) again.update(h);
  PlaySum back(plays.inverse(), again.output(), plays.inverse_states(again.states()));
  double magnetisation = 0.0, worst = 0.0;
  for (std::size_t i = 0; i < loop.x.size(); ++i) {
    magnetisation = std::max(magnetisation, std::abs(loop.y[i] - again.update(loop.x[i])));
    worst = std::max(worst, std::abs(plays.envelope.inverse(back.update(loop.y[i])) - loop.x[i]));
  }
  // Where the loop passes zero the strain has its sampled minimum, which is not quite the true one.
  EXPECT_LT(magnetisation, 0.4);  // of 92
  EXPECT_LT(worst, 0.01);         // of 3
  // A model fitted to that loop does the same.
  const MeasuredRun run{loop.x, loop.y};
  const PlayFit fit = fit_plays(std::span(&run, 1), {.plays = 30, .asymmetric = true});
  EXPECT_LT(fit.relative, 0.01);
  EXPECT_TRUE(fit.model.invertible());
}

}  // namespace
}  // namespace bristle::butterfly_test
