// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/analysis/limit_cycle.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/analysis/steady.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/erase.hpp"
#include "bristle/model/ffbm.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/stribeck.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::analysis_test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Loop, AreaOfAnEllipseIsPiTimesItsHalfAxes) {
  std::vector<double> x, y;
  for (int i = 0; i < 4000; ++i) {
    const double a = 2 * pi * i / 4000;
    x.push_back(3.0 * std::cos(a));
    y.push_back(2.0 * std::sin(a));
  }
  const Loop loop = polygon_loop(x, y);
  // Run through counterclockwise: negative. A polygon of n sides loses (2 pi / n)^2 / 6.
  EXPECT_NEAR(loop.area, -6.0 * pi, 1e-5);
  EXPECT_FALSE(loop.clockwise());
  EXPECT_NEAR(loop.width, 6.0, 1e-9);
  EXPECT_NEAR(loop.height, 4.0, 1e-9);
  EXPECT_LT(loop.closing_error, 1e-3);
  const std::vector<double> back(x.rbegin(), x.rend()), up(y.rbegin(), y.rend());
  EXPECT_TRUE(polygon_loop(back, up).clockwise());
}

TEST(Loop, OfTooFewPointsIsEmpty) {
  const std::vector<double> x{1.0, 2.0}, y{0.0, 1.0};
  EXPECT_EQ(polygon_loop(x, y).area, 0.0);
}

TEST(SampleAt, IsExactForCubics) {
  std::vector<double> t, y;
  const auto f = [](double s) { return 1.0 - 2.0 * s + 3.0 * s * s - 0.5 * s * s * s; };
  for (int i = 0; i < 12; ++i) t.push_back(0.3 * i), y.push_back(f(0.3 * i));
  for (const double at : {0.0, 0.05, 1.0, 1.23456, 3.2, 3.3})
    EXPECT_NEAR(sample_at(t, y, at), f(at), 1e-12);
}

TEST(RangeOf, FindsTheTopBetweenSamplesOfASmoothCurve) {
  std::vector<double> y;
  for (int i = 0; i < 100; ++i) y.push_back(std::sin(0.05 * i + 0.017));
  EXPECT_NEAR(range_of(y).most, 1.0, 1e-6);
}

TEST(RangeOf, DoesNotOvershootACorner) {
  std::vector<double> y;
  for (int i = 0; i < 40; ++i) y.push_back(1.0 - std::abs(i - 20.0) / 20.0 * (i < 20 ? 1.0 : 3.0));
  EXPECT_EQ(range_of(y).most, 1.0);
}

TEST(LoopArea, ByQuadratureAndByPolygonAgree) {
  PrescribedMotion m;
  m.signal.amplitude = 1.0;
  Options o;
  o.end = 4 * pi;
  o.samples = 40001;
  const auto run = simulate(LuGre<>{}, m, o);
  const auto& t = run.trajectory;
  const Loop loop = last_loop(t, t.input, t.force, 2 * pi, o.end);
  // The force turns round within 1e-4 m, which the polygon cuts.
  EXPECT_NEAR(loop.area, work_between(t, 2 * pi, o.end), 1e-3);
  EXPECT_TRUE(loop.clockwise());
  EXPECT_LT(loop.closing_error, 1e-3);
}

TEST(LoopArea, DoesNotDependOnTheNumberOfSamples) {
  BRISTLE_NEEDS_SUNDIALS();
  const auto area = [](double samples, int method) {
    PrescribedMotion m;
    m.signal.amplitude = 1.0;
    Options o;
    o.end = 7.0 * pi;  // the last period ends between samples
    o.tolerance = 1e-10;
    o.method = method;
    o.samples = samples;
    const auto run = simulate(LuGre<>{}, m, o);
    return work_between(run.trajectory, 4 * pi, 6 * pi);
  };
  EXPECT_DOUBLE_EQ(area(17, Options::rosenbrock), area(4001, Options::rosenbrock));
  EXPECT_NEAR(area(17, Options::cvode), area(4001, Options::rosenbrock), 1e-6);
}

