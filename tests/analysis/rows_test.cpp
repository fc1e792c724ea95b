// SPDX-License-Identifier: MIT
// Mean curves and their fits, maps of slow drives, loops side by side.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/analysis/map_limits.hpp"
#include "bristle/analysis/mean_curve.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/drbm.hpp"
#include "bristle/model/sawtooth.hpp"
#include "bristle/system/friction.hpp"

namespace bristle::rows_test {
namespace {

TEST(MeanCurve, AveragesTheRisingAndTheFallingBranch) {
  std::vector<double> v, y;
  for (int i = 0; i <= 2000; ++i) {
    const double phase = 2.0 * M_PI * i / 2000.0;
    v.push_back(1.0 - std::cos(phase));
    y.push_back(3.0 + 0.5 * v.back() + 0.2 * std::sin(phase));  // a loop around a straight line
  }
  const MeanCurve mean = mean_curve(v, y, 40);
  ASSERT_GT(mean.velocity.size(), 30u);
  for (std::size_t i = 1; i + 1 < mean.velocity.size(); ++i)
    EXPECT_NEAR(mean.value[i], 3.0 + 0.5 * mean.velocity[i], 0.02) << mean.velocity[i];
}

TEST(MeanCurve, LeavesOutValuesThatAreNotFinite) {
  std::vector<double> v, y;
  for (int i = 0; i <= 400; ++i) {
    v.push_back(1.0 - std::cos(2.0 * M_PI * i / 200.0));
    y.push_back(1.0);
  }
  v[57] = INFINITY, v[133] = -INFINITY, v[200] = NAN;
  const MeanCurve mean = mean_curve(v, y, 10);
  EXPECT_EQ(mean.velocity.size(), 10u);
  for (const double velocity : mean.velocity) EXPECT_LT(velocity, 2.0);
}

TEST(FallFit, FindsTheCurveItWasMadeFrom) {
  MeanCurve curve;
  for (double v = 0.005; v < 0.4; v += 0.005) {
    curve.velocity.push_back(v);
    curve.value.push_back(0.4 - 0.3 / std::cosh(v / 0.0955));
  }
  const FallFit sech = fit_fall(curve, FallShape::sech);
  EXPECT_NEAR(sech.limit, 0.4, 1e-6);
  EXPECT_NEAR(sech.drop, 0.3, 1e-6);
  EXPECT_NEAR(sech.velocity, 0.0955, 1e-6);
  EXPECT_LT(sech.residual, 1e-7);
  EXPECT_GT(fit_fall(curve, FallShape::gaussian).residual, 1e-3);
  EXPECT_NEAR(sech.at(0.0, FallShape::sech), 0.1, 1e-5);
}

TEST(FallFit, PinnedRunsFromTheSlowestToTheFastestMean) {
  MeanCurve curve;
  for (double v = 0.001; v < 1.0; v += 0.001) {
    curve.velocity.push_back(v);
    curve.value.push_back(0.4 - 0.3 * std::exp(-v * v / 0.01));
  }
  const FallFit pinned = fit_pinned_fall(curve, FallShape::gaussian);
  EXPECT_EQ(pinned.limit, curve.value.back());
  EXPECT_EQ(pinned.at(0.0, FallShape::gaussian), curve.value.front());
  EXPECT_NEAR(pinned.velocity, 0.1, 1e-4);
  EXPECT_EQ(fit_pinned_fall({}, FallShape::sech).velocity, 0.0);
}

TEST(MovingAverage, DecaysWithItsWeight) {
  const std::vector<double> values{1.0, 0.0, 0.0, 0.0};
  const auto mean = moving_average(values, 0.25);
  EXPECT_EQ(mean, (std::vector<double>{1.0, 0.75, 0.5625, 0.421875}));
}

// With Coulomb friction the loop tends to 4 Fc (A - Fc) / K.
TEST(SlowLimit, OfCoulombFrictionIsItsParallelogram) {
  WallSpringMass body;
  body.signal.amplitude = 3.0;
  body.signal.frequency = 0.08;
  Options o;
  o.tolerance = 1e-10;
  const auto system = friction_system(erase(Coulomb<>{.coulomb_force = 2.0}), body);
  const auto limit = slow_limit(*system, body.signal, o);
  EXPECT_TRUE(limit.converges);
  EXPECT_NEAR(limit.limit, -8.0, 2e-3);
  EXPECT_EQ(limit.area.size(), 4u);
  EXPECT_LE(std::abs(limit.limit + 8.0), std::abs(limit.area.back() + 8.0));
}

// Thesis Fig. 3.11; the area at vanishing frequency in closed form.
TEST(SlowLimit, OfTheSawtoothIsItsClosedForm) {
  WallSpringMass body;
  body.signal.amplitude = 2.0;
  body.signal.frequency = 0.004;
  Options o;
  o.tolerance = 1e-10;
  const auto limit = slow_limit(*friction_system(erase(Sawtooth<>{}), body), body.signal, o, 2);
  EXPECT_NEAR(limit.limit, -3.625, 1e-3);
}

TEST(CoexistingLoops, AreTwoOnTheDiscontinuousRotatingBristles) {
  Drbm<> law;
  law.body_length = 1.0;
  WallSpringMass body;
  body.signal.frequency = 0.001;
  Options o;
  o.tolerance = 1e-7;
  o.samples = 3;
  const auto loops = coexisting_loops(ErasedLaw<Drbm<>>(law), body, o, -0.1, 0.1, 5);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_NEAR(loops[0].area, 0.35743, 1e-3);
  EXPECT_GT(loops[0].starts.size(), loops[1].starts.size());
  EXPECT_EQ(loops[0].starts.size() + loops[1].starts.size(), 5u);
  EXPECT_NEAR(loops[1].area, 0.37824, 1e-3);
}

}  // namespace
}  // namespace bristle::rows_test
