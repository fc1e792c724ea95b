// SPDX-License-Identifier: MIT
// Bodies on rows of bristles: events, stick, and the independent numbers of oracle/.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/model/compressed_bristle.hpp"
#include "bristle/model/drbm.hpp"
#include "bristle/model/rotating_bristle.hpp"
#include "bristle/model/sawtooth.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::rows_test {
namespace {

Options to(double end, double samples, double tolerance) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = tolerance;
  return o;
}
std::vector<double> times(const Simulation& run, EventKind kind) {
  std::vector<double> all;
  for (const auto& e : run.trajectory.events)
    if (e.kind == kind) all.push_back(e.time);
  return all;
}
double areas_from(const Simulation& run, std::size_t first) {
  const auto& p = run.trajectory.periods;
  return (p.back().work_in - p.at(first - 1).work_in) / double(p.size() - first);
}
WallSpringMass sine(double spring, double amplitude, double frequency) {
  WallSpringMass m;
  m.spring = spring;
  m.signal.amplitude = amplitude;
  m.signal.frequency = frequency;
  return m;
}

// Thesis Fig. 3.7. The time of a break-away moves five thousand times as much as the place of the
// stick.
TEST(DrbmStickSlip, BreaksAwayAndSticksAgainWhenAnIndependentComputationDoes) {
  const DraggedMass body{1.0, 1.0, 0.002};
  Drbm<> law;
  law.reach = 0.01;
  const auto run = simulate(law, body, to(140.0, 1401, 1e-13));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  const auto slips = times(run, EventKind::slip), sticks = times(run, EventKind::stick);
  ASSERT_EQ(slips.size(), 2u);
  ASSERT_EQ(sticks.size(), 2u);
  EXPECT_NEAR(slips[0], 25.16711275368161, 1e-9);  // oracle: rows.fig_3_7.slip_1
  // oracle: rows.fig_3_7.slip_2
  EXPECT_NEAR(slips[1], 104.70586601600886, 1.7e-9);  // known to 1.5e-9
  EXPECT_NEAR(sticks[1], 135.8622110779122, 1e-9);    // oracle: rows.fig_3_7.stick_2
  const auto& x = run.trajectory.position;
  EXPECT_NEAR(x.back(), 0.22222465667447253, 1e-10);  // oracle: rows.fig_3_7.x_140
  EXPECT_NEAR(x[600], 0.0033054610378361977, 1e-10);  // oracle: rows.fig_3_7.x_60
  EXPECT_NEAR(x[790], 0.047958054939327525, 1e-9);    // oracle: rows.fig_3_7.x_79
  EXPECT_NEAR(x[1100], 0.11285477552830807, 1e-10);   // oracle: rows.fig_3_7.x_110
  EXPECT_NEAR(x[1300], 0.11474476319789921, 1e-10);   // oracle: rows.fig_3_7.x_130

  law.reach = 0.0;  // from the length of a bristle
  const auto other = simulate(law, body, to(140.0, 1401, 1e-13));
  // oracle: rows.fig_3_7.own_reach.stick_1
  EXPECT_NEAR(times(other, EventKind::stick).at(0), 80.70245099397496, 1e-9);
  // oracle: rows.fig_3_7.own_reach.x_80
  EXPECT_NEAR(other.trajectory.position[800], 0.10263519398659954, 1e-9);
}

TEST(DrbmStickSlip, RestsWithVelocityExactlyZero) {
  Drbm<> law;
  const auto run = simulate(law, DraggedMass{1.0, 1.0, 0.002}, to(140.0, 1401, 1e-9));
  int rests = 0;
  for (std::size_t i = 0; i < run.trajectory.size(); ++i)
    if (run.trajectory.mode[i] == 0.0) {
      ++rests;
      EXPECT_EQ(run.trajectory.velocity[i], 0.0);
    }
  EXPECT_GT(rests, 400);
}

