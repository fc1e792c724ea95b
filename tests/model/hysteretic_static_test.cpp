// SPDX-License-Identifier: MIT
// The equations of the hysteretic family and of the seven-parameter model.
#include "bristle/model/hysteretic_static.hpp"

#include <gtest/gtest.h>

#include "bristle/model/seven_parameter.hpp"
#include "bristle/model/stribeck.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle::hysteretic_static_test {
namespace {

using Law = HystereticStatic<>;

// At 0.05 m/s, with fS = 0.32, fC = 0.25, alpha = 20 s/m and a load of 35 N.
TEST(HystereticStatic, NonReversibleMatchesTheReference) {
  const Law law{.kind = Law::non_reversible};
  // oracle: curves.stribeck.speeding_up
  EXPECT_NEAR(35.0 * law.kinetic(0.05, 1.0, 1.0), 9.651304631, 5e-10);
  // oracle: curves.stribeck.slowing_down
  EXPECT_NEAR(35.0 * law.kinetic(0.05, -1.0, -1.0), 7.848695369, 5e-10);
  // Both are symmetrical about the Coulomb force.
  EXPECT_NEAR(law.kinetic(0.05, 1.0, 1.0) + law.kinetic(0.05, 1.0, -1.0), 0.5, 1e-15);
}

// The other static laws of the source at the same speed.
TEST(HystereticStatic, StribeckCurvesMatchTheReference) {
  Stribeck<> s{.coulomb_force = 8.75, .static_force = 11.2, .stribeck_velocity = 0.02};
  const auto at = [&](int curve) {
    s.curve = curve;
    return s.magnitude(0.05);
  };
  // oracle: curves.stribeck.exponential
  EXPECT_NEAR(at(Stribeck<>::exponential), 8.951108247, 5e-10);
  EXPECT_NEAR(at(Stribeck<>::gaussian), 8.754729613, 5e-10);  // oracle: curves.stribeck.gaussian
  // oracle: curves.stribeck.lorentzian
  EXPECT_NEAR(at(Stribeck<>::lorentzian), 9.087931034, 5e-10);
  s.falling = 10.0;
  s.rising = 35.0;  // eta2 = 1 times the load
  // oracle: curves.stribeck.popp_stelter
  EXPECT_NEAR(at(Stribeck<>::popp_stelter), 10.470833333, 5e-10);
}

TEST(HystereticStatic, WithoutDelayFallsAsTheLorentzian) {
  const Law law{.breakaway_range = 0.0, .delay = 0.0};
  Stribeck<> s{.coulomb_force = 0.25,
               .static_force = 0.32,
               .stribeck_velocity = 0.02,
               .curve = Stribeck<>::lorentzian};
  for (const double v : {0.0, 0.01, 0.07, 0.3})
    EXPECT_NEAR(law.kinetic(v, 5.0, 1.0), s.magnitude(v), 1e-15);
}

TEST(HystereticStatic, AccelerationDependenceVanishesForLargeOffsets) {
  const Law a{.kind = Law::acceleration, .decay = 20.0 * 1e9, .acceleration_offset = 1e9};
  const Law n{.kind = Law::non_reversible};
  EXPECT_NEAR(a.kinetic(0.05, 3.0, 1.0), n.kinetic(0.05, 3.0, 1.0), 1e-9);
  const Law fast{.kind = Law::acceleration, .decay = 100.0};
  EXPECT_GT(fast.kinetic(0.05, 20.0, 1.0), fast.kinetic(0.05, 1.0, 1.0));
}

TEST(HystereticStatic, BreakawayFallsFromItsRangeToTheStaticCoefficient) {
  const Law law;
  EXPECT_NEAR(law.breakaway(0.0), 0.35, 1e-15);
  EXPECT_NEAR(law.breakaway(0.02), 0.335, 1e-15);
  EXPECT_NEAR(law.breakaway(1e6), 0.32, 1e-8);
}

TEST(HystereticStatic, ItsSteepestSlopeIsALimit) {
  const Law law;
  double most = 0.0;
  using D = Dual<double, 1>;
  for (double v = 0.0; v < 0.2; v += 1e-3)
    for (double b = -40.0; b < 40.0; b += 0.1)
      for (const double way : {-1.0, 1.0}) {
        D at(b);
        at.slope[0] = 1.0;
        most = std::max(most, -35.0 * law.kinetic(D(v), at, way).slope[0]);
      }
  EXPECT_LE(most, law.steepest(35.0));
  EXPECT_GT(most, 0.5 * law.steepest(35.0));
}

TEST(HystereticStatic, DerivativesAreThoseOfItsValues) {
  using D = Dual<double, 1>;
  for (const int kind : {0, 1, 2}) {
    const Law law{.kind = kind};
    for (const double b : {-7.0, 2.0}) {
      D at(b);
      at.slope[0] = 1.0;
      const double h = 1e-6;
      EXPECT_NEAR(law.kinetic(D(0.03), at, 1.0).slope[0],
                  (law.kinetic(0.03, b + h, 1.0) - law.kinetic(0.03, b - h, 1.0)) / (2.0 * h),
                  1e-8);
    }
  }
}

TEST(SevenParameter, BreakawayRisesWithTheDwellTime) {
  const SevenParameter law;
  EXPECT_EQ(law.rise_after(0.5, 0.0), 0.5);
  EXPECT_NEAR(law.rise_after(0.0, law.dwell_time), 0.5 * law.static_rise, 1e-15);
  EXPECT_NEAR(law.rise_after(0.5, 1e9), law.static_rise, 1e-8);
  // oracle: curves.stribeck.lorentzian
  EXPECT_NEAR(law.slipping(0.05, 0.05, law.static_rise), 9.087931034, 5e-10);
}

TEST(SevenParameter, RefusesParametersOutOfRange) {
  EXPECT_THROW(validate(SevenParameter{.delay = -1.0}), InvalidInput);
  EXPECT_THROW(validate(SevenParameter{.dwell_time = 0.0}), InvalidInput);
  EXPECT_THROW(validate(Law{.delay = -1.0}), InvalidInput);
  EXPECT_THROW(validate(Law{.stribeck_velocity = 0.0}), InvalidInput);
  EXPECT_THROW(validate(Law{.static_coefficient = 0.2}), InvalidInput);
}

}  // namespace
}  // namespace bristle::hysteretic_static_test
