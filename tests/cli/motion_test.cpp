// SPDX-License-Identifier: MIT
// Spectra, friction from measured signals and bifurcation diagrams as commands.
#include <cmath>

#include "cli/program.hpp"

namespace bristle::test::motion_test {
namespace {

const std::string oscillator =
    "[model]\nname = \"hysteretic_static\"\n[mechanism]\nname = \"base_excited_mass\"\n"
    "[input]\namplitude = 0.003\nfrequency = 62.83185307179586\n"
    "[solve]\nend = 6.0\nrecord_from = 4.0\ntolerance = 1e-7\nsamples = 2001\n";

Words diagram(const std::string& out, const std::string& values = "24") {
  return {"bifurcation", "o.toml",   "--parameter", "input.amplitude", "--from", "0.002",  "--to",
          "0.004",       "--values", values,        "--periods",       "40",     "--keep", "10",
          "--out",       out};
}

TEST(SpectrumCommand, NamesThePeaksOfARun) {
  const Bench bench;
  bench.write("o.toml", oscillator);
  ASSERT_EQ(bench.bristle({"run", "o.toml", "--no-figures", "--out", "r"}).code, 0);
  const Outcome o = bench.bristle({"spectrum", "r/trajectory.csv", "--column", "position",
                                   "--drive", "10", "--beat", "0.1", "--json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto j = o.json();
  EXPECT_EQ(j["peaks"][0]["name"], "f1");
  EXPECT_NEAR(j["peaks"][0]["frequency"].get<double>(), 10.0, 1e-3);
  EXPECT_EQ(j["motion"]["kind"], "periodic");
  EXPECT_EQ(
      bench.bristle({"spectrum", "r/trajectory.csv", "--column", "position", "--out", "s"}).code,
      0);
  EXPECT_TRUE(fs::exists(bench.root() / "s/spectrum.csv"));
}

TEST(SpectrumCommand, RefusesWhatItCannotSee) {
  const Bench bench;
  std::string even = "time,x\n", uneven = even;
  for (int i = 0; i < 64; ++i) {
    even += std::to_string(0.01 * i) + "," + std::to_string(std::sin(0.5 * i)) + "\n";
    uneven += std::to_string(0.01 * i + (i > 30 ? 0.005 : 0.0)) + ",1\n";
  }
  bench.write("even.csv", even);
  bench.write("uneven.csv", uneven);
  bench.write("empty.csv", "time,x\n");
  const auto asked = [&](const std::string& file, const Words& more = {}) {
    Words words{"spectrum", file, "--column", "x"};
    words.insert(words.end(), more.begin(), more.end());
    return bench.bristle(words);
  };
  expect_refused(asked("even.csv", {"--drive", "60"}), 2, {"even.csv", "60 Hz", "0.01 s", "50"});
  expect_refused(asked("uneven.csv"), 2,
                 {"uneven.csv", "sample 32", " 0.015 s after", "even to 0.1 %"});
  EXPECT_EQ(asked("empty.csv").code, 2);
  bench.write("named.csv", "time_s,x\n0,0\n1,1\n2,0\n");
  expect_refused(
      asked("named.csv"), 2,
      {"named.csv: there is no column 'time', did you mean 'time_s'? (columns: time_s, x)"});
  expect_refused(asked("even.csv", {"--beat", "0.01"}), 2,
                 {"even.csv", "drive period of 0.01 s", "0.02"});
}

TEST(IndirectCommand, FindsTheFrictionOfARun) {
  const Bench bench;
  bench.write("o.toml", oscillator);
  ASSERT_EQ(bench.bristle({"run", "o.toml", "--no-figures", "--out", "r"}).code, 0);
  const Outcome o = bench.bristle({"indirect", "r/trajectory.csv", "--velocity", "velocity",
                                   "--acceleration", "body_acceleration", "--out", "f"});
  ASSERT_EQ(o.code, 0) << o.err;
  const Outcome e = bench.bristle(
      {"errors", "r/trajectory.csv", "f/friction.csv", "--column", "force", "--json"});
  ASSERT_EQ(e.code, 0) << e.err;
  EXPECT_LT(e.json()["max"].get<double>(), 1e-8);
  expect_refused(bench.bristle({"indirect", "r/trajectory.csv"}), 2,
                 {"trajectory.csv", "acceleration", "base"});
  expect_refused(
      bench.bristle({"indirect", "r/trajectory.csv", "--base", "input", "--half-width", "5000"}), 2,
      {"half_width = 5000"});
}

TEST(BifurcationCommand, WritesADiagram) {
  const Bench bench;
  bench.write("o.toml", oscillator);
  const Outcome o = bench.bristle(diagram("d"));
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_PRED2(contains, o.out, "periodic");
  EXPECT_TRUE(fs::exists(bench.root() / "d/bifurcation.csv"));
  EXPECT_FALSE(fs::exists(bench.root() / "d.partial.csv"));
}

TEST(BifurcationCommand, InterruptedGoesOnAndEndsTheSame) {
  const Bench bench;
  bench.write("o.toml", oscillator);
  ASSERT_EQ(bench.bristle(diagram("whole", "600")).code, 0);
  Process process(bench.root(), diagram("part", "600"));
  process.signal(SIGINT);
  const Outcome cut = process.outcome();
  if (cut.code == 0) GTEST_SKIP() << "it was faster than the interrupt";
  EXPECT_EQ(cut.code, 130) << cut.err;
  EXPECT_FALSE(fs::exists(bench.root() / "part"));
  EXPECT_TRUE(fs::exists(bench.root() / "part.partial.csv"));
  // Another diagram does not go on with it.
  Words other = diagram("part", "601");
  other.emplace_back("--resume");
  expect_refused(bench.bristle(other), 2, {"part.partial.csv", "another diagram"});
  Words rest = diagram("part", "600");
  rest.emplace_back("--resume");
  const Outcome o = bench.bristle(rest);
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_PRED2(contains, o.out, "resumed");
  EXPECT_EQ(read(bench.root() / "part/bifurcation.csv"),
            read(bench.root() / "whole/bifurcation.csv"));
}

TEST(BifurcationCommand, RefusesInputWithoutADiagram) {
  const Bench bench;
  bench.write("o.toml", oscillator);
  bench.write("s.toml", stick_slip);
  const auto asked = [&](const std::string& file, const std::string& parameter,
                         const Words& more = {}) {
    Words words{"bifurcation", file, "--parameter", parameter, "--from", "0.002", "--to", "0.004"};
    words.insert(words.end(), more.begin(), more.end());
    return bench.bristle(words);
  };
  expect_refused(asked("s.toml", "mechanism.mass"), 2, {"s.toml", "base_excited_mass", "rig"});
  expect_refused(asked("o.toml", "input.amplitud"), 2,
                 {"parameter input.amplitud = 0.002: ", "amplitude"});
  expect_refused(asked("o.toml", "amplitude"), 2,
                 {"parameter amplitude: must have the form section.field"});
  expect_refused(asked("o.toml", "input.amplitude", {"--keep", "300"}), 2,
                 {"keep = 300", "periods = 300"});
  expect_refused(asked("o.toml", "input.amplitude", {"--x", "positon"}), 2,
                 {"positon", "position"});
  expect_refused(asked("o.toml", "input.amplitude", {"--case", "none"}), 2, {"none"});
}

TEST(Oscillators, AreRefusedWithFileLineFieldValueAndBound) {
  const Bench bench;
  const auto refused = [&](const std::string& text) {
    bench.write("bad.toml", text);
    return bench.bristle({"run", "bad.toml", "--no-figures"});
  };
  const std::string tail = "[mechanism]\nname = \"base_excited_mass\"\n[solve]\nend = 2.0\n";
  expect_refused(refused("[model]\nname = \"seven_parameter\"\ndelay = -1\n" + tail), 2,
                 {"bad.toml:3", "delay = -1 s", "at least 0"});
  // A mass that is too light for the lag of the friction has several accelerations.
  expect_refused(refused("[model]\nname = \"hysteretic_static\"\ndelay = 0.1\n" + tail), 2,
                 {"bad.toml:3", "3.35 kg", "11.36658", "several accelerations"});
  expect_refused(refused("[model]\nname = \"seven_parameter\"\n" + tail + "method = \"cvode\"\n"),
                 2, {"bad.toml", "cvode", "laws with a delay", "seven_parameter"});
  expect_refused(refused("[model]\nname = \"hysteretic_static\"\n[mechanism]\nname = "
                         "\"base_excited_mass\"\n[input]\nshape = \"triangle\"\n"),
                 2, {"bad.toml:6", "smooth"});
  expect_refused(refused("[model]\nname = \"hysteretic_static\"\nroughness_decay = 0\n" + tail), 2,
                 {"bad.toml:3", "roughness_decay = 0", "greater than 0"});
  expect_refused(refused("[model]\nname = \"hysteretic_static\"\n[roughness]\ndecay = 1\n" + tail),
                 2, {"roughness", "without a [surface]"});
  const std::string plane =
      "[[body]]\nname = \"x\"\ninertia = 1.0\n[[body]]\nname = \"y\"\ninertia = 1.0\n"
      "[[contact]]\non = [\"x\", \"y\"]\n";
  expect_refused(refused(plane + "law = { name = \"planar_reset\", range = 0.0 }\n"), 2,
                 {"bad.toml:9", "range = 0 m", "greater than 0 m"});
  expect_refused(refused(plane + "law = { name = \"planar_reset\", stiffness_ratio = -1 }\n"), 2,
                 {"bad.toml:9", "stiffness_ratio = -1", "greater than 0"});
}

}  // namespace
}  // namespace bristle::test::motion_test