// Thesis Fig. 3.9.
TEST(DrbmHysteresis, FollowsAnIndependentComputation) {
  Drbm<> law;
  law.body_length = 1.0;
  law.reach = 0.01;
  const auto run = simulate(law, sine(1.0, 1.0, 0.001), to(500.0, 501, 1e-13));
  // oracle: rows.fig_3_9.x_120
  EXPECT_NEAR(run.trajectory.position[120], 0.0033128962241750345, 1e-10);
  // oracle: rows.fig_3_9.x_200
  EXPECT_NEAR(run.trajectory.position[200], 0.10816250481896127, 1e-9);
  law.spacing = 0.01;
  law.gaps = Drbm<>::allow;
  const auto gaps = simulate(law, sine(1.0, 1.0, 0.001), to(500.0, 501, 1e-13));
  // oracle: rows.fig_3_9.printed.x_50
  EXPECT_NEAR(gaps.trajectory.position[50], 0.004510244620207854, 1e-10);
  // oracle: rows.fig_3_9.printed.x_200
  EXPECT_NEAR(gaps.trajectory.position[200], 0.11806324112522043, 1e-9);
  // oracle: rows.fig_3_9.printed.x_300
  EXPECT_NEAR(gaps.trajectory.position[300], 0.2268618059666677, 1e-9);
}

TEST(DrbmHysteresis, HasTheAreaOfAnIndependentComputationAndThatOfItsReleases) {
  Drbm<> law;
  law.body_length = 1.0;
  const double period = 2000.0 * std::numbers::pi;
  const auto run = simulate(law, sine(1.0, 1.0, 0.001), to(4.0 * period, 401, 1e-9));
  EXPECT_NEAR(areas_from(run, 1), 0.378238, 1.2e-5);
  // Thesis (3.45): what the bristles released is what the loop encloses, to a release or two.
  long count = 0;
  for (const auto& e : run.trajectory.events)
    count += e.kind == EventKind::release && e.time > 3.0 * period;
  EXPECT_EQ(count, 754);
  EXPECT_NEAR(double(count) * law.release_energy(), 0.378238, 2.0 * law.release_energy());
}

// Two loops live side by side: where the body starts decides.
TEST(DrbmHysteresis, KeepsOneOfTwoLoopsDependingOnItsStart) {
  Drbm<> law;
  law.body_length = 1.0;
  auto o = to(3.0 * 2000.0 * std::numbers::pi, 101, 1e-8);
  o.initial.position = 0.0317;
  const auto run = simulate(law, sine(1.0, 1.0, 0.001), o);
  EXPECT_NEAR(areas_from(run, 1), 0.35742, 2e-4);  // oracle: rows.fig_3_9.elsewhere.area
}

TEST(SawtoothHysteresis, HasTheAreasOfAnIndependentComputation) {
  const auto run =
      simulate(Sawtooth<>{}, sine(1.0, 2.0, 0.01), to(600.0 * std::numbers::pi, 101, 1e-12));
  const auto& p = run.trajectory.periods;
  ASSERT_EQ(p.size(), 3u);
  EXPECT_NEAR(p[0].work_in, 3.371715727, 4e-9);                 // oracle: piecewise.sawtooth.area_1
  EXPECT_NEAR(p[2].work_in - p[1].work_in, 3.626842226, 1e-8);  // oracle: piecewise.sawtooth.area_3
}

// Thesis Fig. 3.5, with each bristle knowing its side and with Table 3.1 to the letter.
TEST(RotatingBristleStickSlip, FollowsAnIndependentComputationBristleByBristle) {
  const auto run = simulate(RotatingBristle<>{}, DraggedMass{1.0, 1.0, 0.5}, to(10.0, 1001, 1e-13));
  const auto& t = run.trajectory;
  EXPECT_NEAR(t.position[50], 0.010287175050205905, 1e-11);   // oracle: rotating.bristles.x_0_5
  EXPECT_NEAR(t.position[100], 0.015388054272636946, 1e-11);  // oracle: rotating.bristles.x_1
  EXPECT_NEAR(t.velocity[200], 0.044140363525398685, 1e-10);  // oracle: rotating.bristles.v_2
  EXPECT_NEAR(t.position[500], 1.3989633570746842, 1e-9);     // oracle: rotating.bristles.x_5
  EXPECT_NEAR(t.position[1000], 3.545432264833154, 1e-9);     // oracle: rotating.bristles.x_10
  const auto turns = times(run, EventKind::reversal);
  EXPECT_NEAR(turns.at(0), 0.7738516397866378, 1e-10);  // oracle: rotating.bristles.reversal_1
  EXPECT_NEAR(turns.at(1), 1.067656696749705, 1e-10);   // oracle: rotating.bristles.reversal_2
  EXPECT_LT(run.summary.ledger.relative_error, 1e-9);
}
TEST(RotatingBristleStickSlip, FollowsAnIndependentComputationByTheTable) {
  RotatingBristle<> law;
  law.bookkeeping = RotatingBristle<>::table;
  const auto run = simulate(law, DraggedMass{1.0, 1.0, 0.5}, to(10.0, 1001, 1e-13));
  const auto& t = run.trajectory;
  EXPECT_NEAR(t.velocity[100], -0.11585199122498609, 1e-10);  // oracle: rotating.table.v_1
  EXPECT_NEAR(t.position[200], 0.17254966008863, 1e-9);       // oracle: rotating.table.x_2
  EXPECT_NEAR(t.position[500], 1.8458882742418385, 1e-8);     // oracle: rotating.table.x_5
  // oracle: rotating.table.reversal_2
  EXPECT_NEAR(times(run, EventKind::reversal).at(1), 1.4502541035077936, 1e-9);
}

