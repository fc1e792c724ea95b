// SPDX-License-Identifier: MIT
#include "bristle/io/experiment.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "bristle/io/errors.hpp"
#include "io/support.hpp"

namespace bristle::io::experiment_test {
namespace {

using test::begins;
using test::contains;
using test::refusal;
using test::TemporaryDirectory;
using Names = std::vector<std::string>;

const std::string stick_slip = R"(
[model]
name = "lugre"
stiffness = 2e5
[mechanism]
name = "dragged_mass"
mass = 0.5
[solve]
end = 4
tolerance = 1e-9
)";

const std::string sampled = R"(
[model]
name = "dahl"
[mechanism]
name = "prescribed_motion"
[input]
file = "motion.csv"
)";

Experiment experiment_of(const std::string& text, const std::vector<std::string>& settings = {}) {
  const TemporaryDirectory dir;
  std::vector<Setting> parsed;
  for (const auto& setting : settings) parsed.push_back(parse_setting(setting));
  return read_experiment(dir.write("slide.toml", text), parsed);
}

double number_of(const Case& c, const std::string& field) {
  return std::get<double>(c.law->values().at(field));
}

TEST(Experiment, ReadsLawMechanismAndOptions) {
  const Experiment e = experiment_of(stick_slip);
  ASSERT_EQ(e.cases.size(), 1u);
  const Case& c = e.cases[0];
  EXPECT_EQ(c.law->name(), "lugre");
  EXPECT_EQ(number_of(c, "stiffness"), 2e5);
  ASSERT_TRUE(c.as<DraggedMass>());
  EXPECT_EQ(c.as<DraggedMass>()->mass, 0.5);
  EXPECT_EQ(c.options.end, 4.0);
  EXPECT_EQ(c.options.tolerance, 1e-9);
}

// toml++ gives no double for a whole number that a double cannot hold exactly.
TEST(Experiment, RoundsWholeNumbersThatNoDoubleHolds) {
  const std::string begin = "[model]\nname = \"lugre\"\nstiffness = ";
  const std::string end = "\n[mechanism]\nname = \"dragged_mass\"\n";
  EXPECT_EQ(number_of(experiment_of(begin + "257111502440481554" + end).cases[0], "stiffness"),
            257111502440481554.0);
  EXPECT_EQ(number_of(experiment_of(begin + "9223372036854775807" + end).cases[0], "stiffness"),
            9223372036854775807.0);
  const Experiment list = experiment_of(
      "[model]\nname = \"gms\"\nstiffness = [9007199254740993, 1.0]\nshare = [0.5, 0.5]" + end);
  EXPECT_EQ(std::get<std::vector<double>>(list.cases[0].law->values().at("stiffness"))[0],
            9007199254740992.0);
}

TEST(Experiment, ReadsATextAsItReadsAFile) {
  const Experiment e = parse_experiment(stick_slip, "slide.toml", {parse_setting("solve.end=3")});
  ASSERT_EQ(e.cases.size(), 1u);
  EXPECT_EQ(e.cases[0].options.end, 3.0);
  EXPECT_EQ(e.cases[0].law->values(), experiment_of(stick_slip).cases[0].law->values());
  EXPECT_EQ(e.text, stick_slip);
  EXPECT_TRUE(
      begins(refusal<InputError>([] { parse_experiment("[modle]", "given"); }), "given:1: "));
}

TEST(Experiment, LeavesWhatIsNotGivenAtItsDefault) {
  const Case c = experiment_of(stick_slip).cases[0];
  EXPECT_EQ(c.as<DraggedMass>()->spring, DraggedMass{}.spring);
  EXPECT_EQ(c.options.samples, Options{}.samples);
  EXPECT_EQ(c.options.method, Options::rosenbrock);
  EXPECT_EQ(number_of(c, "damping"), std::get<double>(make_law("lugre")->values().at("damping")));
}

TEST(Experiment, IsCalledAfterItsFileAndKeepsItsText) {
  const Experiment e = experiment_of(stick_slip);
  EXPECT_EQ(e.key, "slide");
  EXPECT_EQ(e.title, "slide");
  EXPECT_EQ(e.text, stick_slip);
  EXPECT_EQ(experiment_of("title = \"Slow\"\n" + stick_slip).title, "Slow");
}

TEST(Experiment, ReadsWhatItIsAbout) {
  const Experiment e =
      experiment_of("document = \"R\"\nfigure_number = \"Fig. 8\"\nnote = \"n\"\n" + stick_slip);
  EXPECT_EQ(e.document, "R");
  EXPECT_EQ(e.figure, "Fig. 8");
  EXPECT_EQ(e.note, "n");
}

TEST(Experiment, ReadsAStateAtTheStart) {
  const Case c = experiment_of(stick_slip + "[initial]\nposition = 1\nvelocity = 2\n").cases[0];
  EXPECT_EQ(c.options.initial.position, 1.0);
  EXPECT_EQ(c.options.initial.velocity, 2.0);
}

