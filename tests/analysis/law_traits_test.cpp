// SPDX-License-Identifier: MIT
#include "bristle/analysis/law_traits.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/registry.hpp"

namespace bristle::law_traits_test {
namespace {

TEST(LawTraits, CoulombIsRigidAndRestsExactly) {
  const LawTraits t = law_traits(make_law("coulomb"));
  EXPECT_DOUBLE_EQ(t.break_away, 1.0);
  EXPECT_FALSE(t.stribeck());
  EXPECT_TRUE(std::isinf(t.stiffness));
  EXPECT_TRUE(t.rests_exactly());
  EXPECT_EQ(t.drift, 0.0);
  EXPECT_EQ(t.stick_slip, StickSlip::none);
  EXPECT_EQ(t.map.rate_dependent, Answer::no);
  EXPECT_EQ(t.passivity.kind, Certificate::always);
  EXPECT_TRUE(t.continuity->discontinuous());
}

TEST(LawTraits, LuGreFallsYieldsDriftsAndIsPassiveOnlyWhenSlow) {
  const LawTraits t = law_traits(make_law("lugre"));
  EXPECT_NEAR(t.fall, 1.0 / 3.0, 0.01);
  // Half of a Gaussian fall is done at sqrt(ln 2) of the Stribeck velocity.
  EXPECT_NEAR(t.fall_speed, 0.001 * std::sqrt(std::log(2.0)), 1e-4);
  EXPECT_NEAR(t.stiffness, 1e5, 1e3);
  EXPECT_TRUE(t.rests());
  EXPECT_FALSE(t.rests_exactly());
  EXPECT_TRUE(t.drifts());
  EXPECT_EQ(t.stick_slip, StickSlip::exact);
  EXPECT_EQ(t.map.rate_dependent, Answer::yes);
  EXPECT_EQ(t.map.local_memory, Answer::yes);
  EXPECT_TRUE(t.continuity->lipschitz());
  EXPECT_EQ(t.passivity.kind, Certificate::below);
}

TEST(LawTraits, TheElasticRangeOfElastoPlasticBristlesStopsTheDrift) {
  EXPECT_FALSE(law_traits(make_law("elasto_plastic")).drifts());
}

TEST(LawTraits, DahlHasNoStribeckEffectAndIsRateIndependent) {
  const LawTraits t = law_traits(make_law("dahl"));
  EXPECT_FALSE(t.stribeck());
  EXPECT_EQ(t.map.rate_dependent, Answer::no);
  EXPECT_EQ(t.passivity.kind, Certificate::always);
}

TEST(LawTraits, RowsOfBristlesDependOnThePosition) {
  for (const char* name : {"sawtooth", "drbm"}) {
    const LawTraits t = law_traits(make_law(name));
    EXPECT_TRUE(t.by_position) << name;
    EXPECT_TRUE(t.rests_exactly()) << name;
    EXPECT_EQ(t.map.rate_dependent, Answer::no) << name;
  }
}

TEST(LawTraits, CompressedBristlesFallOnlyAsTheBodyRises) {
  const LawTraits t = law_traits(make_law("compressed_bristle"));
  EXPECT_FALSE(t.stribeck());
  EXPECT_TRUE(t.falls_with_height()) << t.with_height;
}

}  // namespace
}  // namespace bristle::law_traits_test