// Compressed bristle model Fig. 4.
TEST(CompressedBristleStickSlip, FollowsAnIndependentComputationWithTheHeightFree) {
  CompressedBristle<> law;
  law.relaxed_length = 2.69;
  law.spacing = (2.0 - law.slant_length()) / 499.0;
  const auto run = simulate(law, DraggedMass{1.0, 5.0, 0.1}, to(60.0, 601, 1e-12));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  // oracle: rows.fig_p_4.slip_1 .slip_2 .slip_3 .slip_4
  const double slips[] = {0.9875565830, 3.4841434044, 6.4914089942, 9.0033849139};
  // oracle: rows.fig_p_4.stick_1 .stick_2 .stick_3
  const double sticks[] = {2.1802818203, 4.9651075873, 7.6931145191};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(times(run, EventKind::slip).at(i), slips[i], 1e-9);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(times(run, EventKind::stick).at(i), sticks[i], 1e-9);
  const auto& t = run.trajectory;
  EXPECT_NEAR(t.height[10], 2.061809046009, 1e-9);     // oracle: rows.fig_p_4.y_1
  EXPECT_NEAR(t.force[10], 0.473294922330, 1e-9);      // oracle: rows.fig_p_4.force_1
  EXPECT_NEAR(t.position[50], 0.548308205523, 1e-9);   // oracle: rows.fig_p_4.x_5
  EXPECT_NEAR(t.height[50], 0.754179039015, 1e-9);     // oracle: rows.fig_p_4.y_5
  EXPECT_NEAR(t.velocity[100], 0.474962831250, 1e-9);  // oracle: rows.fig_p_4.v_10
  EXPECT_NEAR(t.position[200], 1.810934665756, 1e-9);  // oracle: rows.fig_p_4.x_20
  EXPECT_NEAR(t.position[600], 6.037555747444, 1e-9);  // oracle: rows.fig_p_4.x_60
  EXPECT_NEAR(t.height[600], 1.046793972811, 1e-9);    // oracle: rows.fig_p_4.y_60
  // oracle: rows.fig_p_4.friction_work
  EXPECT_NEAR(run.summary.ledger.friction_work, 2.6723130048, 1e-9);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-9);
}
TEST(CompressedBristleStickSlip, FollowsAnIndependentComputationOnASofterRow) {
  const auto run =
      simulate(CompressedBristle<>{}, DraggedMass{1.0, 5.0, 0.1}, to(60.0, 601, 1e-12));
  const auto& t = run.trajectory;
  // oracle: rows.fig_p_9.slip_1
  EXPECT_NEAR(times(run, EventKind::slip).at(0), 2.2239649485, 1e-9);
  // oracle: rows.fig_p_9.stick_2
  EXPECT_NEAR(times(run, EventKind::stick).at(1), 7.9820607394, 1e-9);
  EXPECT_NEAR(t.position[50], 0.375374259886, 1e-9);   // oracle: rows.fig_p_9.x_5
  EXPECT_NEAR(t.velocity[100], 0.255700706820, 1e-9);  // oracle: rows.fig_p_9.v_10
  EXPECT_NEAR(t.position[600], 5.860727216819, 1e-9);  // oracle: rows.fig_p_9.x_60
}
// Fig. 6: the height is given.
TEST(CompressedBristleStickSlip, FollowsAnIndependentComputationWithTheHeightPrescribed) {
  CompressedBristle<> law;
  law.relaxed_length = 4.46;
  law.bristle_stiffness = 0.05;
  law.bottom_bristles = 100.0;
  law.spacing = (2.0 - law.slant_length()) / 99.0;
  law.height = CompressedBristle<>::prescribed;
  law.height_amplitude = 0.3;
  law.height_frequency = 6.8;
  const auto run = simulate(law, DraggedMass{1.0, 2.0, 0.1}, to(22.0, 221, 1e-13));
  const auto slips = times(run, EventKind::slip);
  EXPECT_NEAR(slips.at(0), 16.701838605, 1e-8);                     // oracle: rows.fig_p_6.slip_1
  EXPECT_NEAR(slips.at(1), 20.514759064, 1e-8);                     // oracle: rows.fig_p_6.slip_2
  EXPECT_NEAR(slips.at(2), 21.294657890, 1e-8);                     // oracle: rows.fig_p_6.slip_3
  EXPECT_NEAR(run.trajectory.position[200], 0.422808592563, 1e-9);  // oracle: rows.fig_p_6.x_20
}
// Fig. 7.
TEST(CompressedBristleHysteresis, HasTheAreasOfAnIndependentComputation) {
  const auto run = simulate(CompressedBristle<>{}, sine(2.0, 2.0, 0.01),
                            to(400.0 * std::numbers::pi, 101, 1e-12));
  const auto& p = run.trajectory.periods;
  EXPECT_NEAR(p.at(0).work_in, 1.839674393, 1e-8);                 // oracle: rows.fig_p_7.area_1
  EXPECT_NEAR(p.at(1).work_in - p[0].work_in, 2.079413760, 1e-7);  // oracle: rows.fig_p_7.area_2
}

