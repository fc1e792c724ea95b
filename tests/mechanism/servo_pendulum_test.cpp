// SPDX-License-Identifier: MIT
#include "bristle/mechanism/servo_pendulum.hpp"

#include "bristle/model/coulomb.hpp"
#include "close.hpp"

namespace bristle {
namespace {

TEST(ServoPendulum, DutyFollowsTheErrorUpToTheSupply) {
  const ServoPendulum<> p;
  EXPECT_NEAR(p.duty(400.0, 0.5, 0.4), 400.0 * 0.1 * 0.0028773775, 1e-9);
  EXPECT_EQ(p.duty(800.0, 2.0, 0.0), 1.0);
  EXPECT_EQ(p.duty(800.0, -2.0, 0.0), -1.0);
}

TEST(ServoPendulum, MotorStallsAndRunsFreeAsItsParametersSay) {
  const ServoPendulum<> p;
  EXPECT_NEAR(p.motor_torque(800.0, 9.0, true, 0.0, 0.0), 0.417 * 7.3 / 3.4, 1e-12);
  EXPECT_NEAR(p.motor_torque(800.0, 9.0, true, 0.0, 7.3 / 0.417), 0.0, 1e-12);
  EXPECT_EQ(p.motor_torque(800.0, 9.0, false, 0.0, 3.0), 0.0);  // off: open, it does not brake
}

TEST(ServoPendulum, GravityIsTheSlopeOfTheEnergy) {
  ServoPendulum<> p;
  p.tilt = -0.02;
  for (const double q : {-1.0, 0.3, 1.4}) {
    const double slope =
        test::central_difference([&](double x) { return p.energy(x, 0.0); }, q, 1e-3);
    EXPECT_NEAR(p.gravity_torque(q), -slope, 1e-11);
  }
  EXPECT_EQ(p.energy(-0.02, 0.0), 0.0);
}

TEST(ServoPendulum, WithoutLoadInTheLawIsOneBodyOfBothInertias) {
  const ServoPendulum<> p;
  const Coulomb<> law{.coulomb_force = 0.05};
  const auto b = servo_balance(law, law, p.load_inertia(), p.armature, 0.4, -0.2, 1.0, 1.0);
  EXPECT_NEAR(b.acceleration, (0.4 - 0.2 - 0.05) / (p.load_inertia() + p.armature), 1e-12);
  EXPECT_NEAR(b.friction, 0.05, 1e-15);
}

TEST(ServoPendulum, RefusesParametersOutOfTheirBounds) {
  ServoPendulum<> p;
  EXPECT_NO_THROW(validate(p));
  p.resistance = 0.0;
  EXPECT_THROW(validate(p), InvalidInput);
}

}  // namespace
}  // namespace bristle
