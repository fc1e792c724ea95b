// SPDX-License-Identifier: MIT
// Rows of bristles: contact sets, sums, and what no row may do.
#include "bristle/model/compressed_bristle.hpp"
#include "bristle/model/drbm.hpp"
#include "bristle/model/rotating_bristle.hpp"
#include "bristle/model/sawtooth.hpp"
#include "close.hpp"

namespace bristle::rows_test {
namespace {

using test::close;
using test::Random;

Motion<double> at(double x, double height = 0.0) { return {x, 0.0, 1.0, 0.0, height}; }

// The bristles of a row one by one, as the text defines them.
double drbm_sum(const Drbm<>& law, double x, double direction) {
  double total = 0.0;
  const double edge = direction * (x - law.offset) + 0.5 * law.body_length, d0 = law.touch();
  for (long i = long(edge / law.spacing) + 2; i * law.spacing > edge - d0 - law.spacing; --i) {
    const double u = edge - double(i) * law.spacing, theta = std::atan(u / law.height);
    if (u < 0.0 || u >= d0) continue;
    total += law.pivot_stiffness / law.height * theta * std::cos(theta) * std::cos(theta);
  }
  return direction * total;
}
double compressed_sum(const CompressedBristle<>& law, double x, double y, double direction) {
  double total = 0.0;
  const double edge = direction * (x - law.offset) + 0.5 * law.body_length, d1 = law.slant_length();
  for (long i = long(edge / law.spacing) + 2; i * law.spacing > edge - d1 - law.spacing; --i) {
    const double from_end = double(i) * law.spacing - (edge - d1);
    if (from_end < 0.0 || from_end > d1) continue;
    total += law.relaxed_length - (y - 0.5 * law.thickness + law.thickness / d1 * from_end);
  }
  return direction * law.bristle_stiffness * std::cos(law.slant) * total;
}

// Gauss' rule of five points in eight pieces.
template <class F>
double integral(double from, double to, const F& f) {
  const double node[] = {0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                         -0.9061798459386640};
  const double weight[] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665,
                           0.2369268850561891, 0.2369268850561891};
  const double half = (to - from) / 16.0;
  double sum = 0.0;
  for (int piece = 0; piece < 8; ++piece)
    for (int i = 0; i < 5; ++i)
      sum += half * weight[i] * f(from + half * (2.0 * piece + 1.0 + node[i]));
  return sum;
}

// Summed over all bristles one by one.
TEST(Drbm, HasTheForcesOfAnIndependentComputation) {
  Drbm<> law;
  law.reach = 0.01;
  const auto ahead = [&](double x) { return law.limits(at(x)).upper; };
  const auto behind = [&](double x) { return law.limits(at(x)).lower; };
  EXPECT_NEAR(ahead(0.0), 0.050334225507363224, 1e-13);      // oracle: rows.place.forward_0_mm
  EXPECT_NEAR(ahead(0.001), 0.07041131617365023, 1e-13);     // oracle: rows.place.forward_1_mm
  EXPECT_NEAR(ahead(0.004), 0.13024047782348133, 1e-13);     // oracle: rows.place.forward_4_mm
  EXPECT_NEAR(ahead(0.0049), 0.14802651018659224, 1e-13);    // oracle: rows.place.forward_4_9_mm
  EXPECT_NEAR(behind(0.001), -0.13024047782348133, 1e-13);   // oracle: rows.place.backward_1_mm
  EXPECT_NEAR(behind(0.0025), -0.1004161450488154, 1e-13);   // oracle: rows.place.backward_2_5_mm
  EXPECT_NEAR(behind(0.0049), -0.05234401841004329, 1e-13);  // oracle: rows.place.backward_4_9_mm
  EXPECT_NEAR(behind(0.1234), -0.08243149901509471, 1e-13);  // oracle: rows.place.backward_123_4_mm
  Drbm<> dense{.pivot_stiffness = 0.1, .height = 0.098, .spacing = 0.002, .body_length = 1.0};
  // oracle: rows.fig_3_3.forward_0_3_mm
  EXPECT_NEAR(dense.limits(at(0.0003)).upper, 0.9441230192096431, 1e-13);
  // oracle: rows.fig_3_3.forward_1_7_mm
  EXPECT_NEAR(dense.limits(at(0.0017)).upper, 1.0821801576101784, 1e-13);
  // oracle: rows.fig_3_3.backward_1_7_mm
  EXPECT_NEAR(dense.limits(at(0.0017)).lower, -0.9441230192096488, 1e-13);
  // oracle: rows.fig_3_3.backward_1_95_mm
  EXPECT_NEAR(dense.limits(at(0.00195)).lower, -0.9193093137446754, 1e-13);
}

TEST(Drbm, SumsTheBristlesBeforeItsLeadingCorner) {
  Random random(7);
  for (int trial = 0; trial < 400; ++trial) {
    Drbm<> law;
    law.height = random.uniform(0.05, 0.15);
    law.reach = law.height * random.log_uniform(0.05, 1.5);
    law.spacing = law.reach / random.log_uniform(1.1, 300.0);
    law.offset = random.uniform(-0.01, 0.01);
    const double x = random.uniform(-1.0, 1.0), direction = random.sign();
    const Branch<> branch{direction, law.cell(0.0, at(x), direction)};
    EXPECT_TRUE(close(law.sliding(at(x), branch), drbm_sum(law, x, direction), 1e-11))
        << "x = " << x << ", spacing = " << law.spacing << ", reach = " << law.reach;
  }
}

TEST(Drbm, PushesAgainstTheMotionEverywhere) {
  Random random(8);
  for (int trial = 0; trial < 200; ++trial) {
    Drbm<> law;
    law.spacing = law.touch() / random.uniform(1.05, 20.0);
    const Interval<double> rest = law.limits(at(random.uniform(-1.0, 1.0)));
    EXPECT_GT(rest.upper, 0.0);
    EXPECT_LT(rest.lower, 0.0);
  }
}

// The integral of the force over one spacing is the energy of one release, whatever the row.
TEST(Drbm, HasTheMeanForceOfOneReleasePerSpacing) {
  Random random(9);
  for (int trial = 0; trial < 50; ++trial) {
    Drbm<> law;
    law.height = random.uniform(0.05, 0.15);
    law.reach = law.height * random.uniform(0.05, 1.5);
    law.spacing = law.reach / random.uniform(1.1, 8.0);
    law.offset = random.uniform(-0.01, 0.01);
    const double direction = random.sign();
    Branch<> branch{direction, law.cell(0.0, at(0.0), direction)};
    double x = 0.0, mean = 0.0, left = law.spacing;
    while (left > 1e-12 * law.spacing) {
      const double step = std::min(left, law.margin(0.0, at(x), branch) * law.spacing);
      mean += integral(x, x + direction * step,
                       [&](double place) { return law.sliding(at(place), branch); });
      x += direction * step;
      left -= step;
      branch = law.crossed(branch);
    }
    EXPECT_TRUE(close(mean, law.release_energy(), 1e-11)) << law.reach / law.spacing;
  }
}

TEST(Drbm, AsAContinuumHasTheMeanForce) {
  Drbm<> law;
  law.row = Drbm<>::continuum;
  const double mean = 0.1 * std::pow(std::atan(law.touch() / law.height), 2) / (2.0 * 0.005);
  EXPECT_NEAR(law.limits(at(0.3)).upper, mean, 1e-15);
  EXPECT_NEAR(law.sliding(at(0.3), Branch<>{-1.0, 0.0}), -mean, 1e-15);
}

TEST(Drbm, RefusesGapsAndBodiesAboveTheBristles) {
  EXPECT_THROW(validate(Drbm<>{.spacing = 0.02}), InvalidInput);
  EXPECT_NO_THROW(validate(Drbm<>{.spacing = 0.02, .gaps = Drbm<>::allow}));
  EXPECT_THROW(validate(Drbm<>{.height = 0.11}), InvalidInput);
  EXPECT_THROW(validate(Drbm<>{.pivot_stiffness = -1.0}), InvalidInput);
}

// A row of five hundred and one of five million take the same number of evaluations of the pivot.
TEST(Pivot, SumsALongRowByItsEndsAlone) {
  const Pivot<double> one{0.1, 0.098};
  double direct = 0.0;
  for (int j = 0; j < 5000; ++j) direct += one.push(1e-7 + j * 4e-6);
  EXPECT_TRUE(close(one.sum(1e-7, 5000.0, 4e-6), direct, 1e-12));
}

// Whatever the spacing: the nearest bristles one by one, the others by their ends.
TEST(Pivot, SumsALongRowOfAnySpacing) {
  Random random(21);
  for (int trial = 0; trial < 300; ++trial) {
    const double height = random.log_uniform(1e-4, 10.0);
    const Pivot<double> one{random.log_uniform(1e-3, 1e3), height};
    const double spacing = height * random.log_uniform(1e-3, 1e4);
    const double first = spacing * random.uniform(0.0, 1.0);
    const double count = std::floor(random.log_uniform(1.0, 3000.0));
    double push = 0.0, energy = 0.0, angle = 0.0;
    for (int j = int(count) - 1; j >= 0; --j) {
      push += one.push(first + j * spacing);
      energy += one.energy(first + j * spacing);
      angle += std::atan((first + j * spacing) / height);
    }
    EXPECT_TRUE(close(one.sum(first, count, spacing), push, 2e-12)) << spacing / height;
    EXPECT_TRUE(close(one.energy_sum(first, count, spacing), energy, 2e-12)) << spacing / height;
    EXPECT_TRUE(close(one.angle_sum(first, count, spacing), angle, 2e-12)) << spacing / height;
    const Expansion series = one.expanded(first, count, spacing, 1.0, 0.1 * height, 1e-12 * push);
    const double by = std::min(0.05 * height, series.span);
    double moved = 0.0;
    for (int k = series.terms - 1; k >= 0; --k) moved = moved * by + series.coefficient[k];
    EXPECT_TRUE(close(moved, one.sum(first + by, count, spacing), 1e-11)) << spacing / height;
  }
}

// The mean force over one spacing is the energy of one release, so the sum over a row that cannot
// be added up bristle by bristle can still be checked.
TEST(Drbm, SumsABillionBristles) {
  for (const double spacing_of_height : {1e-6, 0.05, 30.0}) {
    Drbm<> law;
    law.height = 1e-3;
    law.spacing = law.height * spacing_of_height;
    law.reach = 1e9 * law.spacing;
    validate(law);
    const double direction = 1.0;
    const Branch<> branch{direction, law.cell(0.0, at(0.0), direction)};
    const double way = law.margin(0.0, at(0.0), branch) * law.spacing;
    const double from = way - law.spacing;
    double mean = 0.0;
    constexpr int pieces = 64;
    for (int i = 0; i < pieces; ++i)
      mean += integral(from + law.spacing * i / pieces, from + law.spacing * (i + 1) / pieces,
                       [&](double x) { return law.sliding(at(x), branch); });
    EXPECT_TRUE(close(mean, law.release_energy(), 1e-8)) << spacing_of_height;
    EXPECT_TRUE(std::isfinite(law.shown(at(0.3 * law.spacing), direction)));
  }
}

TEST(Row, RefusesMoreBristlesThanCanBeDistinguished) {
  EXPECT_THROW(validate(Drbm<>{.spacing = 1e-14}), InvalidInput);
  EXPECT_THROW(validate(Drbm<>{.reach = 1e300, .spacing = 1e-300}), InvalidInput);
  EXPECT_THROW(validate(Drbm<>{.height = 1e-200, .reach = 1.0}), InvalidInput);
  EXPECT_THROW(validate(RotatingBristle<>{.spacing = 1e-14}), InvalidInput);
  EXPECT_THROW(validate(CompressedBristle<>{.spacing = 1e-14}), InvalidInput);
  EXPECT_THROW(validate(RotatingBristle<>{.offset = 1e300}), InvalidInput);
}

TEST(RotatingBristle, HoldsItsEnergyInARowOfAMillionMillionBristles) {
  RotatingBristle<> law;
  law.start = RotatingBristle<>::leaning_right;
  law.spacing = 1e-12;
  const Branch<> dense = law.engage(at(0.0), 1.0, {});
  const double fine = law.stored(0.0, at(0.0), dense) * law.spacing;
  law.spacing = 1e-5;
  const double coarse = law.stored(0.0, at(0.0), law.engage(at(0.0), 1.0, {})) * law.spacing;
  EXPECT_TRUE(close(fine, coarse, 1e-3));
  EXPECT_GT(fine, 0.0);
}

TEST(CompressedBristle, SumsTheBristlesUnderItsSlant) {
  Random random(10);
  for (int trial = 0; trial < 400; ++trial) {
    CompressedBristle<> law;
    law.slant = random.uniform(0.05, 0.8);
    law.spacing = law.slant_length() / random.log_uniform(1.1, 500.0);
    law.offset = random.uniform(-0.01, 0.01);
    const double x = random.uniform(-1.0, 1.0), y = random.uniform(0.0, 1.6);
    const double direction = random.sign();
    const Branch<> branch{direction, law.cell(0.0, at(x), direction)};
    EXPECT_TRUE(
        close(law.sliding(at(x, y), branch), compressed_sum(law, x, y, direction), 1e-11, 0.01))
        << "x = " << x << ", spacing = " << law.spacing;
  }
}

TEST(CompressedBristle, AsAContinuumFallsStraightWithTheHeight) {
  CompressedBristle<> law;
  law.row = CompressedBristle<>::continuum;
  const double n = law.slant_length() / law.spacing;
  EXPECT_NEAR(law.limits(at(0.2, 0.4)).upper, 0.01 * n * std::cos(law.slant) * (1.65 - 0.4), 1e-14);
}

TEST(CompressedBristle, RefusesWhatHasNoSlantToStandOn) {
  EXPECT_THROW(validate(CompressedBristle<>{.spacing = 0.5}), InvalidInput);
  EXPECT_THROW(validate(CompressedBristle<>{.slant = 1.2}), InvalidInput);
  EXPECT_THROW(validate(CompressedBristle<>{.bristle_stiffness = -0.01}), InvalidInput);
}

TEST(Sawtooth, RisesFromItsLeastToItsLargestForceAlongTheMotion) {
  const Sawtooth<> law;
  EXPECT_NEAR(law.limits(at(0.025)).upper, 0.625, 1e-14);
  EXPECT_NEAR(law.limits(at(0.025)).lower, -0.875, 1e-14);
  EXPECT_NEAR(law.limits(at(0.3)).upper, 0.5, 1e-14);
  EXPECT_NEAR(law.limits(at(0.3)).lower, -0.5, 1e-14);
  EXPECT_THROW(validate(Sawtooth<>{.minimum_force = 2.0}), InvalidInput);
}

// Drags a body from one change of the row to the next and reverses it at random.
struct Walk {
  const RotatingBristle<>& law;
  Branch<> branch;
  double x = 0.0, work = 0.0, released = 0.0;

