// SPDX-License-Identifier: MIT
// Every kind of long work hears an interrupt: the command ends with its exit code, soon, and leaves
// nothing behind. Each command would take minutes or more.
#include <cmath>

#include "program.hpp"

namespace bristle::test::cancel_test {
namespace {

constexpr int interrupted = 130;

struct LongWork {
  std::string name;
  std::string file;  // work.toml, if there is one
  Words words;

  friend std::ostream& operator<<(std::ostream& out, const LongWork& w) { return out << w.name; }
};

std::string dragged(const std::string& law, const std::string& solve) {
  return "[model]\nname = \"" + law +
         "\"\n[mechanism]\nname = \"dragged_mass\"\nspring = 2.0\ndrag_velocity = 0.1\n[solve]\n"
         "step_limit = 1e12\n" +
         solve;
}
std::string oscillator(const std::string& model, const std::string& body, const std::string& rest) {
  return "[model]\n" + model + "[mechanism]\nname = \"" + body +
         "\"\n[input]\namplitude = 1e-3\nfrequency = 30\n[solve]\nstep_limit = 1e12\nsamples = "
         "11\n" +
         rest;
}
std::string rolling(const std::string& name, double points, const std::string& rest) {
  return "[model]\nname = \"frbd\"\n[mechanism]\nname = \"" + name +
         "\"\npoints = " + std::to_string(long(points)) + "\n[input]\namplitude = 0.1\n[solve]\n" +
         rest;
}
std::string system(const std::string& name, const std::string& rest) {
  return "[system]\nname = \"" + name + "\"\n" + rest;
}
std::string measured(const std::string& quantity) {
  return "[expect]\nfact = { quantity = \"" + quantity + "\", at_most = 1.0, source = \"long\" }\n";
}

const std::string on_base = "base_excited_mass";
const std::string hysteretic = "name = \"hysteretic_static\"\n";
const Words run{"run", "work.toml", "--no-figures", "--out", "result"};

// "1, 2, 3"
std::string many_numbers(int count) {
  std::string text = "1";
  for (int i = 2; i <= count; ++i) text += ", " + std::to_string(i);
  return text;
}

const LongWork all_work[] = {
    {"Rosenbrock", dragged("lugre", "end = 1e9\n"), run},
    {"CvodeBetweenTwoSamples", dragged("lugre", "end = 1e6\nsamples = 2\nmethod = \"cvode\"\n"),
     run},
    {"FixedSteps", dragged("lugre", "end = 1e5\nsamples = 11\nmethod = \"coupled\"\nstep = 1e-6\n"),
     run},
    {"SwitchModel", dragged("stribeck", "end = 1e9\nmethod = \"switch\"\n"), run},
    {"RowOfBristles", dragged("drbm", "end = 1e9\n"), run},
    {"OneStepOfManySamples",
     "[model]\nname = \"coulomb\"\n[mechanism]\nname = \"wall_spring_mass\"\n[input]\namplitude = "
     "0.0\n[solve]\nend = 1e3\nsamples = 5e7\n",
     run},
    {"DynamicSystem", system("bouc_wen", "[solve]\nend = 1e9\nsamples = 11\nstep_limit = 1e12\n"),
     run},
    {"DynamicSystemByCvode",
     system("bouc_wen",
            "[solve]\nend = 1e9\nsamples = 11\nmethod = \"cvode\"\nstep_limit = 1e12\n"),
     run},
    {"Operator", system("prandtl_ishlinskii", "[solve]\nend = 1e8\nsamples = 11\n"), run},
    {"RollingPatch", rolling("rolling_patch", 1e6, "end = 1e3\n"), run},
    {"BrakedWheel", rolling("braked_wheel", 1e6, "end = 1e3\n"), run},
    {"PlanarBody",
     "[[body]]\nname = \"x\"\ninertia = 1.0\nposition = 0.08\n"
     "[[body]]\nname = \"y\"\ninertia = 1.0\nvelocity = 0.5\n"
     "[[coupling]]\nkind = \"spring_damper\"\non = \"x\"\nstiffness = 100.0\n"
     "[[contact]]\non = [\"x\", \"y\"]\nlaw = \"planar_reset\"\n"
     "[[input]]\non = \"x\"\namplitude = 5.0\n[solve]\nend = 1e9\nsamples = 11\n"
     "step_limit = 1e12\n",
     run},
    {"Oscillator", oscillator(hysteretic, on_base, "end = 1e7\n"), run},
    {"OscillatorOfManySamples",
     oscillator(hysteretic, on_base, "end = 1e7\n"),
     {"run", "work.toml", "--no-figures", "--out", "result", "--set", "solve.samples=1e7"}},
    {"LiteralForm",
     oscillator(hysteretic, on_base, "end = 1\nstep = 1e-7\n" + measured("several_solutions")),
     run},
    {"GivenMotion", oscillator(hysteretic, "prescribed_motion", "end = 1e7\n"), run},
    {"SevenParameters", oscillator("name = \"seven_parameter\"\n", on_base, "end = 1e7\n"), run},
    {"LyapunovExponent",
     oscillator(hysteretic, on_base, "end = 1000\ntolerance = 1e-14\n" + measured("lyapunov")),
     run},
    {"Sensitivity",
     oscillator("name = \"seven_parameter\"\ndelay = 1e-8\n", on_base,
                "end = 1e-6\n" + measured("sensitivity")),
     run},
    {"MinorLoop",
     system("cubic", "[input]\nfrequency = 1e-8\n[solve]\nend = 1\n" + measured("minor_loop")),
     run},
    {"PropertiesOfAMap",
     system("cubic", "[input]\nfrequency = 1e-8\n[solve]\nend = 1\n" + measured("hysteretic")),
     run},
    {"LimitOfSlowInputs",
     system("cubic", "[input]\nfrequency = 1e-8\n[solve]\nend = 1\n" + measured("slow_area")), run},
    {"BoundOfTheState",
     "[model]\nname = \"lugre\"\nstiffness = 1e12\n[mechanism]\nname = \"prescribed_motion\"\n"
     "[solve]\nend = 1\n" +
         measured("state_bound"),
     run},
    {"InputToStateStability",
     rolling("rolling_patch", 1e5, "end = 1e-5\nsamples = 2\n" + measured("input_to_state")), run},
    {"SteadyCurve",
     "[model]\nname = \"drbm\"\n[steady]\nfrom = -1\nto = 1\npoints = 1000000\n[[sweep]]\nname = "
     "\"loads\"\nfield = \"steady.load\"\nvalues = [" +
         many_numbers(60) + "]\n",
     run},
    {"RandomSurface", "[roughness]\nterms = 1000000\n[surface]\npoints = 100000\ndraws = 100000\n",
     run},
    {"Bifurcation",
     oscillator(hysteretic, on_base, "end = 1\n"),
     {"bifurcation", "work.toml", "--parameter", "mechanism.load", "--from", "30", "--to", "40",
      "--values", "1000", "--periods", "1000000", "--keep", "500000", "--out", "result"}},
    {"Fit",
     "",
     {"fit", "strokes.csv", "--model", "lugre", "--starts", "100000", "--out", "result"}},
    {"FitOfMotion",
     "",
     {"fit", "strokes.csv", "--model", "lugre", "--mechanism", "wall_spring_mass", "--input",
      "force", "--steps", "1000", "--out", "result"}},
    {"Comparison", "", {"compare", "strokes.csv", "--starts", "100000", "--out", "result"}},
    {"Excitation",
     "",
     {"excite", "--model", "lugre", "--trials", "100000", "--stroke", "0.01", "--speed", "0.1",
      "--noise", "0.01", "--duration", "100", "--rate", "9999", "--out", "result.csv"}},
    {"FitOfPlays", "", {"loop", "loop.csv", "--fit", "60", "--out", "result"}},
};

// Strokes with friction, and loops of an operator.
void write_tables(const Bench& bench) {
  std::string strokes = "time,position,velocity,force\n", loop = "input,output\n";
  const auto row = [](std::initializer_list<double> numbers) {
    std::string text;
    for (const double n : numbers) text += (text.empty() ? "" : ",") + std::to_string(n);
    return text + "\n";
  };
  for (int i = 0; i < 20000; ++i) {
    const double t = 1e-3 * i, v = std::cos(3.0 * t) + 0.5 * std::sin(7.0 * t);
    const double x = std::sin(3.0 * t) / 3.0 - std::cos(7.0 * t) / 14.0;
    strokes += row({t, x, v, std::tanh(20.0 * v) + 0.1 * v + 0.01 * std::sin(12345.0 * i)});
    for (int k = 0; k < 10; ++k)
      loop += row({std::sin(t + 20.0 * k), std::sin(t + 20.0 * k - 0.3)});
  }
  bench.write("strokes.csv", strokes);
  bench.write("loop.csv", loop);
}

class LongWorkOf : public ::testing::TestWithParam<LongWork> {};

TEST_P(LongWorkOf, EndsSoonWhenInterruptedAndLeavesNothing) {
  const Bench bench;
  const LongWork& work = GetParam();
  const bool needs_cvode = contains(work.file, "\"cvode\"") || contains(work.file, "\"switch\"");
  if (needs_cvode && without_sundials()) GTEST_SKIP() << "this program was built without SUNDIALS";
  if (!work.file.empty()) bench.write("work.toml", work.file);
  if (work.file.empty()) write_tables(bench);
  const auto before = bench.files();

  Process process(bench.root(), work.words);
  if (process.ends_within(std::chrono::milliseconds(400))) {
    EXPECT_EQ(process.outcome().code, 0);
    GTEST_SKIP() << "the work was done before it was interrupted";
  }
  process.signal(SIGINT);
  const bool at_once = process.ends_within(std::chrono::milliseconds(200));
  ASSERT_TRUE(process.ends_within(std::chrono::seconds(5)));
  const Outcome cut = process.outcome();
  if (at_once && cut.code == 0) GTEST_SKIP() << "the work was done before it was interrupted";
  EXPECT_EQ(cut.code, interrupted) << cut.err;
  EXPECT_NE(cut.err.find("interrupted"), std::string::npos) << cut.err;
  auto after = bench.files();
  after.erase("result.partial.csv");  // what a bifurcation diagram goes on from
  EXPECT_EQ(after, before);
}

INSTANTIATE_TEST_SUITE_P(Cancellation, LongWorkOf, ::testing::ValuesIn(all_work),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace bristle::test::cancel_test
