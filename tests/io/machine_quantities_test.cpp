// SPDX-License-Identifier: MIT
// Quantities of a machine, of results made by hand, and what a run of one leaves behind.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "bristle/io/errors.hpp"
#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io::machine_quantities_test {
namespace {

using test::begins;
using test::contains;
using test::lacks;
using test::TemporaryDirectory;

// A mass on a belt: the body rubs on the belt ("top") and on the ground ("floor").
const std::string belt =
    "[[body]]\nname = \"mass\"\ninertia = 1.0\n[[drive]]\nname = \"belt\"\nshape = \"ramp\"\nrate "
    "= 0.1\n"
    "[[coupling]]\nname = \"wall\"\nkind = \"spring_damper\"\non = \"mass\"\nstiffness = 10.0\n"
    "damping = 0.1\n[[contact]]\nname = \"top\"\nbetween = [\"mass\", \"belt\"]\n"
    "law = { name = \"stribeck\", coulomb_force = 1.0, static_force = 1.5, stribeck_velocity = 0.1 "
    "}\n[[contact]]\nname = \"floor\"\non = \"mass\"\nlaw = { name = \"coulomb\", coulomb_force = "
    "0.2 }\n[solve]\nend = 5.0\nsamples = 501\n";

Experiment read(const std::string& text) {
  const TemporaryDirectory dir;
  return read_experiment(dir.write("belt.toml", text));
}

// Sticks from 1 to 2 s and from 4 to 5 s of 10 s; its position is the time squared.
CaseResult by_hand(const Case& c) {
  CaseResult r;
  r.machine.columns = bristle::columns_of(*c.machine);
  for (int i = 0; i <= 10; ++i)
    for (auto& column : r.machine.columns)
      column.values.push_back(column.name == "time"            ? i
                              : column.name == "mass.position" ? i * i
                                                               : 1.0);
  r.machine.events = {{EventKind::stick, 1.0, 0, -1, 1.0, 0.0, 0.5},
                      {EventKind::slip, 2.0, 0, -1, 0.0, 1.0, 1.5},
                      {EventKind::reversal, 3.0, 1, -1, 1.0, -1.0, -0.2},
                      {EventKind::stick, 4.0, 0, -1, 1.0, 0.0, 0.5},
                      {EventKind::slip, 5.0, 0, -1, 0.0, 1.0, 1.5}};
  r.machine.summary.ledger.work_in = 7.0;
  return r;
}

Argument asked(const std::string& contact, double number = 0.0, const std::string& event = "") {
  Argument a(number);
  a.contact = contact;
  a.event = event;
  return a;
}
double number(const Measured& m) { return std::get<double>(m); }

TEST(MachineQuantities, TakeAColumnAtATimeItsRangeAndItsEnd) {
  const Case c = read(belt).cases.at(0);
  const CaseResult r = by_hand(c);
  Argument a(3.0);
  a.column = "mass.position";
  EXPECT_EQ(number(measure(c, r, "column", a)), 9.0);
  EXPECT_EQ(number(measure(c, r, "maximum", a)), 100.0);
  EXPECT_EQ(number(measure(c, r, "minimum", a)), 0.0);
  EXPECT_EQ(number(measure(c, r, "final", a)), 100.0);
  a.from = 2.0, a.to = 5.0;
  EXPECT_EQ(number(measure(c, r, "maximum", a)), 25.0);
  EXPECT_EQ(number(measure(c, r, "minimum", a)), 4.0);
  a.number = 11.0;
  EXPECT_TRUE(std::holds_alternative<std::monostate>(measure(c, r, "column", a)));
}

TEST(MachineQuantities, CountAndTimeTheEventsOfAContact) {
  const Case c = read(belt).cases.at(0);
  const CaseResult r = by_hand(c);
  EXPECT_EQ(number(measure(c, r, "events")), 5.0);
  EXPECT_EQ(number(measure(c, r, "events", asked("top"))), 4.0);
  EXPECT_EQ(number(measure(c, r, "events", asked("top", 0.0, "slip"))), 2.0);
  EXPECT_EQ(number(measure(c, r, "event_time", asked("top", 2.0))), 2.0);
  EXPECT_EQ(number(measure(c, r, "event_time", asked("top", 2.0, "slip"))), 5.0);
  EXPECT_EQ(number(measure(c, r, "event_time", asked("floor", 1.0))), 3.0);
  EXPECT_EQ(number(measure(c, r, "event_force", asked("top", 1.0, "slip"))), 1.5);
  for (const double none : {0.0, 1.5, 5.0})
    EXPECT_TRUE(
        std::holds_alternative<std::monostate>(measure(c, r, "event_time", asked("top", none))));
}

TEST(MachineQuantities, FindPeriodAndStickFromEventsNotFromSamples) {
  const Case c = read(belt).cases.at(0);
  const CaseResult r = by_hand(c);
  EXPECT_EQ(number(measure(c, r, "period", asked("top"))), 3.0);
  EXPECT_DOUBLE_EQ(number(measure(c, r, "stick_fraction", asked("top"))), 0.2);
  Argument a = asked("top");
  a.from = 1.5, a.to = 2.5;
  EXPECT_DOUBLE_EQ(number(measure(c, r, "stick_fraction", a)), 0.5);
  EXPECT_EQ(number(measure(c, r, "stick_fraction", asked("floor"))), 0.0);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(measure(c, r, "period", asked("floor"))));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(measure(c, r, "period")));
}

