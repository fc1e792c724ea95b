// SPDX-License-Identifier: MIT
#include "bristle/analysis/path_inverse.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace bristle::path_inverse_test {
namespace {

// Turning points at random, gone to in steps of up to 2 mm.
std::vector<double> wandering(unsigned seed) {
  std::minstd_rand engine(seed);
  const auto unit = [&] { return double(engine()) / 2147483647.0; };
  std::vector<double> path{0.0};
  for (int turn = 0; turn < 40; ++turn) {
    const double to = 0.1 * (unit() - 0.5), from = path.back();
    const int steps = 1 + int(std::abs(to - from) / (2e-3 * (0.05 + unit())));
    for (int k = 1; k <= steps; ++k) path.push_back(from + (to - from) * k / steps);
  }
  return path;
}

void expect_round_trip(const DegradingBoucWen<>& law, unsigned seed) {
  const auto path = wandering(seed);
  const auto forces = forces_along(law, path);
  BoucWenInverse inverse(law);
  double worst = 0.0;
  for (std::size_t i = 0; i < path.size(); ++i)
    worst = std::max(worst, std::abs(inverse.update(forces[i]) - path[i]));
  // 1e-12 of the forces over the softest slope of the loop, some hundred times in a row.
  EXPECT_LT(worst, 1e-8) << "seed " << seed;
}

TEST(BoucWenInverse, RecoversTheDisplacementOfRandomPaths) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    expect_round_trip(
        {.stiffness = 2e5, .yield_force = 1e3, .elastic = 1e4, .exponent = 1.5, .shape = 0.7},
        seed);
    expect_round_trip({.stiffness = 2e5, .yield_force = 1e3, .elastic = 5e3, .exponent = 4.0},
                      seed);
  }
}

TEST(BoucWenInverse, RecoversLongStepsOfTheSharpestLoop) {
  for (unsigned seed = 1; seed <= 3; ++seed)
    expect_round_trip({.stiffness = 2e5, .yield_force = 1e3, .elastic = 1e4}, seed);
  // A way of many yield displacements at once, with next to no spring.
  const DegradingBoucWen<> soft{.stiffness = 2e5, .yield_force = 1e3, .elastic = 1e-3};
  const std::vector<double> far{0.0, 50.0, -20.0, 3.0};
  BoucWenInverse inverse(soft);
  const auto forces = forces_along(soft, far);
  for (std::size_t i = 0; i < far.size(); ++i)
    EXPECT_NEAR(inverse.update(forces[i]), far[i], 1e-5) << i;
}

// Much shorter steps give the same loop, to a thousandth of the yield force.
TEST(BoucWenInverse, IsThatOfTheLawItself) {
  const DegradingBoucWen<> law{
      .stiffness = 2e5, .yield_force = 1e3, .elastic = 1e4, .exponent = 1.5, .shape = 0.7};
  const auto path = wandering(3);
  const auto forces = forces_along(law, path);
  std::array<double, 2> states{};
  for (std::size_t i = 1; i < path.size(); ++i) {
    const double way = (path[i] - path[i - 1]) / 400.0;
    for (int k = 0; k < 400; ++k) law.advance(states.data(), way);
    ASSERT_NEAR(forces[i], law.force(states.data(), path[i]), 1.0) << i;
  }
}

TEST(BoucWenInverse, UndoesDegradationAndPinching) {
  for (unsigned seed = 1; seed <= 2; ++seed)
    expect_round_trip({.stiffness = 2e5,
                       .yield_force = 1e3,
                       .elastic = 2e4,
                       .exponent = 1.2,
                       .shape = 0.6,
                       .strength_loss = 0.01,
                       .stiffness_loss = 0.02,
                       .pinching = 0.8,
                       .pinching_rate = 0.2},
                      seed);
}

TEST(BoucWenInverse, IsRefusedWithoutASpring) {
  EXPECT_THROW(BoucWenInverse(DegradingBoucWen<>{.elastic = 0.0}), InvalidInput);
}

}  // namespace
}  // namespace bristle::path_inverse_test
