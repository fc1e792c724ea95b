// SPDX-License-Identifier: MIT
// Operators driven along an input, against closed forms and the numbers of oracle/operators.py.
#include "bristle/system/operators.hpp"

#include <gtest/gtest.h>

#include <random>

#include "bristle/system/registry.hpp"


namespace bristle::operators_test {
namespace {

SystemResponse drive(const AnySystem& s, double amplitude, int periods, double samples = 41) {
  Signal input{.amplitude = amplitude, .frequency = 0.1};
  Options o;
  o.end = periods * input.period();
  o.samples = samples;
  const auto r = s.respond(input, o);
  EXPECT_TRUE(r.ok()) << r.message;
  return r;
}
double area(const SystemResponse& r) {
  return r.marks.back().area - r.marks[r.marks.size() - 2].area;
}

const std::vector<double> widths{0.15, 0.24, 0.33, 0.42, 0.51, 0.6, 0.69, 0.78, 0.87, 0.96},
    springs{1, 1.8, 2.6, 3.4, 4.2, 5, 5.8, 6.6, 7.4, 8.2};
const std::vector<double> s_widths{1, 3, 5, 7, 9, 11, 13, 15, 17, 19},
    s_springs{-1, -1, -1, -1, -1, 2, 2, 2, 2, 2};

PlaysModel table_5_1() {
  const auto m =
      exponential_plays(11.9609, 4.6403, -0.1909, 1.1386, 3, {4.0904, 0.7774, -0.0666, -0.2686});
  PlaysModel p;
  p.direct = m.direct;
  p.thresholds = m.thresholds;
  p.weights = m.weights;
  p.scale = 4.0904, p.rate = 0.7774, p.shift = -0.0666, p.level = -0.2686;
  return p;
}

}  // namespace

// Thesis Fig. 1.7: areas in closed form, sum of 4 k w (A - w).
TEST(MaxwellSlip, LoopAreasAreTheClosedForm) {
  const auto s = as_system(MaxwellSlipModel{.thresholds = widths, .stiffnesses = springs});
  EXPECT_NEAR(area(drive(*s, 1.0, 2)), 30.534, 1e-12);   // oracle: operators.fig_1_7.area_1
  EXPECT_NEAR(area(drive(*s, 0.5, 2)), 1.69968, 1e-13);  // oracle: operators.fig_1_7.area_half
  const auto one = drive(*s, 1.0, 1);
  EXPECT_NEAR(one.output.back(), 11.466, 1e-12);
}

TEST(MaxwellSlip, AreasOfSShapedMapsAreTheClosedForm) {
  const auto s = as_system(MaxwellSlipModel{.thresholds = s_widths, .stiffnesses = s_springs});
  EXPECT_NEAR(area(drive(*s, 20.0, 2)), 1340.0, 1e-9);  // oracle: operators.fig_2_6.area_20
  EXPECT_NEAR(area(drive(*s, 10.0, 2)), -340.0, 1e-9);  // oracle: operators.fig_2_6.area_10
  const auto other = as_system(MaxwellSlipModel{.thresholds = {1, 2, 4, 6, 8, 10, 12, 14, 16, 18},
                                                .stiffnesses = {-2, -2, -2, -2, 2, 2, 2, 2, 2, 2}});
  EXPECT_NEAR(area(drive(*other, 5.0, 2)), -112.0, 1e-10);  // oracle: operators.fig_2_8.area_5
  // oracle: operators.fig_2_8.balanced
  EXPECT_NEAR(area(drive(*other, 14.419354838709678, 2)), 0.0, 1e-9);
  // oracle: -operators.fig_2_5.area
  EXPECT_NEAR(area(drive(*as_system(MaxwellSlipModel{.stiffnesses = {-2, -4}}), 5.0, 2)), -128.0,
              1e-10);
}

// Thesis (2.28)-(2.29).
TEST(MaxwellSlip, InverseHasThePublishedCoefficients) {
  const auto back = invert_multiplay(s_widths, s_springs);
  // oracle: operators.fig_2_10.stiffness_1
  EXPECT_NEAR(back.stiffnesses[0], 0.033333333333333354, 1e-16);
  // oracle: operators.fig_2_10.stiffness_2
  EXPECT_NEAR(back.stiffnesses[1], 0.023809523809523808, 1e-16);
  // oracle: operators.fig_2_10.stiffness_4
  EXPECT_NEAR(back.stiffnesses[3], 0.013888888888888895, 1e-16);
  // oracle: operators.fig_2_10.stiffness_7
  EXPECT_NEAR(back.stiffnesses[6], -0.04166666666666666, 1e-16);
  EXPECT_NEAR(back.stiffnesses[9], 0.5, 1e-16);   // oracle: operators.fig_2_10.stiffness_10
  EXPECT_NEAR(back.thresholds[1], 17.0, 1e-13);   // oracle: operators.fig_2_10.threshold_2
  EXPECT_NEAR(back.thresholds[4], 65.0, 1e-13);   // oracle: operators.fig_2_10.threshold_5
  EXPECT_NEAR(back.thresholds[8], 121.0, 1e-13);  // oracle: operators.fig_2_10.threshold_9
  EXPECT_EQ(back.reach, 19.0);
}

TEST(MaxwellSlip, InverseRecoversEveryInputWithinItsReach) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int round = 0; round < 50; ++round) {
    // Any memory that leaves the widest play at rest.
    PlaySum forward(maxwell_slip(s_widths, s_springs));
    for (int i = 0; i < 20; ++i) forward.update(19.0 * unit(random));
    const auto back = invert_multiplay(s_widths, s_springs, forward.states());
    PlaySum inverse(back.plays(), forward.output(), back.states);
    for (int i = 0; i < 200; ++i) {
      const double u = 19.0 * unit(random);
      ASSERT_NEAR(inverse.update(forward.update(u)), u, 1e-12 * 19.0);
    }
  }
}

