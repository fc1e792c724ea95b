// SPDX-License-Identifier: MIT
// Maps and what they tell: thesis Tables 1.1 and 1.2, minor loops, and back from map to model.
#include "bristle/analysis/io_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/analysis/map_limits.hpp"
#include "bristle/analysis/multiplay_fit.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/system/cubic.hpp"
#include "bristle/system/duhem.hpp"
#include "bristle/system/friction.hpp"
#include "bristle/system/linear_lag.hpp"
#include "bristle/system/multiplay.hpp"
#include "bristle/system/two_bar_linkage.hpp"

namespace bristle::io_map_test {
namespace {

const MaxwellSlipModel s_shaped{.thresholds = {1, 2, 4, 6, 8, 10, 12, 14, 16, 18},
                                .stiffnesses = {-2, -2, -2, -2, 2, 2, 2, 2, 2, 2}};

TEST(PeriodicMap, IsDrivenUntilItCloses) {
  const auto map = periodic_map(*as_system(Cubic{}), Signal{});
  EXPECT_TRUE(map.closed);
  EXPECT_LE(map.closing_error, 1e-7);
  EXPECT_NEAR(std::abs(map.area), 2.6472343208850937, 1e-6);  // oracle: -systems.cubic.area_1
  EXPECT_EQ(map.output.size(), 501u);
}

// Every play of threshold w under an amplitude A adds 4 w (A - w) times its weight.
TEST(PeriodicMap, OfATriangleHasTheAreaOfAWholePeriod) {
  const PlaysModel plays{.direct = 0.05, .thresholds = {5.0, 15.0}, .weights = {0.03, 0.02}};
  const double area = -4.0 * (0.03 * 5.0 * 70.0 + 0.02 * 15.0 * 60.0);
  for (const int shape : {Signal::sine, Signal::triangle})
    for (const double offset : {0.0, 75.0}) {
      const Signal input{.shape = shape, .amplitude = 75.0, .offset = offset};
      const auto system = as_system(plays);
      EXPECT_NEAR(periodic_map(*system, input).area, area, 1e-9 * std::abs(area)) << offset;
      EXPECT_NEAR(slow_limit(*system, input, {}).limit, area, 1e-9 * std::abs(area)) << offset;
    }
}

TEST(PeriodicMap, NeedsAPeriod) {
  EXPECT_THROW(periodic_map(*as_system(Cubic{}), Signal{.shape = Signal::ramp}), InvalidInput);
}

TEST(Properties, ALinearLagIsNotHysteretic) {
  const auto p = properties(*as_system(LinearLag{}), Signal{.frequency = 0.1});
  EXPECT_EQ(p.hysteretic, Answer::no);
  EXPECT_EQ(p.rate_dependent, Answer::yes);
  EXPECT_EQ(p.local_memory, Answer::yes);
}

TEST(Properties, TheCubicIsHystereticAndRateDependent) {
  const auto p = properties(*as_system(Cubic{}), Signal{.frequency = 0.1});
  EXPECT_EQ(p.hysteretic, Answer::yes);
  EXPECT_EQ(p.rate_dependent, Answer::yes);
  EXPECT_EQ(p.local_memory, Answer::no);  // two wells
}

TEST(Properties, TheLinkageIsHysteretic) {
  const auto p = properties(*as_system(TwoBarLinkage{}), Signal{.frequency = 0.1});
  EXPECT_EQ(p.hysteretic, Answer::yes);
  EXPECT_EQ(p.rate_dependent, Answer::yes);
}

TEST(Properties, SumsOfPlaysRememberBeyondTheirOutput) {
  const auto p = properties(*as_system(s_shaped), Signal{.amplitude = 15.0});
  EXPECT_EQ(p.hysteretic, Answer::yes);
  EXPECT_EQ(p.rate_dependent, Answer::no);
  EXPECT_EQ(p.local_memory, Answer::no);
  EXPECT_EQ(p.return_point, Answer::yes);
  EXPECT_EQ(p.congruent, Answer::yes);
}

TEST(Properties, RelaysWithUnequalWeightsAreCongruentToo) {
  PreisachModel m;
  m.levels.clear();
  m.weights.clear();
  for (int i = 0; i <= 20; ++i) {
    m.levels.push_back(-1.0 + 0.1 * i);
    for (int j = 0; j < i; ++j) m.weights.push_back(1.0 + 0.1 * i + 0.05 * j * j);
  }
  const auto p = properties(*as_system(m), Signal{});
  EXPECT_EQ(p.hysteretic, Answer::yes);
  EXPECT_EQ(p.local_memory, Answer::no);
  EXPECT_EQ(p.return_point, Answer::yes);
  EXPECT_EQ(p.congruent, Answer::yes);
}

TEST(Properties, TheMultiplayIsRateDependentWithNonlocalMemory) {
  const auto s = as_system(Multiplay{.thresholds = {0.2, 0.8}, .stiffnesses = {1.0, 1.0}});
  const auto p = properties(*s, Signal{.frequency = 0.1});
  EXPECT_EQ(p.hysteretic, Answer::yes);
  EXPECT_EQ(p.rate_dependent, Answer::yes);
  EXPECT_EQ(p.local_memory, Answer::no);
}

TEST(Properties, DahlIsRateIndependentWithLocalMemory) {
  const auto s =
      friction_system(erase(Dahl<>{.stiffness = 7.5, .coulomb_force = 1.5}), PrescribedMotion{});
  const auto p = properties(*s, Signal{.amplitude = 5.0});
  EXPECT_EQ(p.hysteretic, Answer::yes);
  EXPECT_EQ(p.rate_dependent, Answer::no);
  EXPECT_EQ(p.local_memory, Answer::yes);
}

TEST(Properties, LuGreDependsOnTheRate) {
  const auto s = friction_system(erase(LuGre<>{}), PrescribedMotion{});
  const auto p = properties(*s, Signal{.amplitude = 0.1, .frequency = 1.0});
  EXPECT_EQ(p.hysteretic, Answer::yes);
  EXPECT_EQ(p.rate_dependent, Answer::yes);
}

TEST(Properties, BoucWenDoesNotKeepReturnPoints) {
  const auto p = properties(*as_system(BoucWenSystem{.share = 0.0}), Signal{.amplitude = 3.0});
  EXPECT_EQ(p.hysteretic, Answer::yes);
  EXPECT_EQ(p.rate_dependent, Answer::no);
  EXPECT_EQ(p.return_point, Answer::no);
}

// Thesis 2.6: a reversal where the slope is larger than the sum of all stiffnesses leaves the loop,
// one where it is smaller stays inside.
TEST(MinorLoops, AreInsideOrOutsideAsTheSlopeSays) {
  const auto s = as_system(s_shaped);
  // Slopes on the way up from -20: 4, 6, 8, 10, 12, 10, 8, 6, 4, 2, 0, changing at -20 + 2 w.
  EXPECT_FALSE(minor_loop(*s, 20.0, -20.0 + 2.0 * 7.0, 6.0).inside);  // slope 12
  EXPECT_TRUE(minor_loop(*s, 20.0, 18.0, 6.0).inside);                // slope 0
  EXPECT_LT(minor_loop(*s, 20.0, 18.0, 6.0).area, 0.0);
}

TEST(MultiplayFit, FindsTheMultiplayAMapWasMadeFrom) {
  const auto map =
      periodic_map(*as_system(s_shaped), Signal{.shape = Signal::triangle, .amplitude = 20.0},
                   {.samples = 4001});
  const auto fit = fit_multiplay(map.input, map.output);
  EXPECT_LT(fit.asymmetry, 1e-10);
  EXPECT_LT(fit.error, 1e-10);
  double total = 0.0;
  for (const double k : fit.stiffnesses) total += k;
  EXPECT_NEAR(total, 4.0, 1e-9);
  const auto again =
      periodic_map(*as_system(fit.model()), Signal{.shape = Signal::triangle, .amplitude = 20.0},
                   {.samples = 4001});
  EXPECT_LT(map_distance(map, again), 1e-10);
}

TEST(MultiplayFit, FollowsASmoothMapMoreCloselyWithMorePieces) {
  const auto map = periodic_map(*as_system(BoucWenSystem{}), Signal{.amplitude = 3.0});
  double before = 1.0;
  for (const int pieces : {5, 20, 80}) {
    const auto fit = fit_multiplay(map.input, map.output, {.pieces = pieces});
    EXPECT_LT(fit.error, 0.5 * before) << pieces;
    before = fit.error;
  }
}

TEST(MultiplayFit, RefusesAMapWithoutTheSymmetry) {
  std::vector<double> u, y;
  for (int i = 0; i < 400; ++i) {
    const double t = 2.0 * M_PI * i / 400.0;
    u.push_back(std::sin(t));
    y.push_back(u.back() * u.back() + 0.1 * std::cos(t));
  }
  try {
    fit_multiplay(u, y);
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::string(e.what()).find("not symmetric under half a turn"), std::string::npos);
  }
  y[17] = NAN;
  try {
    fit_multiplay(u, y);
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_NE(std::string(e.what()).find("row 18"), std::string::npos);
  }
}

}  // namespace
}  // namespace bristle::io_map_test