TEST(Experiment, ReadsASteadySweepInPlaceOfAMechanism) {
  const Case c =
      experiment_of("[model]\nname = \"coulomb\"\n[steady]\nfrom = -2\nto = 3\npoints = 11\n")
          .cases[0];
  EXPECT_FALSE(c.mechanism);
  EXPECT_EQ(c.steady.from, -2.0);
  EXPECT_EQ(c.steady.to, 3.0);
  EXPECT_EQ(c.steady.points, 11.0);
}

TEST(Experiment, TakesAnEmptySteadySectionForItsDefaults) {
  const Case c = experiment_of("[model]\nname = \"coulomb\"\n[steady]\n").cases[0];
  EXPECT_FALSE(c.mechanism);
  EXPECT_EQ(c.steady.points, SteadySweep{}.points);
}

TEST(Experiment, KnowsThePeriodOfItsDrive) {
  const std::string text =
      "[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n[input]\n";
  EXPECT_DOUBLE_EQ(experiment_of(text + "frequency = 4\n").cases[0].period, std::numbers::pi / 2);
  EXPECT_EQ(experiment_of(text + "shape = \"ramp\"\n").cases[0].period, 0.0);
  EXPECT_EQ(experiment_of(stick_slip).cases[0].period, 0.0);
}

TEST(Experiment, ReadsFigures) {
  const Experiment e = experiment_of(stick_slip + R"(
[[figure]]
x = "stretch"
y = "velocity"
from = 1
to = 2
y_range = "-1:1"
[[figure]]
name = "force"
title = "Force"
equilibria = true
)");
  ASSERT_EQ(e.figures.size(), 2u);
  EXPECT_EQ(e.figures[0].name, "figure1");
  EXPECT_EQ(e.figures[0].x, "stretch");
  EXPECT_EQ(e.figures[0].y, "velocity");
  EXPECT_EQ(e.figures[0].from, 1.0);
  EXPECT_EQ(e.figures[0].to, 2.0);
  EXPECT_EQ(e.figures[0].y_range, "-1:1");
  EXPECT_EQ(e.figures[1].name, "force");
  EXPECT_EQ(e.figures[1].title, "Force");
  EXPECT_TRUE(e.figures[1].equilibria);
}

TEST(Experiment, ReadsExpectationsWithTheirLine) {
  const Experiment e = experiment_of(stick_slip + R"([expect]
period = { value = 6.5, tolerance = 1e-3, source = "R, Fig. 8", choice = "load 1 N" }
late = { quantity = "position", time = 3, at_most = 2 }
)");
  const auto& all = e.cases[0].expectations;
  ASSERT_EQ(all.size(), 2u);
  const bool late_first = all[0].key == "late";
  const Expectation &late = all[late_first ? 0 : 1], &period = all[late_first ? 1 : 0];
  EXPECT_EQ(period.value, 6.5);
  EXPECT_EQ(period.tolerance, 1e-3);
  EXPECT_EQ(period.source, "R, Fig. 8");
  EXPECT_EQ(period.choice, "load 1 N");
  EXPECT_TRUE(period.where.ends_with("slide.toml:12")) << period.where;
  EXPECT_EQ(late.quantity, "position");
  EXPECT_EQ(late.argument, 3.0);
  EXPECT_EQ(late.relation, "at_most");
  EXPECT_EQ(late.bound, 2.0);
}

TEST(Expect, IsACheckUnlessTheFileNamesAnotherKind) {
  const Experiment e = experiment_of(stick_slip + R"([expect]
period = { value = 3.0 }
max_force = { kind = "document", at_most = 1.5 }
)");
  const auto& all = e.cases[0].expectations;
  ASSERT_EQ(all.size(), 2u);
  for (const auto& one : all) {
    EXPECT_EQ(one.kind_given, one.key == "max_force");
    EXPECT_EQ(one.kind, one.key == "max_force" ? FactKind::document : FactKind::check);
  }
}

TEST(Cases, ChangeOnlyWhatTheySay) {
  const Experiment e = experiment_of(stick_slip + R"(
[[case]]
label = "soft"
model.stiffness = 1e3
[[case]]
label = "heavy"
mechanism = { mass = 7 }
solve.end = 9
)");
  ASSERT_EQ(e.cases.size(), 2u);
  EXPECT_EQ(e.cases[0].label, "soft");
  EXPECT_EQ(number_of(e.cases[0], "stiffness"), 1e3);
  EXPECT_EQ(e.cases[0].as<DraggedMass>()->mass, 0.5);
  EXPECT_EQ(e.cases[0].options.end, 4.0);
  EXPECT_EQ(e.cases[1].label, "heavy");
  EXPECT_EQ(number_of(e.cases[1], "stiffness"), 2e5);
  EXPECT_EQ(e.cases[1].as<DraggedMass>()->mass, 7.0);
  EXPECT_EQ(e.cases[1].options.end, 9.0);
}