TEST(LoopArea, OfATriangleIsTheSameByBothMethods) {
  BRISTLE_NEEDS_SUNDIALS();
  // Samples fall within rounding of the corners: neither method may step over one.
  const auto area = [](int method) {
    PrescribedMotion m;
    m.signal.shape = Signal::triangle;
    m.signal.frequency = 0.1;
    Options o;
    o.end = 6 * pi / 0.1;
    o.tolerance = 1e-10;
    o.method = method;
    const auto run = simulate(Dahl<>{.stiffness = 1.5, .coulomb_force = 0.75}, m, o);
    EXPECT_TRUE(run.summary.ok()) << run.summary.message;
    return work_between(run.trajectory, 4 * pi / 0.1, o.end);
  };
  EXPECT_NEAR(area(Options::rosenbrock), 1.5539586298862746, 1e-7);  // oracle: dahl.fig_1_8.area_1
  EXPECT_NEAR(area(Options::cvode), 1.5539586298862746, 1e-6);       // oracle: dahl.fig_1_8.area_1
}

TEST(LimitCycle, IsNotFoundForFrictionThatRisesWithSpeed) {
  // The body starts once and then slides on steadily.
  Options o;
  o.end = 60.0;
  const auto run = simulate(Stribeck<>{.static_force = 1.0, .viscous = 2.0}, DraggedMass{}, o);
  const LimitCycle cycle = find_limit_cycle(run.trajectory);
  EXPECT_EQ(cycle.kind, StickSlip::none);
  EXPECT_NEAR(run.trajectory.velocity.back(), 0.1, 1e-9);
}

TEST(LimitCycle, IsNotFoundWithoutCrossings) {
  const LimitCycle cycle = find_limit_cycle(Trajectory{});
  EXPECT_EQ(cycle.cycles, 0);
  EXPECT_EQ(cycle.kind, StickSlip::none);
  EXPECT_EQ(words(cycle.kind), "none");
}

TEST(LimitCycle, OfASwingingBodyIsQuasi) {
  // A sinusoid of velocity rests at no time.
  Trajectory run;
  for (int i = 0; i <= 1000; ++i) {
    run.time.push_back(0.01 * i);
    run.velocity.push_back(std::sin(2 * pi * 0.01 * i));
  }
  for (int i = 1; i <= 9; ++i) run.crossings.push_back({double(i), 0.0});
  const LimitCycle cycle = find_limit_cycle(run);
  EXPECT_EQ(cycle.kind, StickSlip::quasi);
  EXPECT_NEAR(cycle.period, 1.0, 1e-12);
  EXPECT_NEAR(cycle.amplitude, 1.0, 1e-3);
  EXPECT_NEAR(cycle.reverse_speed, 1.0, 1e-3);
}

TEST(SteadyCurve, HasBothSidesOfZero) {
  const auto law = erase(LuGre<>{});
  const SteadyCurve curve = steady_curve(*law, -0.01, 0.01, 5);
  ASSERT_EQ(curve.velocity.size(), 6u);
  EXPECT_LT(curve.velocity[2], 0.0);
  EXPECT_NEAR(curve.force[2], -1.5, 1e-12);
  EXPECT_GT(curve.velocity[3], 0.0);
  EXPECT_NEAR(curve.force[3], 1.5, 1e-12);
}

TEST(RestInterval, IsTheStaticFrictionAndFollowsThePositionOfASawtooth) {
  EXPECT_NEAR(rest_interval(*erase(FrBD<>{}), 0.0, 2.0).upper, 3.0, 1e-12);
  const auto saw = erase(Ffbm<>{});
  // Forward from 0.02 the tooth gives 1.2 N, backward (mirrored) 1.3 N.
  EXPECT_NEAR(rest_interval(*saw, 0.02).upper, 1.2, 1e-12);
  EXPECT_NEAR(rest_interval(*saw, 0.02).lower, -1.3, 1e-12);
}

}  // namespace
}  // namespace bristle::analysis_test
