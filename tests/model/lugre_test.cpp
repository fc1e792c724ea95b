// SPDX-License-Identifier: MIT
#include "bristle/model/lugre.hpp"

#include "close.hpp"

namespace bristle::lugre_test {
namespace {

using test::close;
using test::epsilon;

// Thesis Figure 1.10, equation (1.27): sigma2 = 0.4 N s/m, F_c = 1 N, F_s = 1.5 N, v_s = 0.001 m/s.
// To rounding.
TEST(LuGre, SteadySlidingFollowsTheStribeckCurve) {
  const LuGre<> law;
  const auto steady = [&](double v) { return steady_force(law, Motion<double>{0.0, v}); };
  // oracle: curves.lugre.steady_0_1_mm_s
  EXPECT_TRUE(close(steady(0.0001), 1.4950649168745842, epsilon));
  // oracle: curves.lugre.steady_1_mm_s
  EXPECT_TRUE(close(steady(0.001), 1.1843397205857211, epsilon));
  // oracle: curves.lugre.steady_2_mm_s
  EXPECT_TRUE(close(steady(0.002), 1.009957819444367, epsilon));
  EXPECT_TRUE(close(steady(0.01), 1.004, epsilon));
  // oracle: -curves.lugre.steady_2_mm_s
  EXPECT_TRUE(close(steady(-0.002), -1.009957819444367, epsilon));
}

// Thesis Figure 1.11: at u = 0 of u = 5 cos(0.25 t) the speed is 1.25 m/s and the force 1.75 N.
TEST(LuGre, SlidingAtHighSpeedIsCoulombPlusViscousFriction) {
  LuGre<> law;
  law.stiffness = 1e4;
  law.damping = 100.0;
  law.viscous = 0.6;
  law.stribeck_velocity = 0.04;
  EXPECT_TRUE(close(steady_force(law, Motion<double>{0.0, 1.25}), 1.75, epsilon));
}

TEST(LuGre, ViscousPartInTheCurveGivesTheSameSteadyForce) {
  LuGre<> parallel, in_curve;
  in_curve.viscous_form = LuGre<>::in_curve;
  for (const double v : {-0.3, -1e-3, 1e-4, 0.05, 2.0}) {
    const Motion<double> m{0.0, v};
    EXPECT_TRUE(close(steady_force(in_curve, m), steady_force(parallel, m), 2.0 * epsilon));
    // Away from the steady state the two forms differ.
    EXPECT_NE(force(in_curve, 5e-6, m), force(parallel, 5e-6, m));
  }
}

TEST(LuGre, RateGrowsWithoutBoundWithTheSpeed) {
  const LuGre<> law;
  const auto rate_at = [&](double v) { return rate(law, -1e-5, Motion<double>{0.0, v}); };
  EXPECT_TRUE(close(rate_at(100.0), 10.0 * rate_at(10.0), 1e-12));
}

}  // namespace
}  // namespace bristle::lugre_test
