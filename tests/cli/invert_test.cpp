// SPDX-License-Identifier: MIT
// `bristle invert`, `bristle butterfly` and `bristle loop` on files of systems.
#include <cmath>

#include "cli/program.hpp"

namespace bristle::test::invert_test {
namespace {

const std::string plays =
    "[system]\nname = \"prandtl_ishlinskii\"\ndirect = 1.0\nthresholds = [0.2, 0.5]\n"
    "weights = [0.3, 0.4]\nrate = 0.8\n[input]\namplitude = 1.0\n";

TEST(Invert, WritesAModelThatRunsAndInvertsBack) {
  const Bench bench;
  bench.write("plays.toml", plays);
  const Outcome there = bench.bristle({"invert", "plays.toml", "--out", "back.toml", "--json"});
  EXPECT_EQ(there.code, 0) << there.err;
  EXPECT_LT(there.json().at("round_trip_error").get<double>(), 1e-12);
  EXPECT_EQ(bench.bristle({"run", "back.toml", "--no-figures"}).code, 0);
  const Outcome again = bench.bristle({"invert", "back.toml", "--json"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_LT(again.json().at("round_trip_error").get<double>(), 1e-11);
  const auto model = again.json().at("inverse").at("parameters");
  EXPECT_NEAR(model.at("weights")[1].get<double>(), 0.4, 1e-12);
  EXPECT_NEAR(model.at("thresholds")[1].get<double>(), 0.5, 1e-12);
}

TEST(Invert, HandlesEveryKindThatHasAnInverse) {
  const Bench bench;
  bench.write("m.toml",
              "[system]\nname = \"maxwell_slip\"\nthresholds = [1, 2]\nstiffnesses = [-1, 3]\n"
              "[input]\namplitude = 2.0\n");
  bench.write("d.toml",
              "[system]\nname = \"multiplay\"\nthresholds = [1, 2]\nstiffnesses = [1, 3]\n"
              "[input]\namplitude = 3.0\nfrequency = 0.01\n");
  bench.write("p.toml", "[system]\nname = \"preisach\"\n[input]\namplitude = 1.0\n");
  const double enough[]{1e-12, 1e-8, 1.0};
  int i = 0;
  for (const char* file : {"m.toml", "d.toml", "p.toml"}) {
    const Outcome run = bench.bristle({"invert", file, "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_LE(run.json().at("round_trip_error").get<double>(), enough[i++]) << file;
  }
}

TEST(Invert, WarnsOfInputsThatItDoesNotRecover) {
  const Bench bench;
  bench.write("slip.toml",
              "[system]\nname = \"maxwell_slip\"\nthresholds = [1, 2]\nstiffnesses = [1, 3]\n"
              "[input]\namplitude = 2.0\n");
  const Outcome inside = bench.bristle({"invert", "slip.toml"});
  EXPECT_PRED2(contains, inside.out, "verified on 2000 random inputs of amplitude 2");
  // The widest slider moves.
  const Outcome beyond = bench.bristle({"invert", "slip.toml", "--amplitude", "3"});
  EXPECT_PRED2(contains, beyond.out,
               "warning: 2000 random inputs of amplitude 3 are not recovered");
  EXPECT_EQ(beyond.out.find("verified"), std::string::npos);
  const auto json = bench.bristle({"invert", "slip.toml", "--amplitude", "3", "--json"}).json();
  EXPECT_FALSE(json.at("recovered").get<bool>());
  EXPECT_TRUE(bench.bristle({"invert", "slip.toml", "--json"}).json().at("recovered").get<bool>());
}

TEST(Invert, RefusesWhatHasNoInverseWithTheReason) {
  const Bench bench;
  bench.write("flat.toml",
              "[system]\nname = \"maxwell_slip\"\nthresholds = [1, 2]\nstiffnesses = [1, -1]\n");
  expect_refused(bench.bristle({"invert", "flat.toml"}), 2, {"flat.toml", "the slope is 0"});
  bench.write("cubic.toml", "[system]\nname = \"cubic\"\n");
  expect_refused(bench.bristle({"invert", "cubic.toml"}), 2, {"no inverse is known"});
  bench.write("law.toml", stick_slip);
  expect_refused(bench.bristle({"invert", "law.toml"}), 2, {"no [system] to invert"});
  expect_refused(bench.bristle({"invert", "none.toml"}), 3, {"none.toml"});
  bench.write("plays.toml", plays);
  expect_refused(bench.bristle({"invert", "plays.toml", "--case", "x"}), 2,
                 {"plays.toml: has one case without a label, leave out --case x"});
}

TEST(SystemFiles, AreRefusedWithLineFieldAndValue) {
  const Bench bench;
  const auto refused = [&](const std::string& text, const Words& parts) {
    bench.write("s.toml", text);
    expect_refused(bench.bristle({"run", "s.toml"}), 2, parts);
  };
  refused("[system]\nname = \"maxwell_slip\"\nthresholds = [2.0, 1.0]\n",
          {"s.toml:3", "threshold 2 = 1", "greater than the one before"});
  refused("[system]\nname = \"maxwell_slip\"\nthresholds = [1, 2]\nstiffnesses = [1]\n",
          {"s.toml:4", "2 thresholds and 1 stiffnesses"});
  refused("[system]\nname = \"maxwell_slip\"\nthresholds = [-1.0, 1.0]\n",
          {"s.toml:3", "thresholds = -1 m", "at least 0"});
  refused("[system]\nname = \"multiplay\"\nstiffnesses = [1.0, -1.0]\nrole = \"inverse\"\n",
          {"s.toml:3", "add up to 0"});
  refused("[system]\nname = \"prandtl_ishlinskii\"\nrate = -1.0\n", {"the envelope must rise"});
  refused("[system]\nname = \"cubick\"\n", {"s.toml:2", "did you mean 'cubic'?"});
  refused("[system]\nname = \"cubic\"\nthreshold = 1\n", {"s.toml:3", "no field 'threshold'"});
  refused("[system]\nname = \"cubic\"\n[model]\nname = \"lugre\"\n", {"beside a [system]"});
  refused("[system]\nname = \"cubic\"\n[solve]\nmethod = \"coupled\"\n",
          {"no meaning for a system"});
  refused("[curve]\n[map]\nshape = \"points\"\ny = [0, 1, 2]\nq = [0, 1, 2]\n",
          {"s.toml:5", "does not turn"});
  refused("[map]\nshape = \"absolute\"\n", {"without a [system] or a [curve]"});
  refused("[system]\nname = \"maxwell_slip\"\nthresholds = [1, nan]\n", {"s.toml:3"});
  refused("[system]\nname = \"linear_lag\"\nmass = [1.0, 2.0]\n", {"s.toml:3", "one number"});
}

TEST(SystemFiles, TakeListsFromTheCommandLine) {
  const Bench bench;
  bench.write("m.toml",
              "[system]\nname = \"maxwell_slip\"\n[input]\nshape = \"triangle\"\n"
              "amplitude = 5.0\n[solve]\nend = 12.6\n");
  const Outcome run = bench.bristle({"run", "m.toml", "--set", "system.thresholds=1,3", "--set",
                                     "system.stiffnesses=-2,-4", "--json", "--no-figures"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NEAR(run.json().at("cases")[0].at("quantities").at("loop_area").get<double>(), -128.0,
              1e-9);
}

TEST(LoopOfASystem, ReportsThePropertiesOfTheMap) {
  const Bench bench;
  bench.write("plays.toml", plays);
  const Outcome run = bench.bristle({"loop", "plays.toml", "--json", "--out", "map"});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto loop = run.json().at("loops")[0];
  EXPECT_EQ(loop.at("hysteretic"), "yes");
  EXPECT_EQ(loop.at("rate_dependent"), "no");
  EXPECT_EQ(loop.at("memory"), "nonlocal");
  EXPECT_TRUE(loop.at("closes").get<bool>());
  EXPECT_TRUE(bench.has("map/loop1.csv"));
  bench.write("drag.toml", stick_slip);
  expect_refused(bench.bristle({"loop", "drag.toml"}), 2, {"it describes no input-output map"});
}

std::string butterfly(double unequal) {
  std::string text = "field,strain\n";
  for (int i = 0; i < 400; ++i) {
    const double t = 2.0 * M_PI * i / 400.0, x = std::sin(t);
    const double y = x - 0.3 * (1.0 - x * x) * (std::cos(t) > 0.0 ? 1.0 : -1.0);
    text += std::to_string(x) + "," +
            std::to_string(y * y + (std::cos(t) > 0.0 ? unequal * (1.0 - x * x) : 0.0)) + "\n";
  }
  return text;
}

TEST(Errors, ComparesTwoTablesAtTheTimesOfTheFirst) {
  const Bench bench;
  bench.write("a.csv", "time,x\n0,0\n1,2\n2,4\n5,9\n");
  bench.write("b.csv", "time,y\n0,0\n0.5,1\n1.5,3\n2,3\n");
  const Outcome run =
      bench.bristle({"errors", "a.csv", "b.csv", "--column", "x", "--other", "y", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.json().at("samples"), 3);  // 5 s is beyond the second table
  EXPECT_NEAR(run.json().at("max").get<double>(), 1.0, 1e-12);
  expect_refused(bench.bristle({"errors", "a.csv", "b.csv", "--column", "z"}), 2,
                 {"no column 'z'"});
  bench.write("c.csv", "time,x\n7,0\n8,1\n");
  expect_refused(bench.bristle({"errors", "c.csv", "a.csv", "--column", "x"}), 2,
                 {"none of its times"});
}

TEST(RollingFiles, AreRefusedWithLineFieldAndValue) {
  const Bench bench;
  const auto refused = [&](const std::string& mechanism, const Words& parts) {
    bench.write("r.toml",
                "[model]\nname = \"frbd\"\n[mechanism]\nname = \"rolling_patch\"\n" + mechanism);
    expect_refused(bench.bristle({"run", "r.toml"}), 2, parts);
  };
  refused("transport = 0.0\n", {"r.toml:5", "transport = 0 1/s", "greater than 0"});
  refused("pressure = \"table\"\n", {"pressure_table"});
  refused("pressure = \"table\"\npressure_table = [1.0, -1.0]\n", {"r.toml:6", "-1"});
  refused("pressure = \"hertzian\"\n", {"r.toml:5", "did you mean 'hertz'?"});
  refused("speed = 3\n", {"r.toml:5", "no field 'speed'"});
  bench.write("r.toml", "[model]\nname = \"coulomb\"\n[mechanism]\nname = \"rolling_patch\"\n");
  expect_refused(bench.bristle({"run", "r.toml"}), 2, {"has no bristle state"});
  bench.write("b.toml", "[model]\nname = \"frbd\"\n[bode]\nvelocity = 0.0\n");
  expect_refused(bench.bristle({"run", "b.toml"}), 2, {"b.toml:4", "velocity = 0 m/s"});
}

TEST(Butterfly, IsClassifiedUnfoldedFittedAndInverted) {
  const Bench bench;
  bench.write("b.csv", butterfly(0.0));
  const Outcome run =
      bench.bristle({"butterfly", "b.csv", "--fit", "15", "--out", "found", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  const auto j = run.json();
  EXPECT_EQ(j.at("loop").at("kind"), "butterfly");
  EXPECT_EQ(j.at("loop").at("lobes").size(), 2u);
  EXPECT_LT(j.at("fit").at("relative_error").get<double>(), 0.02);
  EXPECT_LT(j.at("fit").at("round_trip_error").get<double>(), 1e-10);
  for (const char* file : {"found/loop.csv", "found/model.toml", "found/inverse.toml",
                           "found/butterfly.csv", "found/summary.json"})
    EXPECT_TRUE(bench.has(file)) << file;
  EXPECT_EQ(bench.bristle({"invert", "found/model.toml"}).code, 0);
  // Results take the place of earlier ones.
  EXPECT_EQ(bench.bristle({"butterfly", "b.csv", "--out", "found"}).code, 0);
  EXPECT_EQ(bench.bristle({"loop", "b.csv", "--out", "found"}).code, 0);
  EXPECT_FALSE(bench.has("found/model.toml"));
}

TEST(Butterfly, SaysWhyItDoesNotUnfold) {
  const Bench bench;
  bench.write("b.csv", butterfly(0.06));
  const Outcome run = bench.bristle({"butterfly", "b.csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out, "not equal");
  EXPECT_PRED2(contains, bench.bristle({"butterfly", "b.csv", "--each"}).out, "unfolds");
  expect_refused(bench.bristle({"butterfly", "b.csv", "--map", "cube"}), 2,
                 {"quadratic or absolute"});
  bench.write("n.csv", "a,b\n0,1\n1,nan\n2,1\n1,2\n0,2\n");
  EXPECT_EQ(bench.bristle({"butterfly", "n.csv"}).code, 2);
}

std::string structural_part(double elastic) {
  std::string text = "format = \"bristle part 1\"\nkind = \"law\"\nlaw = \"degrading_bouc_wen\"\n";
  for (const auto& [name, value] : {std::pair{"stiffness", 2e5},
                                    {"yield_force", 1e3},
                                    {"elastic", elastic},
                                    {"exponent", 1.5},
                                    {"stiffness_loss", 0.02}})
    text += "[[parameter]]\nname = \"" + std::string(name) +
            "\"\nof = \"law\"\nfitted = false\nvalue = " + std::to_string(value) + "\n";
  return text;
}

TEST(Invert, OfAStructuralLoopGivesDisplacementsForForces) {
  const Bench bench;
  bench.write("loop.toml", structural_part(1e4));
  bench.write("wanted.csv", "time_s,force_kN\n0,0\n1,0.8\n2,-0.5\n3,1.4\n");
  const Outcome run = bench.bristle(
      {"invert", "loop.toml", "--forces", "wanted.csv:force_kN", "--out", "motion.csv", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_LT(run.json().at("round_trip_error").get<double>(), 1e-8);
  const auto moves = run.json().at("displacements").get<std::vector<double>>();
  ASSERT_EQ(moves.size(), 4u);
  EXPECT_EQ(moves[0], 0.0);
  // Beyond the yield force the spring alone is left: (1400 - 1000) N over 10,000 N/m, and less than
  // that before it is reached.
  EXPECT_NEAR(moves[3], 0.04, 1e-3);
  EXPECT_PRED2(contains, bench.text("motion.csv"), "force,displacement");
  bench.write("flat.toml", structural_part(0.0));
  expect_refused(bench.bristle({"invert", "flat.toml"}), 2, {"elastic = 0", "no inverse"});
  expect_refused(bench.bristle({"invert", "loop.toml", "--out", "x.csv"}), 2, {"--forces"});
}

}  // namespace
}  // namespace bristle::test::invert_test
