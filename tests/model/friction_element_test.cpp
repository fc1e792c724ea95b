// SPDX-License-Identifier: MIT
// The contract with hosts that own the time loop (solve/fixed_step.hpp).
#include <cstring>

#include "bristle/solve/fixed_step.hpp"
#include "law_suite.hpp"

namespace bristle::friction_element_test {
namespace {

using test::central_difference;
using test::Claims;
using test::close;
using test::Random;

template <class L>
class ElementOf : public ::testing::Test {};
TYPED_TEST_SUITE(ElementOf, test::StateLaws, test::LawName);

// A step that resolves the bristle at the typical speed.
template <class L>
double short_step(const L& law) {
  return 0.05 * law.state_scale() / Claims<L>::speed;
}

// An element in motion: some steps from rest up to the typical speed.
template <class L>
FrictionElement<L> moving_element(const L& law) {
  FrictionElement<L> element(law, short_step(law));
  for (int i = 1; i <= 5; ++i) element.advance(0.2 * i * Claims<L>::speed, 0.01);
  return element;
}

TYPED_TEST(ElementOf, CanBeCopiedAsBytesAndNeverThrows) {
  using Element = FrictionElement<TypeParam>;
  static_assert(std::is_trivially_copyable_v<Element>);
  static_assert(noexcept(std::declval<const Element&>().force_at(0.1)));
  static_assert(noexcept(std::declval<Element&>().advance(0.1)));
  static_assert(noexcept(std::declval<Element&>().reset()));
  static_assert(noexcept(std::declval<const Element&>().state()));
  Element original = moving_element(TypeParam{});
  Element copy(TypeParam{}, 1.0);
  std::memcpy(&copy, &original, sizeof(Element));
  for (int i = 0; i < 20; ++i) {
    const double v = Claims<TypeParam>::speed * std::cos(0.3 * i);
    copy.advance(v, 0.01);
    original.advance(v, 0.01);
    // The same steps; a compiler may round the two calls differently.
    EXPECT_TRUE(close(copy.state(), original.state(), 1e-14, TypeParam{}.state_scale()));
  }
}

TYPED_TEST(ElementOf, TrialChangesNothing) {
  const auto element = moving_element(TypeParam{});
  unsigned char before[sizeof(element)], after[sizeof(element)];
  std::memcpy(before, &element, sizeof(element));
  const auto first = element.force_at(-0.7 * Claims<TypeParam>::speed, 0.01);
  element.force_at(3.0 * Claims<TypeParam>::speed, 0.01);
  const auto again = element.force_at(-0.7 * Claims<TypeParam>::speed, 0.01);
  std::memcpy(after, &element, sizeof(element));
  EXPECT_EQ(std::memcmp(before, after, sizeof(element)), 0);
  EXPECT_EQ(first.force, again.force);
  EXPECT_EQ(first.tangent, again.tangent);
}

// Through the state at the end of the step and directly. The element was at the typical speed, so
// the velocities tried keep the direction of the middle of the step.
TYPED_TEST(ElementOf, TangentIsTheDerivativeOfTheTrialForce) {
  const TypeParam law = test::example<TypeParam>();
  const auto element = moving_element(law);
  const double speed = Claims<TypeParam>::speed;
  for (const double factor : {-0.8, -0.3, 0.1, 0.5, 1.0, 1.7, 4.0}) {
    const double v = factor * speed, h = 1e-3 * std::min(1.0, std::abs(factor)) * speed;
    const auto f = [&](double at) { return element.force_at(at, 0.01).force; };
    const double size = std::abs(f(v)) + std::abs(f(v + speed) - f(v));
    EXPECT_TRUE(
        close(element.force_at(v, 0.01).tangent, central_difference(f, v, h), 1e-8, size / speed))
        << "velocity " << v;
  }
}

TYPED_TEST(ElementOf, AdvanceCommitsWhatTheTrialFound) {
  const TypeParam law{};
  auto element = moving_element(law);
  for (const double factor : {1.2, 0.4, -0.3, -2.0}) {
    const double v = factor * Claims<TypeParam>::speed, before = element.state();
    const double tried = element.force_at(v, 0.01).force;
    const double taken = element.advance(v, 0.01);
    const double size = std::abs(tried) + std::abs(force(law, 0.0, Motion<double>{0.01, v}));
    // The trial carries derivatives, whose division rounds differently.
    EXPECT_TRUE(close(taken, tried, 1e-12, size));
    EXPECT_NE(element.state(), before);
    EXPECT_TRUE(close(taken, force(law, element.state(), Motion<double>{0.01, v}), 1e-14, size));
  }
}

// The state moves by the exact update with the mean of the velocities at the ends of the step.
TYPED_TEST(ElementOf, AdvanceUsesTheVelocityInTheMiddleOfTheStep) {
  const TypeParam law{};
  const double step = short_step(law), speed = Claims<TypeParam>::speed;
  FrictionElement<TypeParam> element(law, step);
  Random random(95);
  double z = 0.0, last = 0.0;
  for (int i = 0; i < 200; ++i) {
    const double v = random.uniform(-speed, speed);
    element.advance(v, 0.01, 2.0);
    z = advance(law, z, Motion<double>{0.01, 0.5 * (last + v), 2.0}, step);
    ASSERT_TRUE(close(element.state(), z, 1e-14, law.state_scale())) << "step " << i;
    last = v;
  }
}

TYPED_TEST(ElementOf, ResetForgetsThePast) {
  auto element = moving_element(TypeParam{});
  FrictionElement<TypeParam> fresh(TypeParam{}, short_step(TypeParam{}));
  element.reset();
  EXPECT_EQ(element.state(), 0.0);
  const double again = element.advance(1e-3, 0.01), first = fresh.advance(1e-3, 0.01);
  EXPECT_TRUE(close(again, first, 1e-14));
  element.reset(1e-6);
  EXPECT_EQ(element.state(), 1e-6);
}

}  // namespace
}  // namespace bristle::friction_element_test
