// SPDX-License-Identifier: MIT
#include "bristle/analysis/decrements.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/model/coulomb.hpp"
#include "bristle/model/error.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle::decrements_test {
namespace {

// Turning points by the closed form of the header.
std::vector<double> swings(double first, double c, double force, double mass, double spring) {
  const double z = 0.5 * c / std::sqrt(spring * mass),
               e = std::exp(-std::numbers::pi * z / std::sqrt(1.0 - z * z));
  std::vector<double> turns{first};
  double size = std::abs(first), side = first > 0.0 ? 1.0 : -1.0;
  while (size > 2.0 * force / spring && turns.size() < 12) {
    size = e * size - (1.0 + e) * force / spring;
    side = -side;
    turns.push_back(side * size);
  }
  return turns;
}

TEST(Decrements, SeparateViscousFromCoulombFriction) {
  for (const double first : {0.04, -0.04}) {
    const Decrements d = decrements(swings(first, 16.85, 8.75, 3.35, 5040.0), 3.35, 5040.0);
    EXPECT_NEAR(d.viscous, 16.85, 1e-9);
    EXPECT_NEAR(d.coulomb, 8.75, 1e-9);
    EXPECT_LT(d.scatter, 1e-12);
  }
}

TEST(Decrements, FindNoCoulombFrictionWhereThereIsNone) {
  const Decrements d = decrements(swings(0.04, 16.85, 0.0, 3.35, 5040.0), 3.35, 5040.0);
  EXPECT_NEAR(d.viscous, 16.85, 1e-9);
  EXPECT_NEAR(d.coulomb, 0.0, 1e-9);
}

TEST(Decrements, OfASimulatedOscillatorAreItsOwnNumbers) {
  BaseExcitedMass body;
  body.signal.amplitude = 0.0;
  Options o{.end = 3.0, .tolerance = 1e-11, .samples = 6001};
  o.initial.position = 0.04;
  const auto run = simulate(Coulomb<>{.coulomb_force = 8.75}, body, o);
  const Trajectory& t = run.trajectory;
  const Decrements d =
      decrements(turning_points(t.time, t.position, t.velocity), body.mass, body.spring);
  EXPECT_NEAR(d.viscous, body.damping, 1e-3);
  EXPECT_NEAR(d.coulomb, 8.75, 1e-4);
}

TEST(Decrements, RefuseTooFewTurningPointsAndSwingsThatGrow) {
  EXPECT_THROW(decrements(std::vector{0.04, -0.03}, 1.0, 1.0), InvalidInput);
  EXPECT_THROW(decrements(std::vector{0.04, -0.03, 0.035}, 1.0, 1.0), InvalidInput);
  EXPECT_THROW(decrements(std::vector{0.04, -0.03, 0.02}, 0.0, 1.0), InvalidInput);
}

TEST(TurningPoints, AreFoundBetweenSamples) {
  std::vector<double> t, x, v;
  for (int i = 0; i <= 200; ++i) {
    t.push_back(0.05 * i);
    x.push_back(std::cos(t.back()));
    v.push_back(-std::sin(t.back()));
  }
  const auto turns = turning_points(t, x, v);
  ASSERT_EQ(turns.size(), 4u);  // at 0, pi, 2 pi and 3 pi
  for (std::size_t i = 0; i < turns.size(); ++i)
    EXPECT_NEAR(turns[i], i % 2 == 0 ? 1.0 : -1.0, 1e-6);
}

}  // namespace
}  // namespace bristle::decrements_test
