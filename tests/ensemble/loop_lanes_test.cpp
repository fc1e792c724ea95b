// SPDX-License-Identifier: MIT
// Fixed-step runs of an axis in lanes: those of simulate() to rounding, the same bits whatever runs
// beside them.
#include "bristle/ensemble/loop_lanes.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "bristle/ensemble/lanes.hpp"
#include "bristle/ensemble/random.hpp"
#include "bristle/model/bias.hpp"
#include "bristle/model/registry.hpp"

namespace bristle::loop_lanes_test {
namespace {

// A factor between 0.7 and 1.3.
double about_one(int run, std::uint32_t dimension) {
  return 0.7 + 0.6 * random_uniform(5, RandomStream::draws, std::uint64_t(run), dimension);
}

Values law_values(const std::string& name, int run) {
  const double low = about_one(run, 0), high = low * (1.1 + 0.5 * about_one(run, 1));
  if (name == "coulomb") return {{"coulomb_force", low}};
  if (name == "stribeck")
    return {{"coulomb_force", low},
            {"static_force", high},
            {"stribeck_velocity", 0.01 * about_one(run, 2)},
            {"viscous", 0.3 * about_one(run, 3)}};
  if (name == "frbd")
    return {{"dynamic_coefficient", low},
            {"static_coefficient", high},
            {"stribeck_velocity", 0.01 * about_one(run, 2)}};
  return {{"coulomb_force", low},
          {"static_force", high},
          {"stiffness", 1e5 * about_one(run, 2)},
          {"stribeck_velocity", 0.01 * about_one(run, 3)}};
}

// An axis on a gear, whose motor a controller drives after a sine: it turns round twice a period.
MachineParts axis(const std::string& law, int run) {
  MachineParts parts;
  parts.bodies = {{"motor", {.inertia = 0.2 * about_one(run, 4)}},
                  {"slide", {.inertia = 1.0, .position = 0.002}}};
  parts.couplings = {{"gear", {"motor", "slide"}, couple(Gear{2.0})},
                     {"cable", {"slide", "ground"}, couple(SpringDamper{3.0, 0.2, 0.01})}};
  parts.contacts = {{"guide", between("slide", "ground"), make_law(law, law_values(law, run))}};
  ControllerPart pid{"pid", "slide", "motor", {}, {}};
  pid.controller.position_gain = 400.0 * about_one(run, 5);
  pid.controller.velocity_gain = 20.0;
  pid.controller.integral_gain = 300.0 * about_one(run, 6);
  pid.controller.saturation = 5.0, pid.controller.resolution = 1e-5;
  pid.reference.amplitude = pid.reference.amplitude_after = 0.02 * about_one(run, 7);
  pid.reference.frequency = 6.0;
  parts.controllers = {pid};
  return parts;
}

struct Ensemble {
  std::vector<Machine> machines;
  Options options;

  std::vector<LoopCase> cases() const {
    std::vector<LoopCase> all;
    for (const auto& machine : machines) all.push_back({&machine, options});
    return all;
  }
};
Ensemble ensemble(const std::string& law, int count,
                  const std::function<void(MachineParts&)>& change = {}) {
  Ensemble e;
  e.options.method = Options::coupled;
  e.options.end = 2.0, e.options.step = 1e-3, e.options.samples = 201.0;
  for (int i = 0; i < count; ++i) {
    MachineParts parts = axis(law, i);
    if (change) change(parts);
    e.machines.emplace_back(std::move(parts));
  }
  return e;
}

const std::vector<std::string> columns{"motor.position", "slide.position", "slide.velocity",
                                       "guide.velocity", "guide.force",    "guide.state",
                                       "guide.mode",     "pid.force",      "pid.reference"};

// How far the columns of the lanes are from those of simulate(), over the largest value of each.
double apart(const Ensemble& e, const std::vector<std::string>& names = columns) {
  const auto cases = e.cases();
  const auto lanes = simulate_loops_in_lanes(cases, names);
  double worst = 0.0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const MachineResult one = simulate(e.machines[i], e.options);
    EXPECT_TRUE(one.summary.ok() && lanes[i]) << one.summary.message;
    if (!lanes[i]) return HUGE_VAL;
    EXPECT_EQ((*lanes[i])["time"], one["time"]);
    for (const auto& name : names) {
      const auto &a = (*lanes[i])[name], &b = one[name];
      EXPECT_EQ(a.size(), b.size());
      double size = 1e-300, off = 0.0;
      for (const double value : b) size = std::max(size, std::abs(value));
      for (std::size_t k = 0; k < b.size(); ++k) off = std::max(off, std::abs(a[k] - b[k]));
      worst = std::max(worst, off / size);
      EXPECT_LE(off / size, 1e-9) << name << " of run " << i;
    }
  }
  return worst;
}

TEST(LoopLanes, GiveTheMotionOfSimulateToRounding) {
  for (const char* law : {"coulomb", "stribeck", "lugre", "frbd"})
    EXPECT_LE(apart(ensemble(law, 37)), 1e-9) << law;
}

TEST(LoopLanes, HaveTheSameBitsWhateverRunsBesideThem) {
  const Ensemble e = ensemble("stribeck", 19);
  const auto cases = e.cases();
  const auto together = simulate_loops_in_lanes(cases, columns);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto alone = simulate_loops_in_lanes(std::span(cases).subspan(i, 1), columns);
    ASSERT_TRUE(together[i] && alone[0]);
    for (const auto& name : columns) EXPECT_EQ((*together[i])[name], (*alone[0])[name]) << name;
  }
}

