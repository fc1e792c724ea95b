// SPDX-License-Identifier: MIT
#include "bristle/model/bouc_wen.hpp"

#include "bristle/model/advance.hpp"
#include "bristle/model/dahl.hpp"
#include "close.hpp"

namespace bristle::bouc_wen_test {
namespace {

using test::close;

// dz/dx at a state, on the way up or down.
double slope(const BoucWen<>& law, double z, double direction) {
  return direction * rate(law, z, Motion<double>{0.0, direction});
}

BoucWen<> soft() { return {.stiffness = 2.0, .beta = 1.5, .gamma = -0.5, .exponent = 2.0}; }

TEST(BoucWen, OfExponentOneWithoutGammaIsDahlsLaw) {
  const BoucWen<> law{.stiffness = 1e5, .beta = 1e5, .gamma = 0.0};
  const Dahl<> dahl;
  for (const double z : {-9e-6, -2e-6, 0.0, 1e-6, 8e-6})
    for (const double v : {-0.1, 2e-4, 3.0}) {
      const Motion<double> m{0.0, v};
      EXPECT_TRUE(close(rate(law, z, m), rate(dahl, z, m), 1e-14, std::abs(v)));
      EXPECT_TRUE(close(force(law, z, m), force(dahl, z, m), 1e-15, 1.0));
    }
}

// With n = 2 and gamma = 0: z = z_s tanh(x / z_s) on the way up from z = 0.
TEST(BoucWen, OfExponentTwoIsAHyperbolicTangent) {
  const BoucWen<> law{.stiffness = 1.0, .beta = 4.0, .gamma = 0.0, .exponent = 2.0};
  const Motion<double> m{0.0, 1.0};
  double z = 0.0;
  const int parts = 4000;
  for (int i = 0; i < parts; ++i) z = advance(law, z, m, 1.0 / parts);
  EXPECT_NEAR(z, 0.5 * std::tanh(1.0 / 0.5), 1e-7);
}

TEST(BoucWen, WithGammaEqualToBetaUnloadsWithTheSlopeRise) {
  BoucWen<> law = soft();
  law.rise = 0.8;
  law.gamma = law.beta;
  for (const double z : {0.1, 0.3, 0.5}) EXPECT_NEAR(slope(law, z, -1.0), 0.8, 1e-15);
  law.gamma = 0.5 * law.beta;
  for (const double z : {0.1, 0.3, 0.5}) EXPECT_GT(slope(law, z, -1.0), 0.8);
}

TEST(BoucWen, SlidesAtItsSaturation) {
  const BoucWen<> law = soft();
  EXPECT_DOUBLE_EQ(law.saturation(), 1.0);
  EXPECT_NEAR(slope(law, law.saturation(), 1.0), 0.0, 1e-15);
  EXPECT_DOUBLE_EQ(steady_force(law, Motion<double>{0.0, -0.3}), -2.0);
}

TEST(BoucWen, KeepsItsStateBoundedAtAnyStep) {
  for (const double exponent : {1.0, 1.7, 4.0, 60.0})
    for (const double step : {1e-3, 0.7, 1e6}) {
      BoucWen<> law = soft();
      law.exponent = exponent;
      double z = -0.9 * law.saturation();
      for (int i = 0; i < 9; ++i) {
        z = advance(law, z, Motion<double>{0.0, i % 3 ? 1.0 : -2.0}, step);
        EXPECT_LE(std::abs(z), law.saturation() * (1.0 + 1e-15)) << exponent << " " << step;
      }
    }
}

// A small loop on the way up does not come back to where it left: the state drifts.
TEST(BoucWen, DoesNotRememberItsTurningPoints) {
  const BoucWen<> law = soft();
  const auto move = [&](double& z, double way) {
    for (int i = 0; i < 20000; ++i)
      z = advance(law, z, Motion<double>{0.0, way < 0.0 ? -1.0 : 1.0}, std::abs(way) / 20000);
  };
  double z = 0.0;
  move(z, 0.6);
  const double left = z;
  move(z, -0.2);
  move(z, 0.2);
  EXPECT_GT(std::abs(z - left), 1e-3);
}

TEST(BoucWen, RefusesAGammaThatGivesEnergyAway) {
  for (const double gamma : {-1.5, 1.6, -2.0}) {
    BoucWen<> law = soft();
    law.gamma = gamma;
    EXPECT_THROW(validate(law), InvalidInput) << gamma;
  }
  BoucWen<> law = soft();
  law.gamma = law.beta;
  EXPECT_NO_THROW(validate(law));
}

}  // namespace
}  // namespace bristle::bouc_wen_test
