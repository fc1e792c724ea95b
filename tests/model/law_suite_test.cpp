// SPDX-License-Identifier: MIT
// The properties every law declares in law_suite.hpp: reflection, load, position, speed, bounds,
// steady sliding and stiffness from rest.
#include "law_suite.hpp"

#include <vector>

namespace bristle::law_suite_test {
namespace {

using test::Claims;
using test::close;
using test::epsilon;
using test::Random;

template <class L>
class EveryLaw : public ::testing::Test {};
TYPED_TEST_SUITE(EveryLaw, test::AllLaws, test::LawName);

template <class L>
class EveryStateLaw : public ::testing::Test {};
TYPED_TEST_SUITE(EveryStateLaw, test::StateLaws, test::LawName);

template <class L>
class EverySetLaw : public ::testing::Test {};
TYPED_TEST_SUITE(EverySetLaw, test::SetLaws, test::LawName);

// Forces along a path of equal displacements, run at the given speed: forth, half back, forth.
template <class L>
std::vector<double> forces_along_path(const L& law, double speed, double displacement) {
  std::vector<double> forces;
  double x = 0.0, z = 0.0;
  const double step = displacement / speed;
  for (int i = 0; i < 400; ++i) {
    const double v = i >= 150 && i < 250 ? -speed : speed;
    const Motion<double> middle{x + 0.5 * v * step, v};
    z = test::next_state(law, z, middle, step);
    x += v * step;
    forces.push_back(force(law, z, Motion<double>{x, v}));
  }
  return forces;
}

TYPED_TEST(EveryLaw, IsOddUnderReflectionOfStateAndMotion) {
  Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    const auto m = test::random_motion(random);
    const double z = test::random_state(random, law);
    const auto there = respond(law, z, m);
    const auto mirrored = respond(law, -z, Motion<double>{-m.position, -m.velocity, m.load});
    // To the rounding of the terms, which a compiler may fuse differently at the two places.
    const double terms = test::force_terms(law, z, m), v = std::abs(m.velocity);
    ASSERT_TRUE(close(mirrored.force, -there.force, 8.0 * epsilon, terms))
        << test::paste(law, z, m);
    ASSERT_TRUE(close(mirrored.rate, -there.rate, 8.0 * epsilon, v)) << test::paste(law, z, m);
    ASSERT_TRUE(close(mirrored.dissipation, there.dissipation, 16.0 * epsilon, terms * v))
        << test::paste(law, z, m);
  }
}

TYPED_TEST(EveryLaw, IsTheSameEverywhereOnlyIfItClaimsSo) {
  Random random(2);
  double largest = 0.0;
  for (int trial = 0; trial < 500; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    auto m = test::random_motion(random);
    // Away from its steady value, where the rate shows the curve.
    const double z = 0.5 * test::random_state(random, law);
    const double terms = test::force_terms(law, z, m);
    const auto here = respond(law, z, m);
    m.position += 0.0137;
    const auto there = respond(law, z, m);
    largest = std::max({largest, std::abs(there.force - here.force) / terms,
                        std::abs(there.rate - here.rate) / std::abs(m.velocity)});
  }
  if (Claims<TypeParam>::uniform) EXPECT_LE(largest, 8.0 * epsilon);
  else EXPECT_GT(largest, 0.05) << "the law should depend on the position";
}

TYPED_TEST(EveryLaw, IsProportionalToTheLoadOnlyIfItClaimsSo) {
  Random random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    auto m = test::random_motion(random);
    const double z = test::random_state(random, law);
    const double once = force(law, z, m);
    m.load *= 2.0;
    const double factor = Claims<TypeParam>::load_proportional ? 2.0 : 1.0;
    ASSERT_TRUE(close(force(law, z, m), factor * once, 8.0 * epsilon, test::force_terms(law, z, m)))
        << test::paste(law, z, m);
  }
}

// Ten times the speed over the same path. The claim is exact up to the rounding of the steps;
// without it the force must differ by a tenth somewhere.
TYPED_TEST(EveryLaw, IsRateIndependentOnlyIfItClaimsSo) {
  const TypeParam law = test::example<TypeParam>();
  double displacement = 1e-6;
  if constexpr (StateLaw<TypeParam>) displacement = 0.05 * law.state_scale();
  const double speed = 0.3 * Claims<TypeParam>::speed;
  const auto slow = forces_along_path(law, speed, displacement);
  const auto fast = forces_along_path(law, 10.0 * speed, displacement);
  double largest = 0.0, size = 0.0;
  for (std::size_t i = 0; i < slow.size(); ++i) {
    largest = std::max(largest, std::abs(fast[i] - slow[i]));
    size = std::max(size, std::abs(slow[i]));
  }
  if (Claims<TypeParam>::rate_independent) EXPECT_LE(largest, 1e-12 * size);
  else EXPECT_GT(largest, 0.1 * size) << "the force should depend on the speed";
}