TEST(Cases, AddTheirExpectationsToThoseOfAll) {
  const Experiment e = experiment_of(stick_slip + R"(
[expect]
max_force = { at_most = 2 }
[[case]]
label = "a"
[[case]]
label = "b"
expect.period = { like = "a" }
)");
  ASSERT_EQ(e.cases[0].expectations.size(), 1u);
  ASSERT_EQ(e.cases[1].expectations.size(), 2u);
  EXPECT_EQ(e.cases[1].expectations[0].key, "max_force");
  EXPECT_EQ(e.cases[1].expectations[1].other, "a");
}

TEST(Settings, ChangeEveryCase) {
  const Experiment e = experiment_of(
      stick_slip + "[[case]]\nlabel = \"a\"\n[[case]]\nlabel = \"b\"\nmodel.stiffness = 1e3\n",
      {"model.stiffness=5e4", "solve.method=cvode", "initial.position=-1"});
  for (const Case& c : e.cases) {
    EXPECT_EQ(number_of(c, "stiffness"), 5e4);
    EXPECT_EQ(c.options.method, Options::cvode);
    EXPECT_EQ(c.options.initial.position, -1.0);
  }
}

TEST(Settings, AreReadAsSectionFieldAndValue) {
  const Setting s = parse_setting("input.file=a.b=c");
  EXPECT_EQ(s.section, "input");
  EXPECT_EQ(s.field, "file");
  EXPECT_EQ(s.value, "a.b=c");
}

TEST(Settings, SayTheirFormWhenTheyLackIt) {
  for (const char* text : {"", "model", "stiffness=1", "model.stiffness", ".stiffness=1", "a=b.c"})
    EXPECT_PRED2(contains, refusal<InputError>([&] { parse_setting(text); }),
                 "section.field=value");
}

TEST(Settings, AcceptAPlusSignAsFilesDo) {
  EXPECT_EQ(experiment_of(stick_slip, {"solve.end=+5"}).cases[0].options.end, 5.0);
}

TEST(Samples, AreReadFromAFileBesideTheExperiment) {
  const TemporaryDirectory dir;
  dir.write("motion.csv", "time,position\n0,1\n2,3\n4,-1\n");
  const Case c = read_experiment(dir.write("a.toml", sampled)).cases[0];
  const Signal& signal = c.as<PrescribedMotion>()->signal;
  EXPECT_EQ(signal.shape, Signal::samples);
  EXPECT_EQ(signal.value(2.0, signal.piece(2.0)), 3.0);
  EXPECT_EQ(signal.value(9.0, signal.piece(9.0)), -1.0);
}

TEST(Samples, AreTakenFromTheColumnsThatAreNamed) {
  const TemporaryDirectory dir;
  dir.write("motion.csv", "x;force;t\n5;0;0\n6;0;1\n");
  const Case c =
      read_experiment(dir.write("a.toml", sampled + "time_column = \"t\"\nvalue_column = \"x\"\n"))
          .cases[0];
  const Signal& signal = c.as<PrescribedMotion>()->signal;
  EXPECT_EQ(signal.value(1.0, signal.piece(1.0)), 6.0);
}

TEST(Samples, AreRefusedWithTheirFileWhenTheyAreBad) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a.toml", sampled);
  const auto refused = [&](const std::string& data) {
    dir.write("motion.csv", data);
    return refusal<InputError>([&] { read_experiment(path); });
  };
  const std::string file = dir.path("motion.csv");
  EXPECT_PRED2(begins, refused("t,x\n0,1\n1,oops\n"), file + ":3: ");
  EXPECT_PRED2(begins, refused("t,x\n0,1\n1,nan\n"), file + ":3: ");
  EXPECT_PRED2(begins, refused("t,x\n0,1\n"), file + ": ");
  EXPECT_PRED2(begins, refused("t\n0\n1\n"), file + ": ");
  EXPECT_PRED2(contains, refused("t,x\n0,1\n1,2\n1,3\n"), "time must increase");
  EXPECT_PRED2(contains, refused("t,x\n0,1\n1,2\n1,3\n"), "point 3");
}

TEST(Samples, SayWhichColumnsThereAreWhenOneIsMissing) {
  const TemporaryDirectory dir;
  dir.write("motion.csv", "t,x\n0,1\n1,2\n");
  const std::string path = dir.write("a.toml", sampled + "value_column = \"y\"\n");
  EXPECT_PRED2(contains, refusal<InputError>([&] { read_experiment(path); }), "t, x");
}

TEST(Samples, SayWhichFileIsMissing) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("a.toml", sampled);
  EXPECT_PRED2(contains, refusal<FileError>([&] { read_experiment(path); }), "motion.csv");
}

}  // namespace
}  // namespace bristle::io::experiment_test
