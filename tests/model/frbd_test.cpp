// SPDX-License-Identifier: MIT
#include "bristle/model/frbd.hpp"

#include <numbers>

#include "bristle/model/advance.hpp"
#include "close.hpp"

namespace bristle::frbd_test {
namespace {

using test::close;
using test::epsilon;
using test::Random;

// Friction with bristle dynamics, Table II, are the defaults.

// z along v = 0.005 + 0.02 sin(10 pi t) from z = 1e-5 m, by exact updates at midpoint velocities.
double state_after(double end, int steps) {
  const FrBD<> law;
  const double step = end / steps;
  double z = 1e-5;
  for (int i = 0; i < steps; ++i) {
    const double t = (i + 0.5) * step;
    const double v = 0.005 + 0.02 * std::sin(10.0 * std::numbers::pi * t);
    z = advance(law, z, Motion<double>{0.0, v}, step);
  }
  return z;
}

// Equation (19) with Table II; the independent numbers are good to 2e-17 m. With steps of
// 1e-6 s the midpoint rule leaves 2e-15 m, and 2e-14 m where the velocity has just reversed.
TEST(FrBD, BristleFollowsTheClosedFormAlongAGivenVelocity) {
  // oracle: curves.frbd.state_0_05
  EXPECT_NEAR(state_after(0.05, 50000), 9.897575393487e-5, 4e-15);
  // oracle: curves.frbd.state_0_1
  EXPECT_NEAR(state_after(0.10, 100000), 1.122039118250e-4, 4e-15);
  // oracle: curves.frbd.state_0_13
  EXPECT_NEAR(state_after(0.13, 130000), -1.118630595715e-5, 2e-14);
  // oracle: curves.frbd.state_0_2
  EXPECT_NEAR(state_after(0.20, 200000), -8.712874523894e-5, 1e-14);
  // oracle: curves.frbd.state_0_3
  EXPECT_NEAR(state_after(0.30, 300000), 1.121624507640e-4, 4e-15);
}

// Equations (28)-(32) at steady sliding, with Table II: z' = a z + H1 v and F = ... + H2 v for
// small changes. The independent numbers are differences of the nonlinear law.
TEST(FrBD, LinearisationByDerivativesEqualsTheClosedForm) {
  struct Point {
    double v, a, h1, h2;
  };
  // oracle: curves.linear.pole_5 .input_gain_5 .direct_gain_5 .pole_10 .input_gain_10
  // .direct_gain_10 .pole_50 .input_gain_50 .direct_gain_50
  for (const Point& p : {Point{0.005, -29.20389496, -0.1136032657, -7.327410641},
                         Point{0.01, -54.66453217, -0.2008809173, -12.95681917},
                         Point{0.05, -118.2872013, 4.731487232e-4, 0.03051809264}}) {
    using D = Dual<double, 2>;
    const FrBD<> law;
    const double z = steady_force(law, Motion<double>{0.0, p.v}) / law.stiffness;
    const auto r = respond(law, variable<2>(z, 0), Motion<D>{0.0, variable<2>(p.v, 1), 1.0, 0.0});
    EXPECT_NEAR(r.rate.value, 0.0, 1e-17);
    EXPECT_TRUE(close(r.rate.slope[0], p.a, 1e-9));
    EXPECT_TRUE(close(r.rate.slope[1], p.h1, 1e-9));
    EXPECT_TRUE(close(r.force.slope[1], p.h2, 1e-9));
  }
}

// |z'| at |z| <= mu / stiffness, for any speed: |mu v - stiffness |v| z| / (damping |v| + mu) is
// below 2 mu / damping, and the decay below stiffness / damping.
TEST(FrBD, RatesStayBoundedAtAnySpeed) {
  const FrBD<> law;
  double fastest = 0.0;
  for (double v = 1e-6; v < 1e6; v *= 2.0) {
    const Motion<double> m{0.0, v};
    const auto bristle = law.affine(m, branch_of(law, 0.0, m));
    EXPECT_LT(bristle.decay, law.stiffness / law.damping) << v;
    fastest = std::max(fastest, bristle.decay);
  }
  // The bound is sharp up to the viscous part: g = (damping + viscous) |v| + mu_d.
  EXPECT_TRUE(close(fastest, law.stiffness / (law.damping + law.viscous), 1e-6));
}

TEST(FrBD, SteadySlidingFollowsTheFrictionCoefficient) {
  FrBD<> law;
  const double mu = 1.0 + 0.5 * std::exp(-4.0) + 0.04 * 0.02;
  EXPECT_TRUE(close(steady_force(law, Motion<double>{0.0, 0.02, 3.0}), 3.0 * mu, 2.0 * epsilon));
  EXPECT_TRUE(close(steady_force(law, Motion<double>{0.0, -0.02, 3.0}), -3.0 * mu, 2.0 * epsilon));
  EXPECT_EQ(steady_force(law, Motion<double>{}), 0.0);
}

// Regularised: |v|_e = sqrt(v^2 + e) rounds the kink, steady sliding then gives v / |v|_e of the
// force.
TEST(FrBD, RegularisationMakesTheSteadyForceContinuousThroughRest) {
  FrBD<> sharp, smooth;
  smooth.regularisation = 1e-8;
  const auto steady = [](const FrBD<>& law, double v) {
    return steady_force(law, Motion<double>{0.0, v});
  };
  for (const double v : {1e-7, 1e-4, 1e-3, 0.1})
    EXPECT_TRUE(close(steady(smooth, v), steady(sharp, v) * v / std::sqrt(v * v + 1e-8), 1e-14))
        << v;
  EXPECT_LT(steady(smooth, 1e-9), 2e-5);
  EXPECT_GT(steady(sharp, 1e-9), 1.4);
  // The price: a bristle at rest relaxes instead of holding.
  EXPECT_LT(rate(smooth, 1e-4, Motion<double>{}), 0.0);
  EXPECT_EQ(rate(sharp, 1e-4, Motion<double>{}), 0.0);
}

TEST(FrBD, StiffnessAndDampingGoFromTheirValueAtRestToTheRatioAtSpeed) {
  FrBD<> law;
  law.stiffness_ratio = 0.25;
  law.damping_ratio = 4.0;
  EXPECT_EQ(law.varying(law.stiffness, law.stiffness_ratio, 0.0), 1e4);
  EXPECT_DOUBLE_EQ(law.varying(law.stiffness, law.stiffness_ratio, 1.0), 2.5e3);
  EXPECT_DOUBLE_EQ(law.varying(law.damping, law.damping_ratio, 1.0), 258.0);
  EXPECT_TRUE(close(law.varying(law.stiffness, law.stiffness_ratio, 0.01),
                    1e4 * (0.25 + 0.75 * std::exp(-1.0)), 2.0 * epsilon));
  // The steady force does not depend on either.
  const Motion<double> m{0.0, 0.02};
  EXPECT_EQ(steady_force(law, m), steady_force(FrBD<>{}, m));
}

// The dissipated power in closed form: load (mu damping v^2 + (stiffness z)^2 |v|) / g, a sum of
// squares, which is why the law is passive.
TEST(FrBD, DissipationIsASumOfSquares) {
  Random random(71);
  for (int trial = 0; trial < 1000; ++trial) {
    FrBD<> law;
    law.damping = random.log_uniform(1.0, 1000.0);
    const double z = random.uniform(-1.5e-4, 1.5e-4);
    const double v = random.sign() * random.log_uniform(1e-4, 1.0);
    const double load = random.log_uniform(0.1, 10.0);
    const auto r = respond(law, z, Motion<double>{0.0, v, load});
    const double mu = 1.0 + 0.5 * std::exp(-square(v / 0.01)) + 0.04 * std::abs(v);
    const double g = law.damping * std::abs(v) + mu;
    const double squares =
        load * (mu * law.damping * v * v + square(law.stiffness * z) * std::abs(v)) / g;
    const double terms = std::abs(r.force * v) + load * law.stiffness * std::abs(z * r.rate);
    ASSERT_TRUE(close(r.dissipation, squares, 8.0 * epsilon, terms))
        << "z = " << z << ", v = " << v;
  }
}

}  // namespace
}  // namespace bristle::frbd_test