  double stored() const { return law.stored(0.0, at(x), branch); }
  double force() const { return law.respond(0.0, at(x), branch).force; }
  void move(double distance) {
    while (distance > 0.0) {
      const double cell = law.margin(0.0, at(x), branch) * law.spacing;
      const double step = std::min(distance, std::max(cell, 0.0));
      const double to = x + branch.direction * step;
      work +=
          integral(x, to, [&](double place) { return law.respond(0.0, at(place), branch).force; });
      x = to;
      distance -= step;
      if (distance > 0.0) {
        released += law.released(branch);
        branch = law.crossed(branch);
      }
    }
  }
};

TEST(RotatingBristle, CreatesAndLosesNoEnergyButByReleases) {
  Random random(11);
  for (int trial = 0; trial < 40; ++trial) {
    RotatingBristle<> law;
    law.spacing = law.touch() / random.uniform(1.05, 8.0);
    law.body_length = law.touch() * random.uniform(2.1, 12.0);
    law.offset = random.uniform(-0.01, 0.01);
    Walk walk{law, law.engage(at(0.0), 1.0, {})};
    const double start = walk.stored();
    for (int turn = 0; turn < 30; ++turn) {
      walk.move(law.touch() * random.log_uniform(0.05, 20.0));
      walk.branch = law.engage(at(walk.x), -walk.branch.direction, walk.branch);
      const double closing = walk.work - (walk.stored() - start) - walk.released;
      ASSERT_NEAR(closing, 0.0, 1e-9 * std::max(1e-3, std::abs(walk.work))) << "turn " << turn;
    }
  }
}

TEST(RotatingBristle, KeepsItsForceAsTheMotionTurnsRound) {
  const RotatingBristle<> law;
  Walk walk{law, law.engage(at(0.0), 1.0, {})};
  walk.move(0.37);
  const double before = walk.force();
  walk.branch = law.engage(at(walk.x), -1.0, walk.branch);
  EXPECT_EQ(walk.force(), before);
  EXPECT_GT(before, 0.0);
}

TEST(RotatingBristle, ByTheTableTakesAllBristlesToLeanTheWayTheBodyCame) {
  RotatingBristle<> law;
  law.bookkeeping = RotatingBristle<>::table;
  Walk walk{law, law.engage(at(0.0), 1.0, {})};
  walk.move(0.03);
  const Branch<> turned = law.engage(at(walk.x), -1.0, walk.branch);
  EXPECT_EQ(turned.contacts.first, turned.contacts.right_begin);
  EXPECT_NE(turned.contacts, walk.branch.contacts);
}

TEST(RotatingBristle, StartsInTheGivenState) {
  RotatingBristle<> law;
  EXPECT_EQ(law.respond(0.0, at(0.0), law.engage(at(0.0), 1.0, {})).force, 0.0);
  law.start = RotatingBristle<>::leaning_right;
  EXPECT_GT(law.respond(0.0, at(0.0), law.engage(at(0.0), 1.0, {})).force, 0.5);
  law.start = RotatingBristle<>::leaning_left;
  EXPECT_LT(law.respond(0.0, at(0.0), law.engage(at(0.0), 1.0, {})).force, -0.5);
}

}  // namespace
}  // namespace bristle::rows_test