TEST(CompressedBristle, SaysWhereItsBodyLeavesTheRow) {
  CompressedBristle<> law;
  auto o = to(20.0, 201, 1e-9);
  o.initial.height_rate = 20.0;
  const auto run = simulate(law, DraggedMass{1.0, 5.0, 0.1}, o);
  EXPECT_EQ(run.summary.status, Status::out_of_range);
  EXPECT_NE(run.summary.message.find("relaxed length of the bristles, 1.65 m"), std::string::npos)
      << run.summary.message;
  EXPECT_FALSE(run.trajectory.time.empty());
  EXPECT_LT(run.trajectory.height.back(), 1.65);
}

// The cost of a run does not depend on how many bristles the slant stands on.
TEST(CompressedBristle, AsAContinuumIsTheLimitOfDenseRows) {
  CompressedBristle<> law;
  law.row = CompressedBristle<>::continuum;
  const auto limit = simulate(law, DraggedMass{1.0, 5.0, 0.1}, to(3.0, 31, 1e-10));
  law.row = CompressedBristle<>::bristles;
  double before = 1.0;
  for (const double finer : {1.0, 4.0, 16.0}) {
    CompressedBristle<> row = law;
    row.spacing = law.spacing / finer;
    row.bristle_stiffness = law.bristle_stiffness / finer;
    row.bottom_bristles = law.bottom_bristles * finer;
    const auto run = simulate(row, DraggedMass{1.0, 5.0, 0.1}, to(3.0, 31, 1e-10));
    const double off = std::abs(run.trajectory.position.back() - limit.trajectory.position.back());
    EXPECT_LT(off, 0.6 * before);
    before = off;
  }
  EXPECT_LT(before, 1e-3);
}

// A law for the three ways a flow can meet v = 0.
struct Sided {
  using Number = double;
  static constexpr std::string_view name = "sided";
  static constexpr std::string_view summary = "given force in each direction";
  double ahead = 1.0, behind = -1.0;
  static constexpr auto fields() {
    return std::array{Field<Sided>{"ahead", "N", "forward", any_number, &Sided::ahead},
                      Field<Sided>{"behind", "N", "backward", any_number, &Sided::behind}};
  }
  template <class S, class V>
  S sliding(const Motion<S>&, const Branch<V>& branch) const {
    return S(branch.direction > 0.0 ? ahead : behind);
  }
  template <class S>
  Interval<S> limits(const Motion<S>&) const {
    return {S(behind), S(ahead)};
  }
};

Simulation pushed(const Sided& law, double force, double velocity) {
  WallSpringMass body;
  body.spring = 0.0;
  body.signal.shape = Signal::sine;
  body.signal.amplitude = 0.0;
  body.signal.offset = force;
  auto o = to(1.0, 11, 1e-10);
  o.initial.velocity = velocity;
  return simulate(law, body, o);
}