TEST(LoopLanes, HaveTheSameBitsWithAllInstructionsOfTheProcessor) {
  for (const char* law : {"coulomb", "lugre"}) {
    const Ensemble e = ensemble(law, 5);
    const auto cases = e.cases();
    const auto widest = simulate_loops_in_lanes(cases, columns);
    for (std::size_t set = 1; set < lane_sets().size(); ++set) {
      const auto other = simulate_loops_in_lanes(cases, columns, set);
      for (std::size_t i = 0; i < cases.size(); ++i)
        for (const auto& name : columns) EXPECT_EQ((*widest[i])[name], (*other[i])[name]) << name;
    }
  }
}

TEST(LoopLanes, KnowEveryFormOfTheController) {
  for (int form = 0; form < 3; ++form)
    for (int sensing = 0; sensing < 3; ++sensing)
      EXPECT_LE(apart(ensemble("coulomb", 9,
                               [&](MachineParts& parts) {
                                 Controller& c = parts.controllers[0].controller;
                                 c.form = form, c.sensing = sensing;
                                 c.delay = 2.0, c.reference_delay = 3.0;
                                 c.feedforward = 0.7, c.gain = 0.9;
                                 if (form != Controller::parallel) c.position_gain = 20.0;
                               })),
                1e-9)
          << form << " " << sensing;
}

TEST(LoopLanes, StepToTheSamplesOfASlowerAndAFasterController) {
  for (const double step : {2.5e-3, 4e-4, 7.3e-4})
    EXPECT_LE(
        apart(ensemble("stribeck", 9,
                       [&](MachineParts& parts) { parts.controllers[0].controller.step = step; })),
        1e-9)
        << step;
}

TEST(LoopLanes, FollowGivenForcesWithoutAController) {
  Ensemble e;
  e.options.method = Options::coupled;
  e.options.end = 1.0, e.options.step = 1e-3, e.options.samples = 101.0;
  e.options.record_from = 0.2;
  for (int i = 0; i < 17; ++i) {
    MachineParts parts = axis("lugre", i);
    parts.controllers.clear();
    InputPart push{"push", "slide", {}, {}};
    push.signal.amplitude = push.signal.amplitude_after = 3.0 * about_one(i, 8);
    push.signal.frequency = 9.0;
    push.settings.bias = 0.2, push.settings.delay = 0.01 * about_one(i, 9);
    parts.inputs = {push};
    parts.contacts[0].settings.load = 2.0;
    parts.contacts[0].settings.forces = ContactSettings::per_load;
    e.machines.emplace_back(std::move(parts));
  }
  EXPECT_LE(apart(e, {"slide.position", "guide.force", "guide.mode", "push.force"}), 1e-9);
}

TEST(LoopLanes, LeaveRunsToOthersThatHaveNoSolution) {
  Ensemble e = ensemble("coulomb", 3);
  MachineParts parts = axis("coulomb", 0);
  parts.controllers[0].controller.saturation = 0.0;
  parts.controllers[0].controller.position_gain = 1e300;
  parts.controllers[0].controller.velocity_gain = 1e300;
  e.machines[1] = Machine(parts);
  const auto cases = e.cases();
  const auto lanes = simulate_loops_in_lanes(cases, columns);
  EXPECT_TRUE(lanes[0]);
  EXPECT_FALSE(lanes[1]);
  EXPECT_TRUE(lanes[2]);
}

TEST(LoopLanes, SayWhatTheyDoNotTake) {
  const Ensemble e = ensemble("coulomb", 1);
  const auto why = [&](const std::function<void(MachineParts&)>& change) {
    MachineParts parts = axis("coulomb", 0);
    change(parts);
    return loop_lanes_refuse(Machine(parts), e.options);
  };
  EXPECT_EQ(why([](MachineParts&) {}), "");
  EXPECT_EQ(loop_lanes_refuse(e.machines[0], {}), "their method for machines is coupled");
  EXPECT_EQ(why([](MachineParts& p) { p.contacts[0].law = make_law("dahl", {}); }),
            "the law dahl is not one of lugre, frbd, coulomb and stribeck");
  EXPECT_EQ(why([](MachineParts& p) {
              p.contacts[0].law = biased(make_law("coulomb", {}), ForceBias{.offset = 0.1});
            }),
            "the law has a bias");
  EXPECT_EQ(why([](MachineParts& p) {
              p.couplings.erase(p.couplings.begin());
              p.couplings[0].between[1] = "motor";
            }),
            "they step machines of one coordinate, this one has 2");
  EXPECT_EQ(why([](MachineParts& p) {
              p.contacts.push_back(p.contacts[0]);
              p.contacts[1].name = "seal";
            }),
            "they step one contact, this machine has 2");
  EXPECT_TRUE(loop_lanes_have(e.machines[0], "guide.mode"));
  EXPECT_FALSE(loop_lanes_have(e.machines[0], "guide.work"));
}

}  // namespace
}  // namespace bristle::loop_lanes_test
