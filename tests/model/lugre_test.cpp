// SPDX-License-Identifier: MIT
#include "bristle/model/lugre.hpp"

#include "bristle/model/advance.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/ffbm.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/mpabm.hpp"
#include "bristle/model/sbm.hpp"
#include "close.hpp"

namespace bristle {
namespace {

using test::close;
using test::epsilon;
using test::Random;

// Forces of two laws along the same random motion, each with its own state in the same unit.
template <class A, class B>
void expect_equal_runs(const A& a, const B& b, double tolerance) {
  Random random(61);
  double za = 0.0, zb = 0.0, x = 0.0;
  for (int i = 0; i < 5000; ++i) {
    const double v = random.sign() * random.log_uniform(1e-5, 1.0);
    const double step = random.log_uniform(1e-3, 3.0) * 1e-5 / std::abs(v);
    const Motion<double> m{x + 0.5 * v * step, v};
    const auto ra = respond(a, za, m);
    const auto rb = respond(b, zb, m);
    ASSERT_TRUE(close(ra.force, rb.force, tolerance, 1.0)) << "step " << i << ", v = " << v;
    ASSERT_TRUE(close(ra.rate, rb.rate, tolerance, std::abs(v))) << "step " << i << ", v = " << v;
    za = advance(a, za, m, step);
    zb = advance(b, zb, m, step);
    x += v * step;
  }
}

LuGre<> undamped() {
  LuGre<> law;
  law.damping = 0.0;
  law.viscous = 0.0;
  return law;
}

// Thesis Figure 1.10, equation (1.27): sigma2 = 0.4 N s/m, F_c = 1 N, F_s = 1.5 N, v_s = 0.001 m/s.
// Independent reference computation, to rounding.
TEST(LuGre, SteadySlidingFollowsTheStribeckCurve) {
  const LuGre<> law;
  const auto steady = [&](double v) { return steady_force(law, Motion<double>{0.0, v}); };
  EXPECT_TRUE(close(steady(0.0001), 1.4950649168745842, epsilon));
  EXPECT_TRUE(close(steady(0.001), 1.1843397205857211, epsilon));
  EXPECT_TRUE(close(steady(0.002), 1.009957819444367, epsilon));
  EXPECT_TRUE(close(steady(0.01), 1.004, epsilon));
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

// The defaults agree in F_c = 1 N, F_s = 1.5 N and stiffness; the rounding differs by a few units.
TEST(LuGre, EqualsDahlOfExponentOneWithoutStribeckEffectAndDamping) {
  LuGre<> law = undamped();
  law.static_force = law.coulomb_force;
  expect_equal_runs(law, Dahl<>{}, 1e-13);
}

TEST(LuGre, WithoutDampingEqualsTheExponentialSbm) {
  Sbm<> sbm;
  sbm.bristle_stiffness = 2.0;
  sbm.free_height = 2.5;
  sbm.maximum_height = 2.0;
  sbm.height_drop = 0.25;
  sbm.stribeck_velocity = 0.001;
  expect_equal_runs(undamped(), sbm, 4.0 * epsilon);
}

TEST(LuGre, WithoutDampingEqualsTheMeanPivotAngleModel) {
  Mpabm<> mpabm;
  mpabm.angle_gain = 0.5 * mpabm.stiffness;
  expect_equal_runs(undamped(), mpabm, 4.0 * epsilon);
}

TEST(LuGre, WithoutDampingEqualsFrBDWithoutDamping) {
  FrBD<> frbd;
  frbd.stiffness = 1e5;
  frbd.damping = 0.0;
  frbd.viscous = 0.0;
  frbd.stribeck_velocity = 0.001;
  expect_equal_runs(undamped(), frbd, 2e-14);
}

TEST(Ffbm, WithEqualForcesIsDahlOfExponentOne) {
  Ffbm<> ffbm;
  ffbm.maximum_force = ffbm.minimum_force;
  expect_equal_runs(ffbm, Dahl<>{}, 1e-13);
}

// From minimum_force just after a release to maximum_force just before the next, either way.
TEST(Ffbm, SlowSlidingFollowsTheSawtooth) {
  const Ffbm<> law;
  const auto steady = [&](double x, double v) { return steady_force(law, Motion<double>{x, v}); };
  EXPECT_DOUBLE_EQ(steady(0.0, 1.0), 1.0);
  EXPECT_NEAR(steady(0.05 * (1.0 - 1e-9), 1.0), 1.5, 1e-8);
  EXPECT_DOUBLE_EQ(steady(0.0125, 1.0), 1.125);
  EXPECT_DOUBLE_EQ(steady(0.1125, 1.0), 1.125);
  EXPECT_DOUBLE_EQ(steady(-0.0125, 1.0), 1.375);
  EXPECT_DOUBLE_EQ(steady(0.0125, -1.0), -1.375);
}

TEST(Ffbm, CellsFollowOneAnotherWithTheMotion) {
  const Ffbm<> law;
  const Motion<double> m{0.07, 1.0};
  const auto branch = branch_of(law, 0.0, m);
  EXPECT_EQ(branch.cell, 1.0);
  EXPECT_NEAR(law.margin(0.0, m, branch), 0.6, 1e-14);
  EXPECT_EQ(law.crossed(branch).cell, 2.0);
  const Motion<double> back{0.07, -1.0};
  EXPECT_EQ(branch_of(law, 0.0, back).cell, -2.0);
  EXPECT_NEAR(law.margin(0.0, back, branch_of(law, 0.0, back)), 0.4, 1e-14);
}

TEST(Sbm, SechCurveFallsMoreSlowlyThanTheExponentialAndCannotOverflow) {
  Sbm<> sech, exponential;
  sech.curve = Sbm<>::sech;
  const auto steady = [](const Sbm<>& law, double v) {
    return steady_force(law, Motion<double>{0.0, v});
  };
  for (const double v : {0.01, 0.1, 0.3}) {
    EXPECT_TRUE(close(steady(sech, v), 1.0 + 0.5 / std::cosh(v / 0.1), 2.0 * epsilon));
    EXPECT_GT(steady(sech, v), steady(exponential, v));
  }
  EXPECT_EQ(steady(sech, 1e6), 1.0);
}

TEST(Mpabm, SteadyForceIsTheMeanAngleTimesStiffnessOverGain) {
  Mpabm<> law;
  law.angle_gain = 2e4;
  const double theta = 0.5 + 0.25 * std::exp(-4.0);
  EXPECT_TRUE(close(steady_force(law, Motion<double>{0.0, 0.002}), 5.0 * theta, 2.0 * epsilon));
}

}  // namespace
}  // namespace bristle
