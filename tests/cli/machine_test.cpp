// SPDX-License-Identifier: MIT
// `bristle run` and `bristle models` on machines.
#include "cli/program.hpp"

namespace bristle::test::machine_test {
namespace {

// Two blocks, one on the other, that a force shakes.
const std::string stacked =
    "[[body]]\nname = \"low\"\ninertia = 2.0\n[[body]]\nname = \"up\"\ninertia = 1.0\n"
    "[[contact]]\nname = \"floor\"\non = \"low\"\nlaw = { name = \"coulomb\", coulomb_force = 3.0 "
    "}\n[[contact]]\nname = \"interface\"\nbetween = [\"up\", \"low\"]\nlaw = { name = "
    "\"coulomb\", "
    "coulomb_force = 2.0 }\n[[input]]\nname = \"shaker\"\non = \"low\"\namplitude = 6.0\n"
    "frequency = 2.0\n[solve]\nend = 2.5\nsamples = 101\n";

TEST(Machine, RunsFromAFileWithAllItsResults) {
  const Bench bench;
  bench.write("stacked.toml", stacked);
  const Outcome run = bench.bristle({"run", "stacked.toml", "--no-figures"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_PRED2(contains, run.out, "energy ledger closes");
  EXPECT_EQ(
      bench.names("out/stacked"),
      (std::set<std::string>{".bristle-files", "events.csv", "experiment.toml", "force_floor.gp",
                             "force_interface.gp", "positions.gp", "report.html", "summary.json",
                             "trajectory.csv", "velocities.gp"}));
}

TEST(Machine, TakesFieldsOfItsPartsFromTheCommandLine) {
  const Bench bench;
  bench.write("stacked.toml", stacked);
  const Outcome run =
      bench.bristle({"run", "stacked.toml", "--no-figures", "--json", "--set",
                     "input.shaker.amplitude=2.5", "--set", "contact.interface.coulomb_force=1.5"});
  ASSERT_EQ(run.code, 0) << run.err;
  const nlohmann::json c = run.json().at("cases")[0];
  EXPECT_EQ(c.at("machine").at("parameters").at("contact.interface.coulomb_force"), 1.5);
  EXPECT_EQ(c.at("events"), 0) << "2.5 N do not move it";
  EXPECT_EQ(c.at("contacts").at("floor").at("stick_fraction"), 1.0);
}

TEST(Machine, IsRefusedInOneSentenceWithCodeTwo) {
  const Bench bench;
  bench.write("stacked.toml", stacked);
  expect_refused(bench.bristle({"run", "stacked.toml", "--set", "contact.flor.load=1"}), 2,
                 {"contact.flor", "did you mean 'contact.floor'?"});
  expect_refused(bench.bristle({"run", "stacked.toml", "--method", "switch"}), 2,
                 {"stacked.toml", "switch", "rosenbrock"});
  bench.write(
      "bad.toml",
      "[[body]]\nname = \"a\"\ninertia = 1.0\n[[contact]]\non = \"b\"\nlaw = \"coulomb\"\n");
  expect_refused(bench.bristle({"run", "bad.toml"}), 2, {"bad.toml:5: ", "'b'"});
}

TEST(Machine, IsDescribedByModels) {
  const Bench bench;
  const Outcome all = bench.bristle({"models"});
  for (const char* name : {"spring_damper", "belt", "gear", "weight", "backlash", "end_stop",
                           "body", "drive", "contact"})
    EXPECT_PRED2(contains, all.out, "\n  " + std::string(name) + " ");
  const Outcome one = bench.bristle({"models", "spring_damper"});
  EXPECT_EQ(one.code, 0);
  EXPECT_PRED2(contains, one.out, "stiffness");
  EXPECT_EQ(bench.bristle({"models", "gear", "--json"}).json().at("couplings").size(), 1u);
  EXPECT_EQ(bench.bristle({"models", "body", "--json"}).json().at("machine").size(), 1u);
  expect_refused(bench.bristle({"models", "end_stopp"}), 2, {"did you mean 'end_stop'?"});
}

}  // namespace
}  // namespace bristle::test::machine_test