// Fig. 2.9: beyond its reach the inverse lacks the vertical pieces.
TEST(MaxwellSlip, InverseFailsBeyondTheWidestThreshold) {
  MaxwellSlipModel m{.thresholds = s_widths, .stiffnesses = s_springs, .recover = 1};
  const auto within = drive(*as_system(m), 19.0, 2, 401), over = drive(*as_system(m), 20.0, 2, 401);
  double off = 0.0;
  for (std::size_t i = 0; i < within.time.size(); ++i) {
    EXPECT_NEAR(within.second[i], within.input[i], 1e-12 * 19.0);
    off = std::max(off, std::abs(over.second[i] - over.input[i]));
  }
  EXPECT_NEAR(off, 1.0, 1e-9);
}

TEST(MaxwellSlip, RefusesWhatHasNoInverse) {
  EXPECT_THROW(invert_multiplay({1, 2}, {-3, 1}), InvalidInput);
  EXPECT_THROW(invert_multiplay({1, 2}, {1, -1}), InvalidInput);
  EXPECT_THROW(invert_multiplay({1, 2}, {1, 1}, {0.0, 0.5}), InvalidInput);
  EXPECT_THROW(as_system(MaxwellSlipModel{.thresholds = {2, 1}}), InvalidInput);
}

// Thesis Table 5.1 with three plays; areas by quadrature of the branches, to 1e-11.
TEST(PrandtlIshlinskiiSystem, AreasOfTable51MatchTheReference) {
  const auto s = as_system(table_5_1());
  // oracle: operators.table_5_1.area_2
  EXPECT_NEAR(area(drive(*s, 2.0, 2)), -82.87914529618071, 1e-9);
  // oracle: operators.table_5_1.area_3
  EXPECT_NEAR(area(drive(*s, 3.0, 2)), -116.30864328665406, 1e-9);
}

TEST(PrandtlIshlinskiiSystem, ItsInverseModelUndoesIt) {
  const auto s = as_system(table_5_1());
  const SystemModel back = s->inverse();
  const auto inverse = make_system(back.name, back.values);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-2.0, 2.0);
  std::vector<double> u{0.0};
  for (int i = 0; i < 500; ++i) u.push_back(unit(random));
  const auto recovered = inverse->follow(s->follow(u));
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(recovered[i], u[i], 2e-12);
  // And the inverse of the inverse is the operator again.
  const SystemModel again = inverse->inverse();
  const auto same = make_system(again.name, again.values);
  EXPECT_NEAR(same->follow(u).back(), s->follow(u).back(), 1e-9);
}

TEST(PreisachSystem, ASingleRelaySquaresTheLoop) {
  PreisachModel m;
  m.levels = {-0.5, 0.5};
  m.weights = {3.0};
  // Up at 0.5, down at -0.5, outputs +-3: a counterclockwise box of 1 by 6.
  EXPECT_NEAR(area(drive(*as_system(m), 1.0, 2)), -6.0, 1e-12);
}

TEST(PreisachSystem, TheInverseMeetsTheInputToTheDistanceOfTheLevels) {
  PreisachModel m;
  m.levels.clear();
  m.weights.clear();
  for (int i = 0; i <= 40; ++i) {
    m.levels.push_back(-1.0 + 0.05 * i);
    for (int j = 0; j < i; ++j) m.weights.push_back(1.0 + 0.01 * i);
  }
  m.recover = 1;
  const auto r = drive(*as_system(m), 0.9, 2, 401);
  for (std::size_t i = 0; i < r.time.size(); ++i)
    EXPECT_NEAR(r.second[i], r.input[i], 0.0501) << r.time[i];
}

TEST(PreisachSystem, RefusesWeightsThatDoNotFit) {
  PreisachModel m;
  m.weights = {1.0};
  EXPECT_THROW(as_system(m), InvalidInput);
  m.weights = {1.0, -1.0, 1.0};
  m.role = 1;
  EXPECT_THROW(as_system(m), InvalidInput);
}

TEST(Systems, EveryOneCanBeMadeByNameAndAnswers) {
  EXPECT_GE(systems().size(), 9u);
  for (const auto& entry : systems()) {
    const auto s = make_system(entry.description.name);
    EXPECT_EQ(s->name(), entry.description.name);
    EXPECT_EQ(s->knows_no_time(), entry.knows_no_time);
    Options o;
    o.end = 3.0;
    o.samples = 7;
    const auto r = s->respond(Signal{}, o);
    EXPECT_TRUE(r.ok()) << entry.description.name << ": " << r.message;
    ASSERT_EQ(r.time.size(), 7u);
    EXPECT_EQ(r.output.size(), 7u);
    const auto same = make_system(entry.description.name, s->values());
    EXPECT_EQ(same->respond(Signal{}, o).output, r.output) << entry.description.name;
  }
  EXPECT_THROW(make_system("cubik"), InvalidInput);
}
}  // namespace bristle::operators_test
