// SPDX-License-Identifier: MIT
// Machines in files: what is read, what changes it, and what is refused with which sentence.
#include <gtest/gtest.h>

#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "io/support.hpp"

namespace bristle::io::machine_file_test {
namespace {

using test::begins;
using test::contains;
using test::refusal;
using test::TemporaryDirectory;

// 30 lines.
const std::string drive =
    "[[body]]\nname = \"motor\"\ninertia = 2e-4\nmotion = \"rotation\"\n"
    "[[body]]\nname = \"load\"\ninertia = 1.1e-3\nmotion = \"rotation\"\n"
    "[[coupling]]\nname = \"shaft\"\nkind = \"spring_damper\"\nbetween = [\"motor\", \"load\"]\n"
    "stiffness = 120.0\ndamping = 0.02\n"
    "[[contact]]\nname = \"bearing\"\non = \"motor\"\nload = 2.0\n"
    "law = { name = \"lugre\", stiffness = 40.0, coulomb_force = 0.02, static_force = 0.03 }\n"
    "[[input]]\nname = \"torque\"\non = \"motor\"\nshape = \"sine\"\namplitude = 0.2\n"
    "frequency = 3.0\ngain = 1.0\n"
    "[solve]\nend = 1.0\nsamples = 101\ntolerance = 1e-8\n";

Experiment read(const std::string& text, const std::vector<std::string>& settings = {}) {
  const TemporaryDirectory dir;
  std::vector<Setting> parsed;
  for (const auto& setting : settings) parsed.push_back(parse_setting(setting));
  return read_experiment(dir.write("good.toml", text), parsed);
}

double value(const Case& c, const std::string& name) {
  return std::get<double>(c.values().at(name));
}

std::string refused(const std::string& text, const std::vector<std::string>& settings = {}) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("bad.toml", text);
  const std::string sentence = refusal<InputError>([&] {
    std::vector<Setting> parsed;
    for (const auto& setting : settings) parsed.push_back(parse_setting(setting));
    read_experiment(path, parsed);
  });
  const std::string folder = dir.root().string() + "/";
  return sentence.starts_with(folder) ? sentence.substr(folder.size()) : sentence;
}

// The text with one part of it replaced by another.
std::string with(std::string text, const std::string& part, const std::string& other) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(MachineFile, HoldsBodiesCouplingsContactsAndInputs) {
  const Case c = read(drive).cases.at(0);
  ASSERT_EQ(c.kind, CaseKind::machine);
  const MachineParts& parts = c.machine->parts();
  ASSERT_EQ(parts.bodies.size(), 2u);
  EXPECT_EQ(parts.bodies[1].name, "load");
  EXPECT_EQ(parts.bodies[1].body.inertia, 1.1e-3);
  EXPECT_EQ(parts.bodies[0].body.motion, Body::rotation);
  ASSERT_EQ(parts.couplings.size(), 1u);
  EXPECT_EQ(parts.couplings[0].between, (std::vector<std::string>{"motor", "load"}));
  EXPECT_EQ(parts.contacts.at(0).law->name(), "lugre");
  EXPECT_EQ(parts.contacts.at(0).settings.load, 2.0);
  EXPECT_EQ(parts.inputs.at(0).signal.amplitude, 0.2);
  EXPECT_EQ(c.options.samples, 101.0);
}

TEST(MachineFile, NamesPartsWithoutANameByKindAndNumber) {
  const Case c = read(
                     "[[body]]\nname = \"contact1\"\ninertia = 1.0\n"
                     "[[coupling]]\nkind = \"spring_damper\"\non = \"contact1\"\nstiffness = 1.0\n"
                     "[[coupling]]\nkind = \"spring_damper\"\non = \"contact1\"\ndamping = 1.0\n"
                     "[[contact]]\non = \"contact1\"\nlaw = \"coulomb\"\n"
                     "[[input]]\non = \"contact1\"\n[solve]\nend = 1.0\n")
                     .cases.at(0);
  const MachineParts& parts = c.machine->parts();
  EXPECT_EQ(parts.couplings.at(0).name, "spring_damper1");
  EXPECT_EQ(parts.couplings.at(1).name, "spring_damper2");
  EXPECT_EQ(parts.contacts.at(0).name, "contact2") << "a body is called contact1 already";
  EXPECT_EQ(parts.inputs.at(0).name, "input1");
}

TEST(MachineFile, PutsAContactOnAnyWeightedSumOfBodies) {
  const Case c = read(
                     "[[body]]\nname = \"a\"\ninertia = 1.0\n[[body]]\nname = \"b\"\n"
                     "inertia = 1.0\n[[contact]]\nname = \"c\"\n"
                     "of = { a = 1.0, b = -2.5 }\nlaw = { name = \"coulomb\" }\n"
                     "[solve]\nend = 1.0\n")
                     .cases.at(0);
  const auto& of = c.machine->parts().contacts.at(0).path.of;
  ASSERT_EQ(of.size(), 2u);
  EXPECT_EQ(of[1], (std::pair<std::string, double>{"b", -2.5}));
  EXPECT_EQ(std::get<std::string>(c.values().at("contact.c.between")), "a - 2.5 b");
}

TEST(MachineFile, HasOneFlatTableOfParametersWithTheUnitsOfItsBodies) {
  const Case c = read(drive).cases.at(0);
  EXPECT_EQ(value(c, "contact.bearing.stiffness"), 40.0);
  EXPECT_EQ(value(c, "contact.bearing.load"), 2.0);
  EXPECT_EQ(value(c, "coupling.shaft.damping"), 0.02);
  EXPECT_EQ(value(c, "input.torque.amplitude"), 0.2);
  std::map<std::string, std::string> units;
  for (const auto& field : c.description().fields) units[field.name] = field.unit;
  EXPECT_EQ(units.at("body.motor.inertia"), "kg m2");
  EXPECT_EQ(units.at("coupling.shaft.stiffness"), "N m/rad");
  EXPECT_EQ(units.at("contact.bearing.coulomb_force"), "N m");
  EXPECT_EQ(units.at("input.torque.amplitude"), "N m");
}

TEST(MachineFile, IsReachedByEverySettingOfAField) {
  const Case c = read(drive, {"body.motor.inertia=3e-4", "contact.bearing.stiffness=50",
                              "contact.bearing.load=3", "coupling.shaft.damping=0.5",
                              "input.torque.amplitude=0.7", "solve.end=2"})
                     .cases.at(0);
  EXPECT_EQ(value(c, "body.motor.inertia"), 3e-4);
  EXPECT_EQ(value(c, "contact.bearing.stiffness"), 50.0);
  EXPECT_EQ(value(c, "contact.bearing.load"), 3.0);
  EXPECT_EQ(value(c, "coupling.shaft.damping"), 0.5);
  EXPECT_EQ(value(c, "input.torque.amplitude"), 0.7);
  EXPECT_EQ(c.options.end, 2.0);
  EXPECT_EQ(value(read(drive, {"contact.bearing.law.stiffness=60"}).cases.at(0),
                  "contact.bearing.stiffness"),
            60.0)
      << "the same field by the table it stands in";
}

TEST(MachineFile, VariesInCasesAndSweepsByTheSamePaths) {
  const Experiment e =
      read(drive +
           "[[case]]\nlabel = \"soft\"\ncoupling.shaft.stiffness = 10.0\n"
           "[[case]]\nlabel = \"hard\"\ncontact.bearing = { stiffness = 90.0, load = 5.0 }\n"
           "[[sweep]]\nname = \"inertia\"\nfield = \"body.load.inertia\"\nvalues = [1, 2]\n");
  ASSERT_EQ(e.cases.size(), 4u);
  EXPECT_EQ(value(e.cases[0], "coupling.shaft.stiffness"), 10.0);
  EXPECT_EQ(value(e.cases[0], "contact.bearing.stiffness"), 40.0);
  EXPECT_EQ(value(e.cases[1], "contact.bearing.stiffness"), 90.0);
  EXPECT_EQ(value(e.cases[1], "contact.bearing.load"), 5.0);
  EXPECT_EQ(value(e.cases[1], "coupling.shaft.stiffness"), 120.0);
  EXPECT_EQ(value(e.cases[3], "body.load.inertia"), 2.0);
  EXPECT_EQ(e.cases[3].swept, "body.load.inertia");
}

TEST(MachineFile, StartsAnotherLawFromItsDefaults) {
  const Experiment e =
      read(drive + "[[case]]\nlabel = \"a\"\ncontact.bearing.law = { name = \"coulomb\" }\n");
  EXPECT_EQ(e.cases.at(0).machine->parts().contacts.at(0).law->name(), "coulomb");
  EXPECT_EQ(value(e.cases.at(0), "contact.bearing.coulomb_force"), 1.0);
  EXPECT_EQ(value(e.cases.at(0), "contact.bearing.load"), 2.0) << "the contact is the same";
  const Case set =
      read(drive, {"contact.bearing.coulomb_force=0.5", "contact.bearing.law=coulomb"}).cases.at(0);
  EXPECT_EQ(value(set, "contact.bearing.coulomb_force"), 0.5) << "in whatever order they stand";
}

struct Wrong {
  std::string text, line;
  std::vector<std::string> parts;
};

TEST(MachineFile, IsRefusedWithLineFieldAndNearestName) {
  for (const auto& [text, line, parts] : std::vector<Wrong>{
           {with(drive, "name = \"motor\"\n", ""), "1", {"[[body]] needs a name"}},
           {with(drive, "\"motor\"\ninertia", "\"mo tor\"\ninertia"),
            "2",
            {"name = \"mo tor\"", "letters, digits"}},
           {with(drive, "\"motor\"\ninertia", "\"ground\"\ninertia"), "2", {"ground"}},
           {with(drive, "\"load\"\ninertia", "\"motor\"\ninertia"),
            "6",
            {"'motor'", "name of another part"}},
           {with(drive, "\"bearing\"", "\"load\""), "16", {"'load'", "name of another part"}},
           {with(drive, "inertia = 2e-4", "inertia = -2e-4"),
            "3",
            {"inertia = -2e-04", "at least 0"}},
           {with(drive, "inertia = 2e-4", "inertia = 0"),
            "3",
            {"inertia = 0 of \"motor\"", "greater than 0"}},
           {with(drive, "inertia = 2e-4", "inertia = nan"), "3", {"inertia = nan"}},
           {with(drive, "inertia = 2e-4", "inertia = inf"), "3", {"inertia = inf"}},
           {with(drive, "inertia = 2e-4\n", ""), "1", {"'motor' needs its inertia"}},
           {with(drive, "inertia = 2e-4", "inertja = 2e-4"), "3", {"'inertja'", "'inertia'?"}},
           {with(drive, "motion = \"rotation\"\n[[coup", "motion = \"spin\"\n[[coup"),
            "8",
            {"spin", "rotation"}},
           {with(drive, "\"spring_damper\"", "\"spring_dampr\""),
            "11",
            {"'spring_dampr'", "'spring_damper'?"}},
           {with(drive, "kind = \"spring_damper\"\n", ""), "9", {"'shaft' needs a kind"}},
           {with(drive, "between = [\"motor\", \"load\"]", "between = [\"motor\", \"lod\"]"),
            "12",
            {"'lod'", "'load'?"}},
           {with(drive, "between = [\"motor\", \"load\"]", "between = [\"motor\"]"),
            "12",
            {"list of two names"}},
           {with(drive, "between = [\"motor\", \"load\"]", "between = [\"load\", \"load\"]"),
            "12",
            {"couples \"load\" with itself"}},
           {with(drive, "between = [\"motor\", \"load\"]",
                 "between = [\"motor\", \"load\", \"ground\"]"),
            "12",
            {"spring_damper joins 2 bodies, between has 3"}},
           {with(drive, "between = [\"motor\", \"load\"]", "on = \"motor\""),
            "6",
            {"\"load\" is not connected with \"motor\""}},
           {with(drive,
                 "kind = \"spring_damper\"\nbetween = [\"motor\", \"load\"]\nstiffness = 120.0\n"
                 "damping = 0.02\n",
                 "kind = \"gear\"\nbetween = [\"motor\", \"load\"]\nratio = 5.0\n[[coupling]]\n"
                 "kind = \"gear\"\nbetween = [\"load\", \"motor\"]\nratio = 0.3\n"),
            "16",
            {"closes a loop of rigid couplings"}},
           {with(drive,
                 "kind = \"spring_damper\"\nbetween = [\"motor\", \"load\"]\nstiffness = 120.0\n"
                 "damping = 0.02\n",
                 "kind = \"two_link_arm\"\non = \"motor\"\n"),
            "12",
            {"two_link_arm joins two bodies"}},
           {with(drive, "on = \"motor\"\nload", "of = { motor = 0.0 }\nload"),
            "17",
            {"\"bearing\" depends on the motion of no body"}},
           {with(drive, "on = \"motor\"\nload", "of = { motor = 1.0, load = nan }\nload"),
            "17",
            {"must be a finite number"}},
           {with(drive, "load = 2.0\n", "load = 2.0\nforces = \"per_load\"\n") +
                "[[load]]\non = \"bearing\"\noffset = 1.0\namplitude = 2.0\nfrequency = 9.0\n",
            "35",
            {"a load must not become negative"}},
           {with(drive, "between = [\"motor\", \"load\"]\n", ""),
            "9",
            {"needs the bodies it acts on", "between = "}},
           {with(drive, "damping = 0.02\n", "damping = 0.02\non = \"motor\"\n"),
            "12",
            {"both on and between"}},
           {with(drive, "damping = 0.02", "dampin = 0.02"), "14", {"'dampin'", "'damping'?"}},
           {with(drive, "on = \"motor\"\nload", "on = \"moter\"\nload"),
            "17",
            {"'moter'", "'motor'?"}},
           {with(drive, "\"lugre\"", "\"lugr\""), "19", {"'lugr'", "'lugre'?"}},
           {with(drive, "stiffness = 40.0", "stifness = 40.0"),
            "19",
            {"'stifness'", "'stiffness'?"}},
           {with(drive, "stiffness = 40.0", "stiffness = -1"), "19", {"stiffness = -1"}},
           {with(drive, "stiffness = 40.0", "load = 40.0"), "19", {"field of the contact"}},
           {with(drive, "load = 2.0\n", "stiffness = 2.0\n"), "18", {"stiffness twice"}},
           {with(drive, "name = \"lugre\", ", ""), "15", {"'bearing' needs a law"}},
           {with(drive, "on = \"motor\"\nshape", "on = \"shaft\"\nshape"), "22", {"'shaft'"}},
           {with(drive, "amplitude = 0.2", "amplitud = 0.2"), "24", {"'amplitud'", "'amplitude'?"}},
           {with(drive, "gain = 1.0", "gian = 1.0"), "26", {"'gian'", "'gain'?"}},
           {drive + "[initial]\nvelocity = 1.0\n",
            "32",
            {"[initial] has no meaning beside a [[body]]"}},
           {drive + "[model]\nname = \"lugre\"\n",
            "32",
            {"[model] has no meaning beside a [[body]]"}},
           {drive + "[[figure]]\ny = \"motor.velocty\"\n",
            "32",
            {"'motor.velocty'", "'motor.velocity'?"}},
           {drive + "[[figure]]\nname = \"f\"\n", "31", {"needs y"}},
           {drive + "[[figure]]\ny = \"load.velocity\"\nequilibria = true\n",
            "31",
            {"equilibria has no meaning for a machine"}},
           {drive + "[[case]]\nlabel = \"x\"\nbody.moter.inertia = 1.0\n",
            "33",
            {"'moter'", "'motor'?"}},
           {drive + "[[case]]\nlabel = \"x\"\ncoupling.shaft.between = [\"a\", \"b\"]\n",
            "33",
            {"coupling.shaft.between cannot be changed"}},
           {drive + "[[sweep]]\nname = \"x\"\nfield = \"body.moter.inertia\"\nvalues = [1]\n",
            "33",
            {"'body.moter'", "'body.motor'?"}},
           {"[[contact]]\non = \"a\"\nlaw = \"coulomb\"\n",
            "1",
            {"[[contact]] has no meaning without a [[body]]"}},
           {"body = 3\n", "1", {"written [[body]]"}}}) {
    const std::string sentence = refused(text);
    EXPECT_PRED2(begins, sentence, "bad.toml:" + line + ": ") << text;
    for (const auto& part : parts) EXPECT_PRED2(contains, sentence, part) << text;
  }
}

TEST(MachineFile, RefusesQuestionsThatTheMachineCannotAnswer) {
  const auto fact = [](const std::string& text) {
    return refused(drive + "[expect]\nq = { " + text + ", value = 1.0 }\n");
  };
  const std::string line = "bad.toml:32: ";
  EXPECT_PRED2(begins, fact("quantity = \"loop_area\""),
               line + "there is no quantity of a machine");
  EXPECT_PRED2(contains, fact("quantity = \"maximum\""), "maximum needs a column");
  EXPECT_PRED2(contains, fact("quantity = \"maximum\", column = \"moter.velocity\""),
               "did you mean 'motor.velocity'?");
  EXPECT_PRED2(contains, fact("quantity = \"column\", column = \"motor.velocity\""),
               "needs a time");
  EXPECT_PRED2(contains, fact("quantity = \"column\", column = \"motor.velocity\", time = 3.0"),
               "asks for 3 s, the run ends at 1 s");
  EXPECT_PRED2(contains, fact("quantity = \"period\""), "period needs a contact");
  EXPECT_PRED2(contains, fact("quantity = \"period\", contact = \"bearin\""),
               "did you mean 'bearing'?");
  EXPECT_PRED2(contains, fact("quantity = \"event_time\", number = 1, event = \"slp\""),
               "did you mean 'slip'?");
  EXPECT_PRED2(contains, fact("quantity = \"event_time\", contact = \"bearing\""),
               "needs a number");
  EXPECT_PRED2(contains, fact("quantity = \"work_in\", column = \"time\""),
               "column has no meaning for work_in");
  EXPECT_PRED2(contains, fact("quantity = \"events\", from = 0.5, to = 0.2"),
               "must be greater than from");
  EXPECT_PRED2(contains,
               refused("[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\n"
                       "[expect]\nperiod = { contact = \"x\", value = 1.0 }\n"),
               "contact has no meaning without a machine");
}

TEST(MachineFile, RefusesNamesThatMeanMoreThanALetterOrADigit) {
  const std::vector<std::string> names{
      "",    "-e",       "a b",      "a.b",      "a,b",
      "a/b", "../a",     "|touch x", "`x`",      "$(x)",
      "'",   "<script>", "a\\nb",    "\xc3\xbc", std::string(61, 'a')};
  for (const auto& name : names)
    for (const std::string part : {"\"load\"\ninertia", "\"shaft\"", "\"bearing\"", "\"torque\""}) {
      const auto end = part.find('\n');
      const std::string rest = end == std::string::npos ? "" : part.substr(end);
      const std::string sentence = refused(with(drive, part, "\"" + name + "\"" + rest));
      EXPECT_PRED2(contains, sentence, "must be at most 60 letters, digits") << name;
    }
  EXPECT_EQ(refused(with(drive, "\"bearing\"", "\"" + std::string(60, 'b') + "\"")),
            "(not refused)");
}

TEST(MachineFile, RefusesASettingOfWhatItHasNot) {
  EXPECT_PRED2(contains, refused(drive, {"contact.bearin.load=1"}),
               "did you mean 'contact.bearing'?");
  EXPECT_PRED2(contains, refused(drive, {"contact.bearing.stifness=1"}),
               "did you mean 'stiffness'?");
  EXPECT_PRED2(begins, refused(drive, {"body.motor.inertia=-1"}), "--set body.motor.inertia=-1: ");
  EXPECT_PRED2(contains, refused(drive, {"model.stiffness=1"}), "no section 'model'");
}

TEST(MachineFile, KeepsTheInputOfOtherKindsAsItWas) {
  const Experiment e = read(
      "[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n"
      "[input]\namplitude = 0.5\n[[case]]\nlabel = \"a\"\ninput.amplitude = 0.25\n",
      {"input.frequency=2"});
  EXPECT_EQ(e.cases.at(0).as<PrescribedMotion>()->signal.amplitude, 0.25);
  EXPECT_EQ(e.cases.at(0).as<PrescribedMotion>()->signal.frequency, 2.0);
}

}  // namespace
}  // namespace bristle::io::machine_file_test
