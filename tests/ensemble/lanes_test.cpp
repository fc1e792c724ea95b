// SPDX-License-Identifier: MIT
// Runs in lanes: the same bits whatever runs beside them, and the motion that simulate() finds.
#include "bristle/ensemble/lanes.hpp"

#include <gtest/gtest.h>

#include "bristle/ensemble/random.hpp"
#include "bristle/model/bias.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle::lanes_test {
namespace {

using Laws = std::vector<std::shared_ptr<const AnyLaw>>;

// A factor between 0.7 and 1.3.
double about_one(int run, std::uint32_t dimension) {
  return 0.7 + 0.6 * random_uniform(3, RandomStream::draws, std::uint64_t(run), dimension);
}

struct Ensemble {
  Laws laws;
  std::vector<LaneCase> cases;
};
// Stick-slip with parameters that differ from run to run.
Ensemble stick_slip(const std::string& name, int count, double tolerance, double drag = 0.1) {
  Ensemble e;
  for (int i = 0; i < count; ++i) {
    Values values{{"stiffness", 1e5 * about_one(i, 0)},
                  {"damping", 300.0 * about_one(i, 1)},
                  {"stribeck_velocity", 0.001 * about_one(i, 2)}};
    const bool lugre = name == "lugre";
    values[lugre ? "coulomb_force" : "dynamic_coefficient"] = about_one(i, 3);
    values[lugre ? "static_force" : "static_coefficient"] = 1.5 * about_one(i, 3);
    e.laws.push_back(make_law(name, values));
    LaneCase c;
    c.body.spring = 2.0 * about_one(i, 4), c.body.drag_velocity = drag;
    c.options.end = 20.0, c.options.tolerance = tolerance, c.options.samples = 41.0;
    e.cases.push_back(c);
  }
  for (std::size_t i = 0; i < e.cases.size(); ++i) e.cases[i].law = e.laws[i].get();
  return e;
}

void expect_same_bits(const Simulation& a, const Simulation& b, const std::string& what) {
  EXPECT_EQ(a.trajectory.time, b.trajectory.time) << what;
  EXPECT_EQ(a.trajectory.position, b.trajectory.position) << what;
  EXPECT_EQ(a.trajectory.velocity, b.trajectory.velocity) << what;
  EXPECT_EQ(a.trajectory.state, b.trajectory.state) << what;
  EXPECT_EQ(a.trajectory.force, b.trajectory.force) << what;
  EXPECT_EQ(a.summary.counts.steps, b.summary.counts.steps) << what;
}

TEST(Lanes, HaveTheSameBitsWhateverRunsBesideThem) {
  const Ensemble e = stick_slip("lugre", 37, 1e-6);
  const auto together = simulate_in_lanes(e.cases);
  for (std::size_t i = 0; i < e.cases.size(); ++i) {
    const auto alone = simulate_in_lanes(std::span(e.cases).subspan(i, 1));
    ASSERT_TRUE(together[i] && alone[0]) << i;
    expect_same_bits(*together[i], *alone[0], "run " + std::to_string(i));
  }
}

TEST(Lanes, HaveTheSameBitsWithAllInstructionsOfTheProcessor) {
  const Ensemble e = stick_slip("lugre", 9, 1e-6);
  const auto widest = simulate_in_lanes(e.cases);
  const auto sets = lane_sets();
  ASSERT_GE(sets.size(), 1u);
  for (std::size_t set = 1; set < sets.size(); ++set) {
    const auto other = simulate_in_lanes(e.cases, set);
    for (std::size_t i = 0; i < e.cases.size(); ++i)
      expect_same_bits(*widest[i], *other[i], std::string(sets[set].name));
  }
}

TEST(Lanes, MirrorTheMotionToTheBit) {
  const Ensemble forth = stick_slip("lugre", 5, 1e-7), back = stick_slip("lugre", 5, 1e-7, -0.1);
  const auto a = simulate_in_lanes(forth.cases), b = simulate_in_lanes(back.cases);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a[i]->trajectory.size(); ++k) {
      EXPECT_EQ(a[i]->trajectory.position[k], -b[i]->trajectory.position[k]);
      EXPECT_EQ(a[i]->trajectory.force[k], -b[i]->trajectory.force[k]);
    }
}

TEST(Lanes, FindTheMotionThatSimulateFinds) {
  for (const char* name : {"lugre", "frbd"}) {
    const Ensemble e = stick_slip(name, 24, 1e-8);
    const auto lanes = simulate_in_lanes(e.cases);
    for (std::size_t i = 0; i < e.cases.size(); ++i) {
      Options tight = e.cases[i].options;
      tight.tolerance = 1e-11;
      const Simulation s = simulate(*e.cases[i].law, e.cases[i].body, tight);
      ASSERT_TRUE(s.summary.ok() && lanes[i]) << name << " " << i;
      ASSERT_EQ(lanes[i]->trajectory.time, s.trajectory.time);
      // Some hundred tolerances of the way of 2 m: the bar of simulate() on random runs.
      for (std::size_t k = 0; k < s.trajectory.size(); ++k)
        EXPECT_NEAR(lanes[i]->trajectory.position[k], s.trajectory.position[k], 4e-6)
            << name << " run " << i << " at " << s.trajectory.time[k];
    }
  }
}

TEST(Lanes, FollowABodyThatTurnsRoundManyTimes) {
  // A mass on a weak bristle rings about its spring: every half period is a reversal.
  const auto law = make_law("lugre", {{"stiffness", 1e3},
                                      {"damping", 1.0},
                                      {"viscous", 0.0},
                                      {"coulomb_force", 0.02},
                                      {"static_force", 0.03}});
  LaneCase c;
  c.law = law.get();
  c.body.spring = 40.0, c.body.drag_velocity = 0.0;
  c.options.initial.position = 0.05;
  c.options.end = 5.0, c.options.samples = 51.0, c.options.tolerance = 1e-8;
  const auto lanes = simulate_in_lanes(std::span(&c, 1));
  Options tight = c.options;
  tight.tolerance = 1e-11;
  const Simulation s = simulate(*law, c.body, tight);
  ASSERT_TRUE(s.summary.ok() && lanes[0]);
  for (std::size_t k = 0; k < s.trajectory.size(); ++k)
    EXPECT_NEAR(lanes[0]->trajectory.position[k], s.trajectory.position[k], 1e-7) << k;
}

TEST(Lanes, LeaveABodyThatHardlyMovesToOthers) {
  const auto law = make_law("lugre", {});
  LaneCase c;
  c.law = law.get();
  c.body.drag_velocity = 1e-6;
  EXPECT_FALSE(simulate_in_lanes(std::span(&c, 1))[0]);
  EXPECT_TRUE(simulate_in_lanes({}).empty());
}

TEST(Lanes, SayWhichLawsTheyDoNotTake) {
  EXPECT_EQ(lanes_refuse(*make_law("lugre", {})), "");
  EXPECT_EQ(lanes_refuse(*make_law("frbd", {})), "");
  EXPECT_EQ(lanes_refuse(*make_law("dahl", {})), "the law dahl is neither lugre nor frbd");
  const auto with_offset = biased(make_law("lugre", {}), ForceBias{.offset = 0.1});
  EXPECT_EQ(lanes_refuse(*with_offset), "the law has a bias");
}

}  // namespace
}  // namespace bristle::lanes_test