TEST(Filippov, AttractiveFlowRestsExactly) {
  const auto run = pushed({1.0, -1.0}, 0.5, 0.1);
  EXPECT_EQ(run.trajectory.velocity.back(), 0.0);
  EXPECT_NEAR(times(run, EventKind::stick).at(0), 0.2, 1e-12);
}
TEST(Filippov, TransversalFlowCrossesWithoutRest) {
  const auto run = pushed({1.0, 0.2}, -0.5, 0.3);
  EXPECT_TRUE(times(run, EventKind::stick).empty());
  // Slows by 1.5 m/s2 to zero at 0.2 s, then goes on with 0.7 m/s2.
  EXPECT_NEAR(run.trajectory.velocity.back(), -0.7 * 0.8, 1e-12);
}
TEST(Filippov, RepulsiveFlowLeavesForward) {
  const auto run = pushed({-1.0, 1.0}, 0.0, 0.0);
  EXPECT_NEAR(run.trajectory.velocity.back(), 1.0, 1e-12);
}

// Events the user asks for, located within the step by its interpolation.
TEST(Watch, FindsPassagesOfAValue) {
  WallSpringMass body;
  body.signal.amplitude = 0.0;
  auto o = to(6.0, 11, 1e-12);
  o.initial.position = 1.0;
  o.watches = {{"half way", [](const Motion<double>& m, double) { return m.position - 0.5; }}};
  const auto run = simulate(Sided{0.0, 0.0}, body, o);  // cos t
  const auto found = times(run, EventKind::watched);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0], std::numbers::pi / 3.0, 1e-9);
  EXPECT_NEAR(found[1], 5.0 * std::numbers::pi / 3.0, 1e-9);
  EXPECT_EQ(run.trajectory.events.back().watch, 0);
}

// The Switch Model comes nearer as its tolerance and its band shrink.
TEST(SwitchModel, ApproachesTheEventDrivenSolution) {
  BRISTLE_NEEDS_SUNDIALS();
  const DraggedMass body{1.0, 1.0, 0.002};
  Drbm<> law;
  auto o = to(140.0, 141, 1e-12);
  const auto exact = simulate(law, body, o);
  o.method = Options::switch_model;
  double before = 1.0;
  for (const double size : {1e-4, 1e-6, 1e-8}) {
    o.switch_band = size;
    o.tolerance = 1e-3 * size;
    const auto run = simulate(law, body, o);
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    const double off = std::abs(run.trajectory.position.back() - exact.trajectory.position.back());
    EXPECT_LT(off, before) << "band " << size;
    before = off;
  }
  EXPECT_LT(before, 1e-5);
}
TEST(SwitchModel, IsRefusedForALawWithAState) {
  Options o;
  o.method = Options::switch_model;
  EXPECT_THROW(simulate(RotatingBristle<>{}, DraggedMass{}, o), InvalidInput);
}

// Friction that grows beyond all numbers away from the start: trial steps that go there are no
// steps.
struct Cliff {
  using Number = double;
  static constexpr bool by_position = true;
  static constexpr std::string_view name = "cliff";
  static constexpr std::string_view summary = "friction that grows very fast with the distance";
  double force = 0.05;
  static constexpr auto fields() {
    return std::array{Field<Cliff>{"force", "N", "force at the start", positive, &Cliff::force}};
  }
  template <class S, class V>
  S sliding(const Motion<S>& m, const Branch<V>& b) const {
    return b.direction * (force + pow(S(m.position / 0.005), 60.0));
  }
  template <class S>
  Interval<S> limits(const Motion<S>& m) const {
    const S f = force + pow(S(m.position / 0.005), 60.0);
    return {-f, f};
  }
  double force_scale() const { return force; }
};

TEST(Explicit, StepsThatOverflowAreNotTaken) {
  WallSpringMass body;
  body.signal.frequency = 0.001;
  body.signal.amplitude = 0.2;
  const auto end = [&](double tolerance) {
    Options o;
    o.end = 1500.0;
    o.tolerance = tolerance;
    const auto run = simulate(Cliff{}, body, o);
    EXPECT_TRUE(run.summary.ok()) << run.summary.message;
    return run.trajectory.position.back();
  };
  const double there = end(1e-9);
  EXPECT_GT(there, 0.003);
  EXPECT_NEAR(end(1e-5), there, 1e-5);
}

}  // namespace
}  // namespace bristle::rows_test
