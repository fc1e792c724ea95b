// SPDX-License-Identifier: MIT
// A pendulum with friction in its bearing: its period, where it comes to rest, what it holds.
#include "bristle/model/compressed_bristle.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/stribeck.hpp"
#include "bristle/solve/simulate.hpp"
#include "close.hpp"

namespace bristle::pendulum_test {
namespace {

using test::close;

constexpr double pi = 3.14159265358979324;

// With W / J = 1 the period is 4 K(sin(amplitude / 2)).
TEST(Pendulum, SwingsWideWithThePeriodOfTheEllipticIntegral) {
  const Coulomb<> none{.coulomb_force = 1e-12};
  for (const double amplitude : {0.1, 1.0, 2.5}) {
    const double period = 4.0 * std::comp_ellint_1(std::sin(0.5 * amplitude));
    Pendulum arm{.inertia = 0.3, .weight = 0.3, .tilt = 0.2};
    arm.signal.amplitude = 0.0;
    const auto run = simulate(
        none, arm,
        {.end = 3.0 * period, .tolerance = 1e-11, .initial = {.position = 0.2 + amplitude}});
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_NEAR(run.trajectory.position.back(), 0.2 + amplitude, 1e-8) << amplitude;
    EXPECT_NEAR(run.trajectory.velocity.back(), 0.0, 1e-8 + 1e-8 * amplitude) << amplitude;
  }
}

// Each half swing loses the friction times its arc: W (cos b - cos a) = F (a + b).
TEST(Pendulum, TurnsBackWhereItsEnergyIsSpent) {
  const double friction = 0.05, start = 1.2;
  Pendulum arm{.inertia = 0.02, .weight = 1.0};
  arm.signal.amplitude = 0.0;
  const auto run =
      simulate(Coulomb<>{.coulomb_force = friction}, arm,
               {.end = 10.0, .tolerance = 1e-11, .samples = 20001, .initial = {.position = start}});
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  // The angles at which it turns, by the balance of each half swing.
  double a = start;
  int turns = 0;
  while (std::sin(a) > friction) {
    double low = -a, high = a;
    for (int i = 0; i < 200; ++i) {
      const double b = 0.5 * (low + high);
      // More energy left at b than there is: it turns before.
      (std::cos(b) - std::cos(a) - friction * (a + b) < 0.0 ? high : low) = b;
    }
    a = low, ++turns;
  }
  EXPECT_GE(turns, 5);
  const double rest = turns % 2 ? -a : a;
  EXPECT_NEAR(run.trajectory.position.back(), rest, 1e-8);
  EXPECT_EQ(run.trajectory.velocity.back(), 0.0);
}

// A light pendulum that spins fast: over whole turns its weight would be met at the same angle at
// every step.
TEST(Pendulum, IsFollowedThroughEveryTurnWhenItSpins) {
  Pendulum arm{.inertia = 0.007, .weight = 0.012};
  arm.signal.amplitude = 0.0;
  const auto run = simulate(Stribeck<>{.coulomb_force = 1e-6, .static_force = 1e-6}, arm,
                            {.end = 2.0, .tolerance = 1e-7, .initial = {.velocity = 1e4}});
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_GT(run.trajectory.position.back(), 1.9e4);
  EXPECT_GE(2.0 * double(run.summary.counts.steps), run.trajectory.position.back());
}

// The torque that starts it from where it hangs under its own friction is found exactly.
TEST(Pendulum, IsHeldUntilTheTorqueLeavesTheInterval) {
  const Stribeck<> law{.coulomb_force = 0.2, .static_force = 0.3};
  Pendulum arm{.inertia = 0.02, .weight = 1.0};
  arm.signal.shape = Signal::ramp;
  arm.signal.rate = 0.1;
  const double angle = 0.1;
  const auto run = simulate(
      law, arm, {.end = 5.0, .tolerance = 1e-10, .samples = 50001, .initial = {.position = angle}});
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  double moved = 0.0;
  for (std::size_t i = 0; i < run.trajectory.time.size() && moved == 0.0; ++i)
    if (run.trajectory.velocity[i] != 0.0) moved = run.trajectory.time[i];
  EXPECT_NEAR(moved, (0.3 + std::sin(angle)) / 0.1, 1.1e-4);
}

TEST(Pendulum, RefusesALawThatLiftsItsBody) {
  try {
    simulate(CompressedBristle<>{}, Pendulum{}, {});
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_STREQ(e.what(), "compressed_bristle carries its body, and pendulum has none that rises");
  }
}

}  // namespace
}  // namespace bristle::pendulum_test
