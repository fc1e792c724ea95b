// SPDX-License-Identifier: MIT
// Sums of plays: against a recursion with extra digits, published loops, and their inverses.
#include "bristle/model/play_sum.hpp"

#include <numbers>

#include "close.hpp"

namespace bristle::play_sum_test {
namespace {

using test::close;
using test::Random;

PrandtlIshlinskii random_model(Random& random, int n, double least = -0.2) {
  PrandtlIshlinskii m;
  m.direct = random.uniform(0.5, 2.0);
  double w = 0.0;
  for (int i = 0; i < n; ++i) {
    w += random.uniform(0.01, 2.0) / n;
    m.thresholds.push_back(w);
    m.weights.push_back(random.uniform(least, 1.0) / n);
  }
  return m;
}

// The definition with eighty-bit numbers.
struct Exact {
  const PrandtlIshlinskii& m;
  std::vector<long double> x;
  long double size = 0.0L;

  long double update(double u) {
    const long double v = m.envelope(u);
    long double y = m.direct * v;
    size = std::abs(y);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = std::max(v - m.thresholds[i], std::min(v + m.thresholds[i], x[i]));
      y += m.weights[i] * x[i];
      size += std::abs(m.weights[i] * x[i]);
    }
    return y;
  }
};

TEST(PlaySum, EqualsTheRecursionOnRandomWalksEitherWay) {
  Random random(21);
  for (int trial = 0; trial < 60; ++trial) {
    const auto model = random_model(random, 1 + trial * 7);
    PlaySum loop(model, 0.0, {}, PlaySum::Way::loop), stack(model, 0.0, {}, PlaySum::Way::stack);
    EXPECT_TRUE(stack.by_stack());
    Exact exact{model, std::vector<long double>(model.thresholds.size(), 0.0L)};
    double u = 0.0;
    for (int k = 0; k < 600; ++k) {
      u += random.uniform(-1.0, 1.0) * (k % 50 < 40 ? 0.1 : 1.0) - 0.02 * u;
      const double y = double(exact.update(u)), size = double(exact.size);
      ASSERT_TRUE(close(loop.update(u), y, 1e-15, 4.0 * size)) << trial << " " << k;
      ASSERT_TRUE(close(stack.update(u), y, 1e-15, 4.0 * size)) << trial << " " << k;
    }
    const auto states = stack.states();
    for (std::size_t i = 0; i < states.size(); ++i)
      EXPECT_NEAR(states[i], double(exact.x[i]), 1e-13) << i;
  }
}

TEST(PlaySum, HandlesAnyInitialStates) {
  Random random(22);
  for (int trial = 0; trial < 40; ++trial) {
    const auto model = random_model(random, 120);
    std::vector<double> start;
    for (int i = 0; i < 120; ++i) start.push_back(random.uniform(-3.0, 3.0));
    PlaySum sum(model, 0.1, start, PlaySum::Way::stack);
    Exact exact{model, {start.begin(), start.end()}};
    exact.update(0.1);
    for (int k = 0; k < 300; ++k) {
      const double u = random.uniform(-2.5, 2.5) * std::min(1.0, 0.01 * k);
      ASSERT_TRUE(close(sum.update(u), double(exact.update(u)), 2e-15, 4.0 * double(exact.size)));
    }
    EXPECT_TRUE(sum.by_stack());  // the strange states have been swept away
  }
}

TEST(PlaySum, FollowsAPlayWithoutAnyThreshold) {
  for (const auto way : {PlaySum::Way::loop, PlaySum::Way::stack}) {
    PlaySum sum({0.5, {0.0}, {2.0}}, 0.0, {}, way);
    for (const double u : {1.0, -0.3, 0.2}) EXPECT_NEAR(sum.update(u), 2.5 * u, 1e-15);
  }
  EXPECT_EQ(PlaySum({0.5, {}, {}}, 0.0, {}, PlaySum::Way::stack).update(4.0), 2.0);
}

TEST(PlaySum, GoesOnFromWhatItSaved) {
  Random random(23);
  const auto model = random_model(random, 200);
  PlaySum sum(model);
  for (int k = 0; k < 100; ++k) sum.update(random.uniform(-2.0, 2.0));
  PlaySum copy = sum, loaded(model);
  loaded.load(sum.save());
  for (int k = 0; k < 100; ++k) {
    const double u = random.uniform(-2.0, 2.0), y = sum.update(u);
    EXPECT_EQ(copy.update(u), y);
    EXPECT_NEAR(loaded.update(u), y, 1e-13);
  }
  EXPECT_THROW(loaded.load({1.0, 2.0}), InvalidInput);
}

// Thesis Fig. 1.7.
struct MaxwellSlip : testing::Test {
  const PrandtlIshlinskii model =
      maxwell_slip({0.15, 0.24, 0.33, 0.42, 0.51, 0.60, 0.69, 0.78, 0.87, 0.96},
                   {1.0, 1.8, 2.6, 3.4, 4.2, 5.0, 5.8, 6.6, 7.4, 8.2});
  static void swing(PlaySum& sum, std::initializer_list<double> turns) {
    for (const double u : turns) sum.update(u);
  }
};
TEST_F(MaxwellSlip, HasTheForcesOfAnIndependentComputation) {
  PlaySum sum(model);
  swing(sum, {1.0, -1.0, 0.0});              // one period
  EXPECT_NEAR(sum.output(), 11.466, 1e-12);  // oracle: operators.fig_1_7.period
  sum.update(0.5);
  // oracle: operators.fig_1_7.upper
  EXPECT_NEAR(sum.output(), 25.854, 1e-12);  // upper minor loop
  PlaySum lower(model);
  swing(lower, {1.0, -1.0, 1.0, 0.0, -0.5});
  EXPECT_NEAR(lower.output(), -25.854, 1e-12);  // oracle: operators.fig_1_7.lowest
  lower.update(0.5);
  EXPECT_NEAR(lower.output(), 17.082, 1e-12);  // oracle: operators.fig_1_7.lower
}
TEST_F(MaxwellSlip, EnclosesTheSumOfItsParallelograms) {
  PlaySum sum(model);
  swing(sum, {1.0, -1.0});
  double area = 0.0, last = sum.output(), u = -1.0;
  const int n = 40000;
  for (int k = 1; k <= 2 * n; ++k) {
    const double next = k <= n ? -1.0 + 2.0 * k / n : 3.0 - 2.0 * k / n;
    const double y = sum.update(next);
    area += 0.5 * (y + last) * (next - u);
    last = y, u = next;
  }
  EXPECT_NEAR(area, 30.534, 1e-6);
}

TEST(Multiplay, AllowsNegativeStiffness) {
  PlaySum sum(maxwell_slip({1.0, 2.0}, {-3.0, 5.0}));
  EXPECT_NEAR(sum.update(0.5), 1.0, 1e-15);         // both springs move
  EXPECT_NEAR(sum.update(1.5), -3.0 + 7.5, 1e-15);  // the first slides
  EXPECT_NEAR(sum.update(9.0), -3.0 + 10.0, 1e-15);
  EXPECT_NEAR(sum.update(7.0), -3.0 + 10.0 + 2.0 * -2.0, 1e-14);
}

// Thesis Table 5.1, values computed independently.
struct Table51 : testing::Test {
  const PrandtlIshlinskii model =
      exponential_plays(11.9609, 4.6403, -0.1909, 1.1386, 3, {4.0904, 0.7774, -0.0666, -0.2686});
};
TEST_F(Table51, HasTheOutputsOfAnIndependentComputation) {
  EXPECT_NEAR(model.weights[1], 7.167066956639503, 1e-12);  // oracle: operators.table_5_1.weight_2
  EXPECT_NEAR(model.weights[2], 8.907158144038032, 1e-12);  // oracle: operators.table_5_1.weight_3
  PlaySum sum(model);
  EXPECT_NEAR(sum.update(2.0), 62.45995480679619, 1e-12);  // oracle: operators.table_5_1.at_2
  // oracle: operators.table_5_1.at_minus_2
  EXPECT_NEAR(sum.update(-2.0), -83.63727385075433, 1e-12);
  // oracle: operators.table_5_1.at_minus_3
  EXPECT_NEAR(sum.update(-3.0), -91.7684198932229, 1e-12);
  // oracle: operators.table_5_1.at_5
  EXPECT_NEAR(PlaySum(model).update(5.0), 75.73972697782641, 1e-12);
  PlaySum remanence(model);
  remanence.update(3.0);
  remanence.update(-3.0);
  remanence.update(3.0);
  // oracle: operators.table_5_1.remanence_down
  EXPECT_NEAR(remanence.update(0.0), 10.267908158359887, 1e-12);
  remanence.update(-3.0);
  // oracle: operators.table_5_1.remanence_up
  EXPECT_NEAR(remanence.update(0.0), -38.39589534693101, 1e-12);
  // oracle: operators.table_5_1.coercive
  EXPECT_NEAR(remanence.update(0.5809541066531738), 0.0, 1e-11);
}
TEST_F(Table51, HasTheInverseOfAnIndependentComputation) {
  const auto inverse = model.inverse();
  // oracle: operators.table_5_1.inverse_threshold_1
  EXPECT_NEAR(inverse.thresholds[0], 13.618680740000002, 1e-12);
  // oracle: operators.table_5_1.inverse_threshold_2
  EXPECT_NEAR(inverse.thresholds[1], 33.80357407591867, 1e-12);
  // oracle: operators.table_5_1.inverse_weight_2
  EXPECT_NEAR(inverse.weights[1], -0.016239627468812988, 1e-14);
  // oracle: operators.table_5_1.inverse_weight_3
  EXPECT_NEAR(inverse.weights[2], -0.010584883798319228, 1e-14);
}

TEST(Inverse, UndoesTheOperatorOnRandomInputsAndMemories) {
  Random random(24);
  for (int trial = 0; trial < 60; ++trial) {
    auto model = random_model(random, 1 + trial * 3);
    if (trial % 2) model.envelope = {2.0, random.uniform(0.2, 1.0), 0.1, -0.3};
    ASSERT_TRUE(model.invertible());
    // A memory that some history has left.
    PlaySum forward(model);
    for (int k = 0; k < 20; ++k) forward.update(random.uniform(-2.0, 2.0));
    PlaySum back(model.inverse(), forward.output(), model.inverse_states(forward.states()));
    for (int k = 0; k < 200; ++k) {
      const double u = random.uniform(-2.0, 2.0);
      ASSERT_NEAR(model.envelope.inverse(back.update(forward.update(u))), u, 1e-12) << trial;
    }
  }
}

TEST(Inverse, OfTheInverseIsTheOperatorItself) {
  Random random(25);
  const auto model = random_model(random, 30);
  const auto twice = model.inverse().inverse();
  EXPECT_TRUE(close(twice.direct, model.direct, 1e-14));
  for (int i = 0; i < 30; ++i) {
    EXPECT_TRUE(close(twice.thresholds[i], model.thresholds[i], 1e-12));
    EXPECT_TRUE(close(twice.weights[i], model.weights[i], 1e-11, 0.01));
  }
}

TEST(Inverse, IsRefusedWhereASlopeIsNotPositive) {
  try {
    (void)maxwell_slip({1.0, 2.0}, {1.0, 2.0}).inverse();  // all slide: slope 0
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("with 2 plays moving the slope is 0"),
              std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(maxwell_slip({1.0}, {-1.0}).invertible());
  EXPECT_THROW((void)Envelope({1.0, 1.0, 0.0, 0.0}).inverse(1.5), InvalidInput);
}

TEST(PrandtlIshlinskii, RefusesWrongThresholdsByTheirNumber) {
  const auto complaint = [](PrandtlIshlinskii m) {
    try {
      m.check();
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint({1.0, {1.0, 0.5}, {1.0, 1.0}}).find("threshold 2 = 0.5 must be greater"),
            std::string::npos);
  EXPECT_NE(complaint({1.0, {-1.0}, {1.0}}).find("threshold 1 = -1 is not allowed"),
            std::string::npos);
  EXPECT_NE(complaint({1.0, {1.0}, {}}).find("1 thresholds and 0 weights"), std::string::npos);
  EXPECT_NE(complaint({1.0, {1.0}, {1.0}, {1.0, -1.0}}).find("must rise"), std::string::npos);
  EXPECT_EQ(complaint({1.0, {}, {}}), "");
}

TEST(PlaySum, AnOffsetIsAddedToTheOutputAndUndoneByTheInverse) {
  Random random(71);
  for (int trial = 0; trial < 20; ++trial) {
    const auto bare = random_model(random, 3 + trial, -0.3);
    auto shifted = bare;
    shifted.offset = random.uniform(-3.0, 3.0);
    PlaySum plain(bare), sum(shifted);
    PlaySum back(shifted.inverse(), sum.output(), shifted.inverse_states(sum.states()));
    double u = 0.0;
    for (int k = 0; k < 300; ++k) {
      u += random.uniform(-1.0, 1.0);
      const double y = sum.update(u);
      ASSERT_TRUE(close(y, plain.update(u) + shifted.offset, 1e-14, 10.0)) << trial << " " << k;
      ASSERT_TRUE(close(back.update(y), u, 1e-12, 10.0)) << trial << " " << k;
    }
  }
}

}  // namespace
}  // namespace bristle::play_sum_test
