// SPDX-License-Identifier: MIT
#include "bristle/analysis/continuity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/registry.hpp"
#include "bristle/system/registry.hpp"

namespace bristle::continuity_test {
namespace {

double power(double x, double exponent) {
  return std::copysign(std::pow(std::abs(x), exponent), x);
}

TEST(Continuity, DistinguishesAJumpARootAndASmoothFunction) {
  const auto step = continuity([](double x) { return x < 0.31 ? 0.0 : 1.0; }, -1.0, 1.0);
  EXPECT_EQ(words(step), "discontinuous");
  EXPECT_NEAR(step.place, 0.31, 1e-6);
  EXPECT_EQ(words(continuity([](double x) { return std::sqrt(std::abs(x)); }, -1.0, 1.0)),
            "continuous but not Lipschitz");
  EXPECT_EQ(words(continuity([](double x) { return std::abs(x); }, -1.0, 1.0)), "Lipschitz");
  EXPECT_EQ(words(continuity([](double x) { return std::sin(3.0 * x); }, -1.0, 1.0)), "Lipschitz");
  EXPECT_EQ(words(continuity([](double) { return 2.0; }, -1.0, 1.0)), "Lipschitz");
}

TEST(Continuity, MeasuresTheExponentOfARootWhereverItIs) {
  for (const double exponent : {0.1, 0.25, 0.5, 0.75, 0.9})
    for (const double place : {-0.7123, 0.0, 0.4001})
      EXPECT_NEAR(
          continuity([&](double x) { return power(x - place, exponent); }, -1.0, 1.0).exponent,
          exponent, 0.01)
          << exponent << " at " << place;
}

TEST(Continuity, OfDahlIsItsExponentUpToOne) {
  for (const double exponent : {0.0, 0.25, 0.5, 1.0, 1.5, 2.0}) {
    const auto law = make_law("dahl", {{"exponent", exponent}});
    EXPECT_NEAR(continuity(*law)->exponent, std::min(exponent, 1.0), 0.01) << exponent;
  }
}

TEST(Continuity, OfLawsIsThatOfTheThesis) {
  EXPECT_EQ(words(*continuity(*make_law("coulomb"))), "discontinuous");
  EXPECT_EQ(words(*continuity(*make_law("lugre"))), "Lipschitz");
  EXPECT_EQ(words(*continuity(*make_law("reset_integrator"))), "discontinuous");
}

TEST(Continuity, OfMaxwellSlipJumpsWhereTheSliderBeginsToMove) {
  const auto slip =
      continuity(*make_system("maxwell_slip", {{"thresholds", std::vector{1.0, 3.0}},
                                               {"stiffnesses", std::vector{2.0, 4.0}}}));
  ASSERT_TRUE(slip);
  EXPECT_TRUE(slip->discontinuous());
  EXPECT_NEAR(slip->place, -1.0, 1e-5);
}

TEST(Continuity, IsNotAskedOfSystemsWithoutPlays) {
  EXPECT_FALSE(continuity(*make_system("cubic")));
  EXPECT_FALSE(continuity(*make_system("preisach")));
}

}  // namespace
}  // namespace bristle::continuity_test
