// SPDX-License-Identifier: MIT
// One body of equations for every scalar: float and Dual agree with double.
#include "law_suite.hpp"

namespace bristle::scalar_agreement_test {
namespace {

using test::central_difference;
using test::Claims;
using test::close;
using test::Random;

template <class L>
class EquationsOf : public ::testing::Test {};
TYPED_TEST_SUITE(EquationsOf, test::AllLaws, test::LawName);

template <class L>
class AdvanceOf : public ::testing::Test {};
TYPED_TEST_SUITE(AdvanceOf, test::StateLaws, test::LawName);

// Float carries 6e-8; squaring a speed of ten times the Stribeck velocity in an exponent, and the
// position within a tooth, cost two more digits.
TYPED_TEST(EquationsOf, AgreeInFloatAndDouble) {
  Random random(31);
  int tried = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    const auto m = test::random_motion(random, 10.0 * Claims<TypeParam>::speed);
    const double z = test::random_state(random, law);
    if (!test::smooth(law, z, z, m)) continue;
    ++tried;
    const Motion<float> narrow{float(m.position), float(m.velocity), float(m.load), 0.0f};
    const auto wide = respond(law, z, m);
    const auto r = respond(test::converted<float>(law), float(z), narrow);
    const double rate_terms = std::abs(wide.rate) + std::abs(m.velocity);
    ASSERT_TRUE(close(r.force, wide.force, 1e-5, test::force_terms(law, z, m)))
        << test::paste(law, z, m);
    ASSERT_TRUE(close(r.rate, wide.rate, 1e-5, rate_terms)) << test::paste(law, z, m);
  }
  EXPECT_GT(tried, 1000);
}

// Rate, force and dissipation by state, velocity and position. Steps of 2e-4 leave 1e-9 of the size
// of the terms for the steepest curves (exponent 6), far less for the others.
TYPED_TEST(EquationsOf, HaveExactDerivativesInStateVelocityAndPosition) {
  using D = Dual<double, 3>;
  Random random(32);
  int tried = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    const double speed = Claims<TypeParam>::speed;
    Motion<double> m = test::random_motion(random);
    m.velocity = random.sign() * random.log_uniform(0.03 * speed, 3.0 * speed);
    const double z = test::random_state(random, law, 3.0 * speed);
    const double z_size = StateLaw<TypeParam> ? std::abs(z) : 1.0;
    const double dz = 2e-4 * z_size, dv = 2e-4 * std::abs(m.velocity), dx = 1e-5;
    if (!test::smooth(law, z, z, m)) continue;
    ++tried;
    const Motion<D> motion{variable<3>(m.position, 2), variable<3>(m.velocity, 1), m.load, m.time};
    const auto exact = respond(law, variable<3>(z, 0), motion);
    const auto compare = [&](auto member, auto exact_member, double least) {
      const auto by_state = [&](double at) { return respond(law, at, m).*member; };
      const auto by_velocity = [&](double at) {
        return respond(law, z, Motion<double>{m.position, at, m.load}).*member;
      };
      const auto by_position = [&](double at) {
        return respond(law, z, Motion<double>{at, m.velocity, m.load}).*member;
      };
      const auto& e = exact.*exact_member;
      const double size = least + std::abs(by_state(z)) + std::abs(by_velocity(2.0 * m.velocity)) +
                          std::abs(by_state(0.0));
      EXPECT_TRUE(close(e.slope[0], central_difference(by_state, z, dz), 1e-9, size / z_size));
      EXPECT_TRUE(close(e.slope[1], central_difference(by_velocity, m.velocity, dv), 1e-9,
                        size / std::abs(m.velocity)));
      EXPECT_TRUE(
          close(e.slope[2], central_difference(by_position, m.position, dx), 1e-9, size / 0.01));
    };
    compare(&Response<double>::rate, &Response<D>::rate, 0.0);
    compare(&Response<double>::force, &Response<D>::force, 0.0);
    // The dissipation is a difference of powers of the size of force times velocity.
    compare(&Response<double>::dissipation, &Response<D>::dissipation,
            std::abs(exact.force.value * m.velocity));
    ASSERT_FALSE(this->HasFailure()) << test::paste(law, z, m);
  }
  EXPECT_GT(tried, 500);
}

TYPED_TEST(EquationsOf, HaveASteadyCurveWithExactDerivatives) {
  using D = Dual<double, 1>;
  const TypeParam law = test::example<TypeParam>();
  for (const double factor : {0.1, 0.5, 1.0, 2.0}) {
    const double v = -factor * Claims<TypeParam>::speed;
    const auto curve = [&](double at) { return steady_force(law, Motion<double>{0.01, at}); };
    const D exact = steady_force(law, Motion<D>{0.01, variable<1>(v, 0), 1.0, 0.0});
    EXPECT_EQ(exact.value, curve(v));
    EXPECT_TRUE(close(exact.slope[0], central_difference(curve, v, 1e-3 * std::abs(v)), 1e-9,
                      std::abs(curve(v) / v)))
        << v;
  }
}

// The update is differentiated through its own formula, by state, velocity and step.
TYPED_TEST(AdvanceOf, HasExactDerivatives) {
  using D = Dual<double, 3>;
  Random random(33);
  int tried = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    const double speed = Claims<TypeParam>::speed;
    const auto m = test::random_motion(random);
    const double v = random.sign() * random.log_uniform(0.03 * speed, 3.0 * speed);
    const double z = 0.5 * test::random_state(random, law, 3.0 * speed);
    const double step = random.uniform(0.02, 0.1) * law.state_scale() / std::abs(v);
    const double dz = 2e-4 * std::abs(z), size = std::abs(z) + std::abs(v * step);
    const auto next = [&](double z_at, double v_at, double step_at) {
      return advance(law, z_at, Motion<double>{m.position, v_at, m.load}, step_at);
    };
    if (!test::smooth(law, z, next(z, v, step), {m.position, v})) continue;
    ++tried;
    const D exact =
        advance(law, variable<3>(z, 0), Motion<D>{m.position, variable<3>(v, 1), m.load, 0.0},
                variable<3>(step, 2));
    const auto by_state = [&](double at) { return next(at, v, step); };
    const auto by_velocity = [&](double at) { return next(z, at, step); };
    const auto by_step = [&](double at) { return next(z, v, at); };
    // 1 - exp(-x) amplifies the rounding of the two ways to divide by up to 1 / 0.01.
    EXPECT_TRUE(close(exact.value, next(z, v, step), 100.0 * test::epsilon, size));
    EXPECT_TRUE(
        close(exact.slope[0], central_difference(by_state, z, dz), 1e-9, size / std::abs(z)));
    EXPECT_TRUE(close(exact.slope[1], central_difference(by_velocity, v, 2e-4 * std::abs(v)), 1e-9,
                      size / std::abs(v)));
    EXPECT_TRUE(
        close(exact.slope[2], central_difference(by_step, step, 2e-4 * step), 1e-9, size / step));
    ASSERT_FALSE(this->HasFailure()) << test::paste(law, z, {m.position, v}) << step;
  }
  EXPECT_GT(tried, 100);
}

}  // namespace
}  // namespace bristle::scalar_agreement_test