// Random velocities and steps over many decades, most of them far too long to resolve the bristle.
TYPED_TEST(EveryStateLaw, KeepsItsStateBoundedAtAnyStep) {
  Random random(4);
  const double fastest = 10.0;
  for (int trial = 0; trial < 100; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    const double bound = Claims<TypeParam>::bound(law, fastest) * (1.0 + 4.0 * epsilon);
    double z = test::random_state(random, law, fastest);
    for (int i = 0; i < 1000; ++i) {
      const auto m = test::random_motion(random, fastest);
      const double step = random.log_uniform(1e-7, 1.0);
      const double before = z;
      z = advance(law, z, m, step);
      ASSERT_LE(std::abs(z), bound) << test::paste(law, before, m) << " step = " << words(step);
    }
  }
}

TYPED_TEST(EveryStateLaw, SlidingAtConstantVelocityEndsOnTheSteadyCurve) {
  const TypeParam law = test::example<TypeParam>();
  for (const double factor : {0.1, 0.5, 1.0, 3.0, 30.0}) {
    for (const double direction : {1.0, -1.0}) {
      const double v = direction * factor * Claims<TypeParam>::speed;
      // Five hundred deflections of the bristle, more than thirty of the longest relaxation (FrBD
      // at speed), in short steps that end in the middle of a tooth.
      const double step = 0.1 * law.state_scale() / std::abs(v);
      double x = direction * 0.025 - 5000.0 * v * step, z = 0.0;
      for (int i = 0; i < 5000; ++i) {
        z = advance(law, z, Motion<double>{x + 0.5 * v * step, v}, step);
        x += v * step;
      }
      const Motion<double> end{x, v};
      EXPECT_TRUE(
          close(force(law, z, end), steady_force(law, end), Claims<TypeParam>::steady_tolerance))
          << test::paste(law, z, end);
    }
  }
}

TYPED_TEST(EveryStateLaw, RatesVanishOnTheSteadyCurveAndNowhereElse) {
  const TypeParam law = test::example<TypeParam>();
  const Motion<double> m{0.01, Claims<TypeParam>::speed};
  // The state at which the bristle stands still lies between zero and the bound, once.
  double low = 0.0, high = Claims<TypeParam>::bound(law, m.velocity) * (1.0 + 1e-12);
  EXPECT_GT(rate(law, low, m), 0.0);
  EXPECT_LE(rate(law, high, m), 0.0);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (rate(law, middle, m) > 0.0 ? low : high) = middle;
  }
  // Slip of the reset integrator begins at the bound itself, beyond its last stick force.
  EXPECT_TRUE(close(force(law, high, m), steady_force(law, m), 1e-12)) << test::paste(law, high, m);
}

// From rest a law is a spring: dF/dx = dF/dz dz/dx as the velocity vanishes. What is left of the
// damping at v = 1e-12 m/s is below 1e-8 of the stiffness.
TYPED_TEST(EveryStateLaw, IsASpringOfTheGivenStiffnessForSmallMotion) {
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    for (const double v : {1e-12, -1e-12}) {
      const Motion<double> m{0.0, v};
      const double dz_dx = rate(law, 0.0, m) / v;
      const auto df_dz = force(law, variable<1>(0.0, 0), Motion<Dual<double, 1>>{0.0, v, 1.0, 0.0});
      ASSERT_TRUE(close(df_dz.slope[0] * dz_dx, Claims<TypeParam>::stiffness(law), 1e-8))
          << test::paste(law, 0.0, m);
    }
  }
}

TYPED_TEST(EveryStateLaw, KeepsItsStateAtRest) {
  const TypeParam law = test::example<TypeParam>();
  const double z = 0.7 * law.state_scale();
  const Motion<double> rest{0.013, 0.0};
  EXPECT_EQ(rate(law, z, rest), 0.0);
  EXPECT_EQ(advance(law, z, rest, 10.0), z);
}

// At rest the interval is symmetric and holds the forces at which sliding begins either way.
TYPED_TEST(EverySetLaw, HasAnIntervalAtRestThatHoldsTheForcesOfVanishingSpeed) {
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    const auto interval = law.limits(Motion<double>{});
    EXPECT_EQ(interval.lower, -interval.upper);
    for (const double v : {1e-12, -1e-12}) {
      const double slipping = force(law, 0.0, Motion<double>{0.0, v});
      ASSERT_GE(slipping, interval.lower * (1.0 + 1e-9)) << test::paste(law, 0.0, {0.0, v});
      ASSERT_LE(slipping, interval.upper * (1.0 + 1e-9)) << test::paste(law, 0.0, {0.0, v});
    }
    // A body at rest feels no force of the sliding law: the solver takes one from the interval.
    EXPECT_EQ(force(law, 0.0, Motion<double>{}), 0.0);
  }
}

}  // namespace
}  // namespace bristle::law_suite_test
