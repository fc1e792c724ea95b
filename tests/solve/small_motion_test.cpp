// SPDX-License-Identifier: MIT
// Motions much smaller than their parameters let expect, and what is dissipated in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bristle/model/compressed_bristle.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::small_motion_test {
namespace {

// A body held by its bristles under a weak force.
WallSpringMass pushed(double force) {
  WallSpringMass m;
  m.signal.amplitude = force;
  m.signal.frequency = 3.0;
  return m;
}

double swing(const Trajectory& t) {
  const auto [low, high] = std::minmax_element(t.position.begin(), t.position.end());
  return *high - *low;
}

TEST(SmallMotion, ClosesItsLedgerHoweverSmallItIs) {
  LuGre<> law;
  for (const double force : {1e-1, 1e-2, 1e-3, 1e-4, 1e-6}) {
    const auto run = simulate(law, pushed(force), {.end = 8.0, .samples = 201.0});
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-6) << force << " N: " << run.summary.message;
  }
}

TEST(SmallMotion, IsKnownRelativeToItself) {
  // Bristles under a weak force are a spring and a damper: the motion is proportional to the force.
  FrBD<> law;
  const auto one = simulate(law, pushed(1e-6), {.end = 8.0, .tolerance = 1e-9, .samples = 201.0});
  const auto two = simulate(law, pushed(2e-6), {.end = 8.0, .tolerance = 1e-9, .samples = 201.0});
  double worst = 0.0;
  for (std::size_t i = 0; i < one.trajectory.size(); ++i)
    worst =
        std::max(worst, std::abs(2.0 * one.trajectory.position[i] - two.trajectory.position[i]));
  // What is not proportional is a part 1e-6 of it, since the force is that part of break-away.
  EXPECT_LT(worst, 5e-6 * swing(two.trajectory));
}

TEST(SmallMotion, IsTheSameByBothMethods) {
  BRISTLE_NEEDS_SUNDIALS();
  Dahl<> law;
  Options options{.end = 4.0, .tolerance = 1e-8, .samples = 101.0};
  const auto first = simulate(law, pushed(1e-3), options);
  options.method = Options::cvode;
  const auto second = simulate(law, pushed(1e-3), options);
  ASSERT_TRUE(second.summary.ok()) << second.summary.message;
  double worst = 0.0;
  for (std::size_t i = 0; i < first.trajectory.size(); ++i)
    worst = std::max(worst, std::abs(first.trajectory.position[i] - second.trajectory.position[i]));
  EXPECT_LT(worst, 1e-4 * swing(first.trajectory)) << second.summary.message;
}

TEST(SmallMotion, DoesNotDependOnWhereTheBodyStarts) {
  // A spring stretched by a metre and held: the motion is measured from its start.
  FrBD<> law;
  WallSpringMass m = pushed(1e-3);
  const auto near = simulate(law, m, {.end = 4.0, .samples = 101.0});
  m.signal.offset = m.spring;
  Options options{.end = 4.0, .samples = 101.0};
  options.initial.position = 1.0;
  const auto far = simulate(law, m, options);
  EXPECT_LT(far.summary.ledger.relative_error, 1e-6) << far.summary.message;
  EXPECT_NEAR(swing(far.trajectory), swing(near.trajectory), 1e-5 * swing(near.trajectory));
}

TEST(Dissipation, OfAPassiveLawNeverFalls) {
  Dahl<> law;
  law.coulomb_force = 1.2;
  WallSpringMass m;
  m.mass = 2.7;
  m.signal.amplitude = 1.2;
  m.signal.amplitude_after = 1.5;
  m.signal.change_time = 10.0;
  m.signal.frequency = 0.0;
  m.signal.phase = 1.6;
  for (const double tolerance : {6e-6, 1e-7}) {
    const auto run = simulate(law, m, {.end = 20.0, .tolerance = tolerance, .samples = 2001.0});
    const auto& d = run.trajectory.dissipated;
    for (std::size_t i = 1; i < d.size(); ++i)
      ASSERT_GE(d[i], d[i - 1]) << "at t = " << run.trajectory.time[i] << " s";
  }
}

TEST(Dissipation, MayFallForALawThatGivesEnergyBack) {
  // LuGre beyond the speed up to which it is passive, with its bristles bent further than they are
  // in steady sliding: their damping pulls the body along.
  LuGre<> law;
  law.damping = 3e4;
  PrescribedMotion m;
  m.signal.shape = Signal::ramp;
  m.signal.rate = 0.03;
  Options options{.end = 0.01, .samples = 1001.0};
  options.initial.state = 1.5e-5;
  const auto run = simulate(law, m, options);
  const auto& d = run.trajectory.dissipated;
  double fall = 0.0;
  for (std::size_t i = 1; i < d.size(); ++i) fall = std::max(fall, d[i - 1] - d[i]);
  EXPECT_GT(fall, 1e-9);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-6) << run.summary.message;
}

TEST(Ledger, IsClosedBySmallerErrorsWhereTheToleranceIsTooWide) {
  // A body that falls and swings with hundreds of joules while its ledger counts a few.
  CompressedBristle<> law;
  law.bristle_stiffness = 5e-4;
  law.slant = 0.004;
  WallSpringMass m;
  m.signal.frequency = 0.0;
  const auto run = simulate(law, m, {.end = 200.0, .samples = 101.0});
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_TRUE(run.summary.ledger.closes) << run.summary.message;
  EXPECT_NE(run.summary.message.find("the given one was too large"), std::string::npos)
      << run.summary.message;
}

}  // namespace
}  // namespace bristle::small_motion_test
