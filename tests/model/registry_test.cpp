// SPDX-License-Identifier: MIT
// The list of laws and laws chosen at run time.
#include "bristle/model/registry.hpp"

#include <set>

#include "bristle/model/erase.hpp"
#include "law_suite.hpp"

namespace bristle::registry_test {
namespace {

using test::Claims;
using test::close;
using test::epsilon;
using test::Random;

template <class L>
class RegisteredLaw : public ::testing::Test {};
TYPED_TEST_SUITE(RegisteredLaw, test::AllLaws, test::LawName);

TEST(Registry, ListsEachLawOnce) {
  std::set<std::string> names;
  for (const auto& entry : laws()) EXPECT_TRUE(names.insert(entry.description.name).second);
  EXPECT_EQ(names.size(), laws().size());
}

TEST(Registry, RefusesAnUnknownLawWithTheNearestOne) {
  try {
    find_law("lugree");
    FAIL() << "there is no such law";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field, "name");
    const std::string said = error.what();
    EXPECT_EQ(said.rfind("there is no model 'lugree', did you mean 'lugre'? (models: ", 0), 0u)
        << said;
    for (const auto& entry : laws())
      EXPECT_NE(said.find(entry.description.name), std::string::npos) << said;
  }
  EXPECT_THROW(make_law("quantum"), InvalidInput);
  EXPECT_THROW(make_law(""), InvalidInput);
}

TEST(Registry, PassesOnTheRefusalOfTheLaw) {
  EXPECT_THROW(make_law("lugre", {{"stiffness", 0.0}}), InvalidInput);
  EXPECT_THROW(make_law("lugre", {{"stifness", 1.0}}), InvalidInput);
}

TYPED_TEST(RegisteredLaw, IsFoundByItsName) {
  const LawEntry& entry = find_law(TypeParam::name);
  EXPECT_EQ(entry.description.summary, TypeParam::summary);
  EXPECT_EQ(entry.set_valued, SetLaw<TypeParam>);
  const auto law = make_law(TypeParam::name);
  EXPECT_EQ(law->name(), TypeParam::name);
  EXPECT_EQ(law->values(), values_of(TypeParam{}));
  EXPECT_EQ(law->set_valued(), SetLaw<TypeParam>);
}

// Behind the virtual call the numbers are the same, to the rounding of terms that may be fused.
TYPED_TEST(RegisteredLaw, AnswersAsTheLawItself) {
  Random random(91);
  for (int trial = 0; trial < 300; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    const auto any = find_law(TypeParam::name).make(values_of(law));
    const auto m = test::random_motion(random, 10.0 * Claims<TypeParam>::speed);
    const double z = test::random_state(random, law);
    const auto branch = branch_of(law, z, m);
    const auto direct = respond(law, z, m);
    const auto erased = any->respond(z, m, branch);
    const double terms = test::force_terms(law, z, m), v = std::abs(m.velocity);
    ASSERT_TRUE(close(erased.rate, direct.rate, 8.0 * epsilon, v)) << test::paste(law, z, m);
    ASSERT_TRUE(close(erased.force, direct.force, 8.0 * epsilon, terms)) << test::paste(law, z, m);
    ASSERT_TRUE(close(erased.dissipation, direct.dissipation, 16.0 * epsilon, terms * v))
        << test::paste(law, z, m);
    ASSERT_TRUE(close(any->steady(m), steady_force(law, m), 4.0 * epsilon));
    EXPECT_EQ(any->engage(z, m, branch.direction, {}).cell, branch.cell);
    EXPECT_EQ(any->stored(z, m, branch), test::stored_energy(law, z, m));
    if constexpr (StateLaw<TypeParam>) {
      EXPECT_EQ(any->state_scale(), law.state_scale());
      ASSERT_TRUE(close(any->advance(z, m, 1e-3), advance(law, z, m, 1e-3), 50.0 * epsilon,
                        law.state_scale()));
      EXPECT_EQ(any->by_displacement(), DisplacementLaw<TypeParam>);
      if constexpr (DisplacementLaw<TypeParam>) {
        const double far = 0.3 * law.state_scale();
        ASSERT_TRUE(close(any->displaced(z, far), law.advance(z, far), 50.0 * epsilon, far));
      }
    } else {
      EXPECT_EQ(any->limits(m).upper, law.limits(m).upper);
      EXPECT_EQ(any->limits(m).lower, law.limits(m).lower);
    }
  }
}

// The derivative with respect to K variables by the chain rule over the three local ones; the
// products are added in another order, hence a few units of rounding.
TYPED_TEST(RegisteredLaw, CarriesDerivativesThroughTheVirtualCall) {
  using D = Dual<double, 4>;
  Random random(92);
  for (int trial = 0; trial < 200; ++trial) {
    const TypeParam law = test::random_law<TypeParam>(random);
    const auto any = erase(law);
    const auto m = test::random_motion(random, 10.0 * Claims<TypeParam>::speed);
    const double z = test::random_state(random, law);
    const auto moving = [&](double value) {
      D x(value);
      for (auto& slope : x.slope) slope = value * random.uniform(-1.0, 1.0);
      return x;
    };
    const D state = moving(z);
    const Motion<D> motion{moving(m.position), moving(m.velocity), moving(m.load), D(0.0)};
    const auto direct = respond(law, state, motion);
    const auto erased = any->template respond<4>(state, motion, branch_of(law, z, m));
    const auto size =
        respond(law, variable<5>(z, 0),
                Motion<LocalDual>{variable<5>(m.position, 1), variable<5>(m.velocity, 2),
                                  variable<5>(m.load, 3), LocalDual(0.0)});
    const double terms = std::abs(size.force.slope[0] * z) +
                         std::abs(size.force.slope[1] * m.position) +
                         std::abs(size.force.slope[2] * m.velocity) +
                         std::abs(size.force.slope[3] * m.load) + std::abs(size.force.value);
    EXPECT_TRUE(close(erased.force.value, direct.force.value, 1e-13, terms));
    for (int i = 0; i < 4; ++i)
      ASSERT_TRUE(close(erased.force.slope[i], direct.force.slope[i], 1e-13, terms))
          << test::paste(law, z, m);
  }
}

TYPED_TEST(RegisteredLaw, HasAForceScaleOfTheSizeOfItsBreakAway) {
  const auto any = erase(TypeParam{});
  const double scale = any->force_scale(1.0);
  EXPECT_GE(scale, 0.5);
  EXPECT_LE(scale, 2.0);
}

TEST(Erase, RefusesAnInvalidLaw) {
  LuGre<> law;
  law.stiffness = -1.0;
  EXPECT_THROW(erase(law), InvalidInput);
}

}  // namespace
}  // namespace bristle::registry_test