TEST(MachineQuantities, HaveTheUnitOfTheirColumnOrForce) {
  const Case c = read(belt).cases.at(0);
  const CaseResult r = by_hand(c);
  Argument a;
  a.column = "mass.velocity";
  EXPECT_EQ(quantity_unit(c, r, "maximum", a), "m/s");
  EXPECT_EQ(quantity_unit(c, r, "event_force", asked("top")), "N");
  EXPECT_EQ(quantity_unit(c, r, "event_time", asked("top")), "s");
  EXPECT_EQ(quantity_unit(c, r, "stick_fraction", asked("top")), "");
  EXPECT_EQ(axis_label(c, r, "top.force"), "top.force [N]");
}

TEST(MachineQuantities, DescribeASwingThatDiesAway) {
  const Case c = read(belt).cases.at(0);
  CaseResult r;
  r.machine.columns = bristle::columns_of(*c.machine);
  for (int i = 0; i <= 4000; ++i)
    for (auto& column : r.machine.columns) {
      const double t = 2.5e-3 * i;
      column.values.push_back(column.name == "time"            ? t
                              : column.name == "mass.position" ? (2.0 - 0.1 * t) * std::cos(6.0 * t)
                              : column.name == "mass.velocity"
                                  ? std::exp(-0.2 * t) * std::cos(6.0 * t)
                                  : 1.0);
    }
  Argument a;
  a.column = "mass.position";
  EXPECT_EQ(words(measure(c, r, "decay", a)), "straight line");
  EXPECT_NEAR(number(measure(c, r, "decay_fall", a)), 0.1, 1e-3);
  EXPECT_EQ(quantity_unit(c, r, "decay_fall", a), "m/s");
  a.number = 2.0;
  EXPECT_NEAR(number(measure(c, r, "extreme", a)), 2.0 - 0.2 * std::acos(-1.0) / 6.0, 2e-4);
  EXPECT_EQ(quantity_unit(c, r, "extreme", a), "m");
  a.column = "mass.velocity";
  EXPECT_EQ(words(measure(c, r, "decay", a)), "exponential");
  EXPECT_NEAR(number(measure(c, r, "decay_rate", a)), 0.2, 1e-4);
  EXPECT_EQ(quantity_unit(c, r, "decay_rate", a), "1/s");
  a.from = 5.0, a.to = 5.0 + std::acos(-1.0) / 3.0;
  EXPECT_NEAR(number(measure(c, r, "swing", a)), std::exp(-0.2 * 5.5), 0.03);
  a.column = "belt.position";
  EXPECT_TRUE(std::holds_alternative<std::monostate>(measure(c, r, "decay_rate", a)));
}

TEST(MachineResults, AreColumnsEventsFiguresSummaryAndReport) {
  const TemporaryDirectory dir;
  const Experiment e = read("title = \"<b>belt</b>\"\n" + belt);
  const ExperimentResult result = run_experiment(e);
  ASSERT_TRUE(result.ok(e)) << result.cases.at(0).message(e.cases.at(0));
  EXPECT_EQ(write_results(e, result, dir.path("out"), {.figures = false}), "");
  EXPECT_PRED2(begins, dir.text("out/trajectory.csv"),
               "time,mass.position,mass.velocity,belt.position,top.velocity,top.force,");
  const std::string events = dir.text("out/events.csv");
  EXPECT_PRED2(begins, events, "time,list,name,kind,before,after,force\n");
  EXPECT_PRED2(contains, events, ",contact,top,stick,-1,0,");
  for (const char* figure : {"positions.gp", "velocities.gp", "force_top.gp", "force_floor.gp"})
    EXPECT_TRUE(dir.has("out/" + std::string(figure))) << figure;
  const std::string summary = dir.text("out/summary.json");
  EXPECT_PRED2(contains, summary, "\"contact.top.static_force\": 1.5");
  EXPECT_PRED2(contains, summary, "\"stick_fraction\"");
  const std::string report =
      std::regex_replace(dir.text("out/report.html"), std::regex("<td[^>]*>"), "<td>");
  EXPECT_PRED2(contains, report, "<td>contact.top.static_force<td>1.5<td>N<td>");
  EXPECT_PRED2(contains, report, "mass - belt");
  EXPECT_PRED2(lacks, report, "<b>belt</b>");
  EXPECT_PRED2(lacks, report, "second_amplitude") << "a ramp does not show the fields of waves";
}

TEST(MachineResults, DrawASweepOfAFieldOfAPart) {
  const TemporaryDirectory dir;
  const Experiment e =
      read(belt +
           "[[sweep]]\nname = \"belts\"\nfield = \"drive.belt.rate\"\nvalues = [0.1, 0.2]\n"
           "[[figure]]\nname = \"periods\"\nsweeps = [\"belts\"]\nquantity = \"period\"\n"
           "contact = \"top\"\n");
  const ExperimentResult result = run_experiment(e);
  ASSERT_TRUE(result.ok(e));
  EXPECT_EQ(write_results(e, result, dir.path("out"), {.figures = false}), "");
  EXPECT_PRED2(begins, dir.text("out/periods_1.csv"), "value,period\n0.1,");
  EXPECT_PRED2(contains, dir.text("out/periods.gp"), "period of top [s]");
}

TEST(Results, DrawASweepWithTheUnitOfItsQuantity) {
  const TemporaryDirectory dir;
  const Experiment e = read(
      "[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\n[solve]\nend = 2.0\n"
      "[[sweep]]\nname = \"drag\"\nfield = \"mechanism.drag_velocity\"\nvalues = [0.1, 0.2]\n"
      "[[figure]]\nname = \"work\"\nsweeps = [\"drag\"]\nquantity = \"work_in\"\n");
  const ExperimentResult result = run_experiment(e);
  EXPECT_EQ(write_results(e, result, dir.path("out"), {.figures = false}), "");
  EXPECT_PRED2(contains, dir.text("out/work.gp"), "set ylabel 'work in [J]'");
}

}  // namespace
}  // namespace bristle::io::machine_quantities_test
