// SPDX-License-Identifier: MIT
#include "bristle/model/bias.hpp"

#include <gtest/gtest.h>

#include "bristle/model/load_dependence.hpp"
#include "bristle/model/registry.hpp"

namespace bristle::bias_test {
namespace {

TEST(Bias, AddsAConstantAndAFactorBetweenTheDirections) {
  const auto plain = make_law("lugre");
  const auto law = biased(plain, {.offset = 0.5, .asymmetry = 0.2});
  for (const double v : {-0.3, 1e-4, 0.2}) {
    const Motion<double> m{0.0, v, 1.0, 0.0};
    const double f = plain->steady(m);
    EXPECT_DOUBLE_EQ(law->steady(m), 0.5 + f * (f > 0.0 ? 1.2 : 0.8));
    const Branch<> b{v > 0.0 ? 1.0 : -1.0, 0.0};
    const auto own = plain->respond(3e-6, m, b), with = law->respond(3e-6, m, b);
    EXPECT_DOUBLE_EQ(with.rate, own.rate);
    EXPECT_DOUBLE_EQ(with.dissipation - own.dissipation, (with.force - own.force) * v);
  }
  EXPECT_EQ(law->name(), "lugre");
  EXPECT_EQ(law->values(), plain->values());
}

TEST(Bias, MovesTheLimitsAtRest) {
  const Motion<double> rest{0.0, 0.0, 1.0, 0.0};
  const auto plain = make_law("coulomb")->limits(rest);
  const auto with = biased(make_law("coulomb"), {.offset = 0.1, .asymmetry = -0.5})->limits(rest);
  EXPECT_DOUBLE_EQ(with.lower, 0.1 + 1.5 * plain.lower);
  EXPECT_DOUBLE_EQ(with.upper, 0.1 + 0.5 * plain.upper);
}

TEST(Bias, IsRefusedOutOfRangeAndForLawsThatLift) {
  EXPECT_THROW(biased(make_law("dahl"), {.asymmetry = 1.5}), InvalidInput);
  for (const auto& law : laws())
    if (law.make({})->lift()) {
      EXPECT_THROW(biased(law.make({}), {}), InvalidInput);
    }
}

TEST(LoadDependence, IsFoundByTrying) {
  EXPECT_TRUE(depends_on_load("frbd"));
  EXPECT_FALSE(depends_on_load("dahl"));
  EXPECT_FALSE(depends_on_load("lugre"));
  EXPECT_FALSE(depends_on_load("coulomb"));
  EXPECT_THROW(depends_on_load("dhal"), InvalidInput);
}

}  // namespace
}  // namespace bristle::bias_test
