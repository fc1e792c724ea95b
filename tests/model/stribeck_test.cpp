// SPDX-License-Identifier: MIT
#include "bristle/model/stribeck.hpp"

#include <gtest/gtest.h>

#include "bristle/model/coulomb.hpp"

namespace bristle::stribeck_test {
namespace {

// Hysteretic effects (3.2)-(3.7): load 35 N, f_S = 0.32, f_C = 0.25, v_S = 0.02 m/s.
Stribeck<> loaded_law(Stribeck<>::Curve curve) {
  Stribeck<> law;
  law.curve = curve;
  law.coulomb_force = 35.0 * 0.25;
  law.static_force = 35.0 * 0.32;
  law.stribeck_velocity = 0.02;
  return law;
}

double force_at(const Stribeck<>& law, double v) { return force(law, 0.0, Motion<double>{0.0, v}); }

// Forces at v = 0.05 m/s; independent reference computation, given to 1e-9 N.
TEST(Stribeck, CurvesHaveTheirPublishedForces) {
  // oracle: curves.stribeck.exponential
  EXPECT_NEAR(force_at(loaded_law(Stribeck<>::exponential), 0.05), 8.951108247, 5e-10);
  // oracle: curves.stribeck.gaussian
  EXPECT_NEAR(force_at(loaded_law(Stribeck<>::gaussian), 0.05), 8.754729613, 5e-10);
  // oracle: curves.stribeck.lorentzian
  EXPECT_NEAR(force_at(loaded_law(Stribeck<>::lorentzian), 0.05), 9.087931034, 5e-10);
  // Popp-Stelter with falling 10 s/m and rising 1 s^2/m^2 times the load.
  Stribeck<> popp = loaded_law(Stribeck<>::popp_stelter);
  popp.falling = 10.0;
  popp.rising = 35.0;
  EXPECT_NEAR(force_at(popp, 0.05), 10.470833333, 5e-10);  // oracle: curves.stribeck.popp_stelter
}

TEST(Stribeck, GeneralisedCurveContainsExponentialAndGaussian) {
  Stribeck<> general = loaded_law(Stribeck<>::generalised);
  for (const double v : {-0.3, -0.02, 1e-4, 0.01, 0.05}) {
    general.exponent = 1.0;
    general.decay = 1.0 / 0.02;
    EXPECT_DOUBLE_EQ(force_at(general, v), force_at(loaded_law(Stribeck<>::exponential), v));
    general.exponent = 2.0;
    general.decay = 1.0 / (0.02 * 0.02);
    EXPECT_DOUBLE_EQ(force_at(general, v), force_at(loaded_law(Stribeck<>::gaussian), v));
  }
}

TEST(Stribeck, EveryCurveFallsFromTheStaticToTheCoulombForce) {
  for (int curve = 0; curve < int(Stribeck<>::curves.size()); ++curve) {
    const Stribeck<> law = loaded_law(Stribeck<>::Curve(curve));
    EXPECT_NEAR(force_at(law, 1e-12), law.static_force, 1e-8) << Stribeck<>::curves[curve];
    EXPECT_NEAR(force_at(law, 1e9), law.coulomb_force, 1e-8) << Stribeck<>::curves[curve];
    for (double v = 1e-4; v < 1.0; v *= 1.5)
      EXPECT_LE(force_at(law, 1.5 * v), force_at(law, v)) << Stribeck<>::curves[curve] << " " << v;
  }
}

TEST(Stribeck, ViscousPartGrowsWithTheVelocity) {
  Stribeck<> law = loaded_law(Stribeck<>::gaussian);
  const double without = force_at(law, -0.5);
  law.viscous = 3.0;
  EXPECT_DOUBLE_EQ(force_at(law, -0.5), without - 1.5);
}

TEST(Stribeck, WithEqualForcesIsCoulomb) {
  Coulomb<> coulomb;
  coulomb.coulomb_force = 8.75;
  for (int curve = 0; curve < int(Stribeck<>::curves.size()); ++curve) {
    Stribeck<> law = loaded_law(Stribeck<>::Curve(curve));
    law.static_force = law.coulomb_force;
    for (const double v : {-0.3, 1e-9, 0.05})
      EXPECT_EQ(force_at(law, v), force(coulomb, 0.0, Motion<double>{0.0, v}));
  }
}

}  // namespace
}  // namespace bristle::stribeck_test
