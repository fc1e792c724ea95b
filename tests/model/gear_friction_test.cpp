// SPDX-License-Identifier: MIT
#include "bristle/model/gear_friction.hpp"

#include "bristle/model/stribeck.hpp"
#include "bristle/scalar/dual.hpp"
#include "close.hpp"

namespace bristle::gear_friction_test {
namespace {

using test::Random;

GearFriction<> example() { return {0.003, 0.002, 0.01, 0.3, 0.1, 0.6, 3.0, 0.2, 0.5, 0.4}; }

double force_at(const GearFriction<>& law, double v, double load) {
  return force(law, 0.0, Motion<double>{0.0, v, load});
}

TEST(GearFriction, LosesByItsOwnCoefficientsWhileDrivingAndDrivenBack) {
  const GearFriction<> law = example();
  const double v = 0.45, load = 0.25, g = std::exp(-1.5);
  const double plain = 0.003 + 0.002 * g + 0.01 * v;
  EXPECT_NEAR(force_at(law, v, -load), plain + (0.1 + 0.6 * g + 3.0 * load) * load, 1e-15);
  EXPECT_NEAR(force_at(law, v, load), plain + (0.2 + 0.5 * g + 0.4 * load) * load, 1e-15);
}

TEST(GearFriction, IsOddIfVelocityAndLoadChangeSignTogether) {
  const GearFriction<> law = example();
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const double v = random.uniform(-2.0, 2.0), load = random.uniform(-1.0, 1.0);
    EXPECT_EQ(force_at(law, v, load), -force_at(law, -v, -load)) << v << " " << load;
  }
  EXPECT_NE(force_at(law, 1.0, 0.3), -force_at(law, -1.0, 0.3));
}

TEST(GearFriction, AtRestTheIntervalIsThatOfBothDirections) {
  const GearFriction<> law = example();
  for (const double load : {-0.3, 0.0, 0.2}) {
    const Interval<double> held = law.limits(Motion<double>{0.0, 0.0, load});
    EXPECT_NEAR(held.upper, force_at(law, 1e-12, load), 1e-11);
    EXPECT_NEAR(held.lower, force_at(law, -1e-12, load), 1e-11);
  }
  const Interval<double> loaded = law.limits(Motion<double>{0.0, 0.0, -0.3});
  EXPECT_GT(loaded.upper, -loaded.lower);  // lifting is harder than letting down
}

TEST(GearFriction, WithoutLoadIsAnExponentialStribeckCurve) {
  const GearFriction<> law = example();
  Stribeck<> stribeck;
  stribeck.coulomb_force = law.coulomb_torque;
  stribeck.static_force = law.coulomb_torque + law.coulomb_rise;
  stribeck.stribeck_velocity = law.stribeck_velocity;
  stribeck.viscous = law.viscous;
  stribeck.curve = Stribeck<>::exponential;
  for (const double v : {-1.0, -0.1, 0.02, 0.5, 3.0})
    EXPECT_NEAR(force_at(law, v, 0.0), force(stribeck, 0.0, Motion<double>{0.0, v}), 1e-16);
}

TEST(GearFriction, NeverPushesHoweverFarItsGrowthFalls) {
  GearFriction<> law = example();
  law.backdriving_growth = -10.0;
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const double v = random.uniform(-2.0, 2.0), load = random.uniform(-2.0, 2.0);
    EXPECT_GE(force_at(law, v, load) * v, 0.0) << v << " " << load;
  }
}

TEST(GearFriction, IsContinuousWhereTheLoadChangesSign) {
  const GearFriction<> law = example();
  EXPECT_NEAR(force_at(law, 0.4, 1e-12), force_at(law, 0.4, -1e-12), 1e-11);
}

TEST(GearFriction, DerivativesEqualCentralDifferences) {
  const GearFriction<> law = example();
  using D = Dual<double, 2>;
  for (const double v : {-0.7, 0.2, 1.1})
    for (const double load : {-0.4, 0.3}) {
      const Motion<D> motion{D(0.0), variable<2>(v, 0), variable<2>(load, 1)};
      const D f = law.sliding(motion, Branch<double>{sign(v)});
      const double h = 1e-6;
      EXPECT_NEAR(f.slope[0], (force_at(law, v + h, load) - force_at(law, v - h, load)) / (2 * h),
                  1e-8);
      EXPECT_NEAR(f.slope[1], (force_at(law, v, load + h) - force_at(law, v, load - h)) / (2 * h),
                  1e-8);
    }
}

}  // namespace
}  // namespace bristle::gear_friction_test
