// SPDX-License-Identifier: MIT
// The Preisach operator against its relays one by one, and what every such operator obeys.
#include "bristle/model/preisach.hpp"

#include "close.hpp"

namespace bristle::preisach_test {
namespace {

using test::Random;

struct Grid {
  std::vector<double> levels;
  std::vector<std::vector<double>> weights;

  Grid(Random& random, int n, double least = 0.0) {
    double level = -1.0;
    for (int i = 0; i < n; ++i) {
      levels.push_back(level += random.uniform(0.01, 2.0) / n);
      weights.emplace_back();
      for (int j = 0; j < i; ++j) weights.back().push_back(random.uniform(least, 1.0));
    }
  }
  Preisach made() const { return {relay_grid(levels, weights), levels.front(), levels.back()}; }
};

// The relays themselves.
struct Relays {
  const Grid& grid;
  std::vector<std::vector<double>> state;

  explicit Relays(const Grid& g) : grid(g) {
    for (const auto& row : g.weights) state.emplace_back(row.size(), -1.0);
  }
  double update(double u) {
    double y = 0.0;
    for (std::size_t i = 0; i < grid.levels.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        if (u >= grid.levels[i]) state[i][j] = 1.0;
        else if (u <= grid.levels[j]) state[i][j] = -1.0;
        y += grid.weights[i][j] * state[i][j];
      }
    return y;
  }
};

// A relay that is up goes down where the input falls to its lower level; the Everett function of a
// falling branch counts relays with the lower level at or above the input.
TEST(Preisach, EqualsItsRelaysOneByOne) {
  Random random(31);
  for (int trial = 0; trial < 30; ++trial) {
    const Grid grid(random, 2 + trial, -0.3);
    Preisach sum = grid.made();
    Relays relays(grid);
    relays.update(grid.levels.front());
    for (int k = 0; k < 400; ++k) {
      const double u = random.uniform(grid.levels.front(), grid.levels.back());
      const double peeked = sum.peek(u), y = sum.update(u);
      EXPECT_EQ(peeked, y);
      ASSERT_NEAR(y, relays.update(u), 1e-11) << "trial " << trial << ", " << k;
    }
  }
}

// The density that is 1 everywhere: E = (a - b)^2 / 2.
Preisach even() {
  return {[](double a, double b) { return 0.5 * (a - b) * (a - b); }, -1.0, 1.0};
}

TEST(Preisach, OfEvenDensityHasParabolasForBranches) {
  Preisach sum = even();
  EXPECT_EQ(sum.output(), -2.0);
  EXPECT_NEAR(sum.update(0.0), -2.0 + 1.0, 1e-15);
  EXPECT_NEAR(sum.update(1.0), 2.0, 1e-15);
  EXPECT_NEAR(sum.update(0.0), 2.0 - 1.0, 1e-15);
}

TEST(Preisach, ReturnsToWhereItTurned) {
  Preisach sum = even();
  sum.update(0.8);
  const double turned = sum.update(-0.3);
  for (const double u : {0.4, 0.0, 0.2, 0.1}) sum.update(u);
  EXPECT_NEAR(sum.update(-0.3), turned, 1e-15);  // the inner swings are wiped out
  EXPECT_EQ(sum.memory(), (std::vector<double>{-1.0, 0.8, -0.3}));
}

TEST(Preisach, HasCongruentMinorLoops) {
  Preisach a = even(), b = even();
  a.update(0.9), b.update(0.3);
  for (Preisach* sum : {&a, &b}) sum->update(-0.2), sum->update(0.2);
  double last_a = a.output(), last_b = b.output();
  for (const double u : {-0.2, 0.0, 0.2, 0.1, -0.2}) {
    const double y = a.update(u), z = b.update(u);
    EXPECT_NEAR(y - last_a, z - last_b, 1e-14);
    last_a = y, last_b = z;
  }
}

TEST(Preisach, StartsFromTheMiddleWhenDemagnetised) {
  Preisach sum = even();
  sum.demagnetise(2000);
  EXPECT_NEAR(sum.output(), 0.0, 2e-3);
}

TEST(Preisach, IsInvertedWithinItsBracket) {
  Random random(32);
  Preisach forward = even(), back = even();
  for (int k = 0; k < 300; ++k) {
    const double u = random.uniform(-1.0, 1.0), y = forward.update(u);
    ASSERT_NEAR(back.invert(y), u, 1e-7)
        << k;  // where the slope vanishes, at a turn, digits are lost
    ASSERT_NEAR(back.output(), y, 1e-12);
    back.load(forward.memory());
  }
  EXPECT_THROW(back.invert(2.5), InvalidInput);
}

TEST(Preisach, GoesOnFromItsMemory) {
  Random random(33);
  const Grid grid(random, 20);
  Preisach sum = grid.made(), copy = grid.made();
  for (int k = 0; k < 50; ++k) sum.update(random.uniform(-1.0, 1.0));
  copy.load(sum.memory());
  EXPECT_NEAR(copy.output(), sum.output(), 1e-12);
}

TEST(RelayGrid, RefusesLevelsThatDoNotRise) {
  EXPECT_THROW(relay_grid({0.0, 0.0}, {{}, {1.0}}), InvalidInput);
  EXPECT_THROW(relay_grid({0.0}, {{}}), InvalidInput);
  EXPECT_THROW(relay_grid({0.0, 1.0}, {{}, {}}), InvalidInput);
  EXPECT_THROW(relay_grid({0.0, 1.0}, {{}, {NAN}}), InvalidInput);
}

}  // namespace
}  // namespace bristle::preisach_test
