// SPDX-License-Identifier: MIT
#include "bristle/io/measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io::measure_test {
namespace {

using test::contains;
using test::TemporaryDirectory;

Case case_of(std::optional<AnyMechanism> mechanism, const std::string& law = "lugre") {
  Case c;
  c.mechanism = std::move(mechanism);
  if (!c.mechanism) c.kind = CaseKind::steady;
  c.law = make_law(law);
  return c;
}

// Ten seconds of steady sliding at 2 m/s behind a drive of 3 m/s, one sample a second.
CaseResult sliding() {
  CaseResult r;
  auto& t = r.run.trajectory;
  for (int i = 0; i <= 10; ++i) {
    t.time.push_back(i);
    t.input.push_back(3.0 * i);
    t.position.push_back(2.0 * i);
    t.velocity.push_back(2.0);
    t.state.push_back(0.0);
    t.force.push_back(1.0);
    t.mode.push_back(1.0);
    t.work_in.push_back(4.0 * i);
    t.dissipated.push_back(2.0 * i);
    t.stored.push_back(0.0);
  }
  return r;
}

double number(const Measured& m) {
  const auto* x = std::get_if<double>(&m);
  return x ? *x : std::nan("");
}

bool undefined(const Measured& m) { return std::holds_alternative<std::monostate>(m); }

TEST(Measure, TakesColumnsAtATime) {
  const Case c = case_of(DraggedMass{});
  EXPECT_DOUBLE_EQ(number(measure(c, sliding(), "position", 4.0)), 8.0);
  EXPECT_NEAR(number(measure(c, sliding(), "position", 4.5)), 9.0, 1e-12);
  EXPECT_DOUBLE_EQ(number(measure(c, sliding(), "velocity", 7.0)), 2.0);
  EXPECT_DOUBLE_EQ(number(measure(c, sliding(), "stretch", 10.0)), 10.0);
}

TEST(Measure, SaysNothingOfStickSlipWhereNoCyclesAreMarked) {
  EXPECT_EQ(words(measure(case_of(DraggedMass{}), sliding(), "stick_slip")), "none");
  EXPECT_TRUE(undefined(measure(case_of(DiaphragmValve{}), sliding(), "stick_slip")));
  EXPECT_TRUE(undefined(measure(case_of(Pendulum{}), sliding(), "stick_slip")));
  Case marked = case_of(DiaphragmValve{});
  marked.options.section = 0.01;
  EXPECT_EQ(words(measure(marked, sliding(), "stick_slip")), "none");
}

TEST(Measure, TakesLargestAndSmallestValues) {
  const Case c = case_of(DraggedMass{});
  EXPECT_DOUBLE_EQ(number(measure(c, sliding(), "max_position")), 20.0);
  EXPECT_DOUBLE_EQ(number(measure(c, sliding(), "min_position")), 0.0);
  EXPECT_DOUBLE_EQ(number(measure(c, sliding(), "max_force")), 1.0);
}

TEST(Measure, CountsForcesAtEventsAmongTheLargest) {
  CaseResult r = sliding();
  r.run.trajectory.events.push_back({EventKind::slip, 2.5, 5.0, 0.0, 1.5});
  EXPECT_DOUBLE_EQ(number(measure(case_of(DraggedMass{}), r, "max_force")), 1.5);
}

TEST(Measure, HasNoPeriodWithoutCycles) {
  for (const char* name : {"period", "period_spread", "stick_fraction", "velocity_amplitude"})
    EXPECT_TRUE(undefined(measure(case_of(DraggedMass{}), sliding(), name))) << name;
}

TEST(Measure, HasNoLoopWithoutAWholePeriodOfTheDrive) {
  Case c = case_of(PrescribedMotion{});
  for (const double period : {0.0, 20.0}) {
    c.period = period;
    for (const char* name : {"loop_area", "orientation", "lag_area", "force_velocity_area"})
      EXPECT_TRUE(undefined(measure(c, sliding(), name))) << name << " at " << period;
  }
  c.period = 6.0;
  EXPECT_TRUE(undefined(measure(c, sliding(), "loop_area_before")));
}

TEST(Measure, TakesTheAreaOfALoopFromTheWorkOfTheDrive) {
  Case c = case_of(PrescribedMotion{});
  c.period = 4.0;
  CaseResult r = sliding();
  EXPECT_NEAR(number(measure(c, r, "loop_area")), 16.0, 1e-9);
  EXPECT_NEAR(number(measure(c, r, "loop_area_before")), 16.0, 1e-9);
  EXPECT_EQ(words(measure(c, r, "orientation")), "clockwise");
  for (double& work : r.run.trajectory.work_in) work = -work;
  EXPECT_EQ(words(measure(c, r, "orientation")), "counterclockwise");
}

TEST(Measure, CountsCrossingsAndLobesFromOne) {
  Case c;
  c.kind = CaseKind::curve;
  CaseResult r;
  r.folded.folded.lobes = {{0.0, 1.0, 2.0}, {1.0, 3.0, -4.0}};
  EXPECT_EQ(number(measure(c, r, "crossing", 1.0)), 1.0);
  EXPECT_EQ(number(measure(c, r, "lobe_area", 2.0)), -4.0);
  for (const double none : {0.0, -1.0, 0.5, 1.5, 3.0, 1e12, 1e300, std::nan("")})
    for (const char* name : {"crossing", "lobe_area"})
      EXPECT_TRUE(undefined(measure(c, r, name, none))) << name << " " << none;
  // Where the last lobe ends there is no crossing.
  EXPECT_TRUE(undefined(measure(c, r, "crossing", 2.0)));
}

TEST(Measure, CountsEventsOfAMachineFromOne) {
  Case c;
  c.kind = CaseKind::machine;
  CaseResult r;
  r.machine.events = {{EventKind::slip, 1.0}, {EventKind::stick, 2.0}};
  Argument asked;
  const auto at = [&](const char* event, double number) {
    asked.event = event;
    asked.number = number;
    return measure(c, r, "event_time", asked);
  };
  EXPECT_EQ(number(at("slip", 1.0)), 1.0);
  EXPECT_EQ(number(at("stick", 1.0)), 2.0);
  for (const double none : {0.0, -1.0, 2.0, 1e10, std::nan("")})
    EXPECT_TRUE(undefined(at("slip", none))) << none;
}

TEST(Measure, FindsExactRest) {
  CaseResult r = sliding();
  EXPECT_EQ(words(measure(case_of(DraggedMass{}), r, "rests_exactly")), "no");
  r.run.trajectory.velocity[3] = r.run.trajectory.velocity[4] = 0.0;
  EXPECT_EQ(words(measure(case_of(DraggedMass{}), r, "rests_exactly")), "yes");
}

TEST(Measure, TakesEnergyFromTheLedger) {
  CaseResult r = sliding();
  r.run.summary.ledger.work_in = 40.0;
  r.run.summary.ledger.dissipated = 20.0;
  r.run.summary.ledger.relative_error = 1e-9;
  const Case c = case_of(DraggedMass{});
  EXPECT_EQ(number(measure(c, r, "work_in")), 40.0);
  EXPECT_EQ(number(measure(c, r, "dissipated")), 20.0);
  EXPECT_EQ(number(measure(c, r, "ledger_error")), 1e-9);
}

TEST(Measure, HasNoValuesOutsideTheTimeThatWasRecorded) {
  CaseResult r = sliding();
  const Case c = case_of(DraggedMass{});
  EXPECT_TRUE(undefined(measure(c, r, "position", 10.5)));
  EXPECT_TRUE(undefined(measure(c, r, "largest_resting_speed", 11.0)));
  for (double& time : r.run.trajectory.time) time += 5.0;
  EXPECT_TRUE(undefined(measure(c, r, "position", 0.0)));
}

TEST(Measure, HasAStretchOnlyWhereASpringIsDragged) {
  EXPECT_FALSE(undefined(measure(case_of(DraggedMass{}), sliding(), "max_stretch")));
  // The input of the others is a force, or the position itself.
  EXPECT_TRUE(undefined(measure(case_of(WallSpringMass{}), sliding(), "max_stretch")));
  EXPECT_TRUE(undefined(measure(case_of(PrescribedMotion{}), sliding(), "max_stretch")));
}

TEST(Measure, HasNoMotionInASteadyCurve) {
  const Case c = case_of({}, "coulomb");
  CaseResult r;
  r.curve = steady_curve(*c.law, -1.0, 1.0, 11);
  for (const char* name : {"period", "stick_slip", "position", "max_position", "rests_exactly",
                           "loop_area", "work_in", "dissipated", "ledger_error"})
    EXPECT_TRUE(undefined(measure(c, r, name))) << name;
}

TEST(Measure, TakesSteadyForcesAtAnyVelocity) {
  const Case c = case_of({}, "coulomb");
  EXPECT_DOUBLE_EQ(number(measure(c, {}, "steady_force", 0.3)), 1.0);
  EXPECT_DOUBLE_EQ(number(measure(c, {}, "steady_force", -0.3)), -1.0);
}

TEST(Measure, TakesSteadyForcesUnderTheLoadOfTheMechanism) {
  Case c = case_of(DraggedMass{}, "frbd");
  const double light = number(measure(c, sliding(), "steady_force", 0.1));
  std::get<DraggedMass>(*c.mechanism).load = 10.0;
  EXPECT_DOUBLE_EQ(number(measure(c, sliding(), "steady_force", 0.1)), 10.0 * light);
}

TEST(Measure, SaysInWordsWhatHasNoMeaning) {
  EXPECT_EQ(words(Measured{}), "not defined");
  EXPECT_EQ(words(Measured{1.5}), "1.5");
  EXPECT_EQ(words(Measured{std::string("exact")}), "exact");
}

TEST(Measure, KnowsEveryQuantityAndColumnItNames) {
  const CaseResult r = sliding();
  for (const auto& name : quantity_names())
    EXPECT_NO_THROW(measure(case_of(DraggedMass{}), r, name)) << name;
  for (const auto& name : columns_of(case_of(DraggedMass{}), r))
    EXPECT_EQ(column(case_of(DraggedMass{}), r, name).size(), 11u) << name;
  for (const auto& name : column_names())
    EXPECT_NO_THROW(axis_label(case_of(DraggedMass{}), r, name)) << name;
}

}  // namespace
}  // namespace bristle::io::measure_test
