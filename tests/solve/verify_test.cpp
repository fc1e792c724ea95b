// SPDX-License-Identifier: MIT
// The second, finer run that tells how far the first one is off.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bristle/model/coulomb.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::verify_test {
namespace {

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0, way = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    way = std::max(way, std::abs(a[i] - a[0]));
  }
  return worst / way;
}

bool says(const Summary& summary, const std::string& words) {
  return summary.message.find(words) != std::string::npos;
}

const DraggedMass dragged{.mass = 1.0, .spring = 2.0, .drag_velocity = 0.1};

TEST(Verify, GivesTheDistanceFromARunAtATenthOfTheTolerance) {
  const LuGre<> law{.stiffness = 1e4};
  const auto run = simulate(law, dragged, {.end = 20.0, .tolerance = 1e-6, .verify = Options::yes});
  const auto fine = simulate(law, dragged, {.end = 20.0, .tolerance = 1e-7});
  ASSERT_GT(run.summary.global_error, 0.0);
  EXPECT_NEAR(run.summary.global_error,
              largest_difference(run.trajectory.position, fine.trajectory.position),
              1e-9 * run.summary.global_error);
  EXPECT_TRUE(says(run.summary, "positions differ from those of a run at a tolerance of 1e-07"))
      << run.summary.message;
}

TEST(Verify, GivesTheTrueError) {
  // The error that is told and the distance from a run at 1e-12 agree within a factor of two.
  const LuGre<> law{.stiffness = 1e5};
  const auto exact = simulate(law, dragged, {.end = 20.0, .tolerance = 1e-12});
  for (const double tolerance : {1e-5, 1e-6, 1e-7}) {
    const auto run =
        simulate(law, dragged, {.end = 20.0, .tolerance = tolerance, .verify = Options::yes});
    const double error = largest_difference(exact.trajectory.position, run.trajectory.position);
    EXPECT_LT(error, 2.0 * run.summary.global_error) << tolerance;
    EXPECT_GT(error, 0.5 * run.summary.global_error) << tolerance;
  }
}

TEST(Verify, NeverComparesARunOfCvodeWithItself) {
  BRISTLE_NEEDS_SUNDIALS();
  for (const double tolerance : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
    Options o{.end = 5.0, .tolerance = tolerance, .verify = Options::yes};
    o.method = Options::cvode;
    const auto run = simulate(LuGre<>{.stiffness = 1e3}, dragged, o);
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_GT(run.summary.global_error, 0.0) << tolerance << ": " << run.summary.message;
  }
}

TEST(Verify, IsLeftOutUnlessAskedFor) {
  const auto run = simulate(LuGre<>{}, dragged, {.end = 2.0});
  EXPECT_LT(run.summary.global_error, 0.0);
  EXPECT_FALSE(says(run.summary, "differ from")) << run.summary.message;
}

TEST(Verify, WarnsWhereErrorsGrowWithTheMotion) {
  // An inverted pendulum falls from almost upright: whatever a step is off by grows until then.
  const Pendulum falling{.signal = {.amplitude = 0.0}};
  const auto run = simulate(
      Coulomb<>{.coulomb_force = 1e-9}, falling,
      {.end = 8.0, .tolerance = 1e-8, .verify = Options::yes, .initial = {.position = 3.14159265}});
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_GT(run.summary.global_error, 1e-7);
  EXPECT_NE(run.summary.warning.find("the motion amplifies errors"), std::string::npos)
      << run.summary.message;
}

TEST(Verify, HalvesAFixedStep) {
  const LuGre<> law{.stiffness = 1e4};
  const Options options{.end = 4.0,
                        .method = Options::coupled,
                        .step = 1e-3,
                        .samples = 401.0,
                        .verify = Options::yes};
  const auto run = simulate(law, dragged, options);
  Options half = options;
  half.verify = Options::no;
  half.step = 5e-4;
  const auto fine = simulate(law, dragged, half);
  EXPECT_NEAR(run.summary.global_error,
              largest_difference(run.trajectory.position, fine.trajectory.position), 1e-12);
  EXPECT_TRUE(says(run.summary, "a run at half the step")) << run.summary.message;
  EXPECT_EQ(run.summary.warning, "");
}

TEST(Verify, ComparesForcesWhereTheMotionIsGiven) {
  const PrescribedMotion given{.signal = {.amplitude = 1e-3, .frequency = 1.0}};
  const auto bristle = simulate(LuGre<>{.stiffness = 1e4}, given,
                                {.end = 3.0, .tolerance = 1e-6, .verify = Options::yes});
  EXPECT_GT(bristle.summary.global_error, 0.0);
  EXPECT_TRUE(says(bristle.summary, "forces differ")) << bristle.summary.message;
  // The force of Coulomb friction jumps at every reversal, some of which are at samples.
  const auto jumps = simulate(Coulomb<>{}, given, {.end = 3.0, .verify = Options::yes});
  EXPECT_LT(jumps.summary.global_error, 1e-9) << jumps.summary.message;
  EXPECT_GE(jumps.summary.global_error, 0.0);
}

TEST(Verify, StopsWhereTheSecondRunIsCancelled) {
  double last = 0.0;
  Options options{.end = 200.0, .tolerance = 1e-10, .verify = Options::yes};
  options.progress = [&](double done) {
    EXPECT_GE(done, last);
    last = done;
    return done < 0.6;
  };
  const auto run = simulate(LuGre<>{.stiffness = 1e6}, dragged, options);
  EXPECT_EQ(run.summary.status, Status::cancelled) << run.summary.message;
  EXPECT_GE(last, 0.6);
}

TEST(Verify, SaysSoIfItIsTooLong) {
  const auto run =
      simulate(LuGre<>{}, dragged, {.end = 1.0, .samples = 1.1e6, .verify = Options::yes});
  EXPECT_LT(run.summary.global_error, 0.0);
  EXPECT_TRUE(says(run.summary, "not verified: more than 1e6 samples")) << run.summary.message;
}

}  // namespace
}  // namespace bristle::verify_test
