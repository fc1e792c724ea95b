// SPDX-License-Identifier: MIT
// Quantities of bodies in the plane and of rolling contacts, as files ask for them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/io/errors.hpp"
#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io::planar_test {
namespace {

using test::TemporaryDirectory;

// Measures one quantity after another of the only case of a file.
class Asked {
 public:
  explicit Asked(const std::string& text)
      : experiment_(read_experiment(bench_.write("e.toml", text))),
        result_(run_case(experiment_.cases[0], experiment_.path)) {}

  Measured operator()(const std::string& quantity, const Argument& argument = {}) const {
    return measure(experiment_.cases[0], result_, quantity, argument);
  }
  double number(const std::string& quantity, const Argument& argument = {}) const {
    const Measured m = (*this)(quantity, argument);
    return std::holds_alternative<double>(m) ? std::get<double>(m) : NAN;
  }

 private:
  TemporaryDirectory bench_;
  Experiment experiment_;
  CaseResult result_;
};

// Half of the force of the first axis along the second, on a stiff bristle.
const std::string released = R"(title = "released"
[[body]]
name = "x"
inertia = 1.0
[[body]]
name = "y"
inertia = 1.0
position = 0.15
[[drive]]
name = "shaker"
gives = "velocity"
shape = "ramp"
[[coupling]]
name = "spring_x"
kind = "spring_damper"
on = "x"
stiffness = 100.0
[[coupling]]
name = "spring_y"
kind = "spring_damper"
on = "y"
stiffness = 100.0
[[contact]]
name = "pad"
of = [{ x = 1.0, shaker = -1.0 }, { y = 1.0 }]
law = { name = "planar_reset", stiffness = 1e5, stiffness_ratio = 0.5, gradient = 0.0, damping = 0.0, range = 1e-5 }
[solve]
end = 2.0
samples = 2001
)";
Argument of(const std::string& column, double from = 0.0) {
  Argument a;
  a.column = column;
  a.from = from;
  return a;
}
Argument pad(double from = 0.0) {
  Argument a;
  a.contact = "pad";
  a.from = from;
  return a;
}

TEST(PlanarQuantities, AnisotropyShowsInForceAndDecay) {
  const Asked swing(released);
  EXPECT_NEAR(swing.number("maximum", of("pad.force_2")), 0.5, 1e-6);
  EXPECT_NEAR(swing.number("minimum", of("pad.force_2")), -0.5, 1e-6);
  EXPECT_NEAR(swing.number("decay_fall", of("y.position")),
              2.0 * 0.5 * 10.0 / (std::numbers::pi * 100.0), 5e-4);
  EXPECT_EQ(words(swing("decay", of("y.position"))), "straight line");
  // Sliding all the time, its swing falls to what the last fifth has.
  EXPECT_LT(swing.number("stick_fraction", pad(1.0)), 0.1);
  EXPECT_NEAR(swing.number("swing", of("y.position", 1.6)), 0.09, 0.01);
}

TEST(PlanarQuantities, ABodyThatIsHeldSticksAllTheTime) {
  std::string held = released;
  held.replace(held.find("position = 0.15"), 15, "position = 1e-4");
  const Asked rests(held);
  EXPECT_EQ(rests.number("stick_fraction", pad(1.0)), 1.0);
  EXPECT_LT(rests.number("swing", of("y.position", 1.6)), 1e-5);
}

TEST(PlanarQuantities, ALawThatOnlyCreepsDoesNotKnowWhenItSticks) {
  std::string creeps = released;
  const auto law = creeps.find("law = {");
  creeps.replace(law, creeps.find("}", law) + 1 - law, "law = \"lugre\"");
  creeps.replace(creeps.find("end = 2.0"), 9, "end = 0.1");
  const Asked lugre(creeps);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(lugre("stick_fraction", pad())));
}

TEST(PlanarQuantities, TheDitherOfASweepIsAVelocity) {
  const TemporaryDirectory bench;
  const std::string swept = released + R"([[sweep]]
name = "dither"
field = "drive.shaker.amplitude"
values = [0.5, 1.0]
drive.shaker = { shape = "sine", frequency = 300.0 }
[[figure]]
name = "rate"
sweeps = ["dither"]
quantity = "swing"
column = "x.velocity"
from = 1.6
)";
  const Experiment e = read_experiment(bench.write("e.toml", swept));
  write_results(e, run_experiment(e), bench.path("out"), {.figures = false});
  EXPECT_PRED2(test::contains, bench.text("out/rate.gp"), "amplitude of the wave [m/s");
  EXPECT_PRED2(test::contains, bench.text("out/rate.gp"), "swing of x.velocity [mm/s]");
}

TEST(PlanarQuantities, AFileOfTheFormerSectionsIsRefusedWithTheNewForm) {
  const TemporaryDirectory bench;
  for (const std::string section : {"planar", "planar_body"}) {
    const std::string path = bench.write("old.toml", "[" + section + "]\n[solve]\nend = 1.0\n");
    EXPECT_PRED2(test::contains, test::refusal<InputError>([&] { read_experiment(path); }),
                 "old.toml:1: [" + section +
                     "] is a machine now: write a [[body]] for each axis and a [[contact]] with on "
                     "= [\"x\", \"y\"] and law = { name = \"planar_reset\" }");
  }
}

TEST(PlanarQuantities, ALawOfThePlaneNeedsTwoAxes) {
  const TemporaryDirectory bench;
  for (const std::string rest : {"[steady]\n", "[mechanism]\nname = \"dragged_mass\"\n"}) {
    const std::string path = bench.write("e.toml", "[model]\nname = \"planar_reset\"\n" + rest);
    EXPECT_PRED2(test::contains, test::refusal<InputError>([&] { read_experiment(path); }),
                 "e.toml:2: planar_reset acts in the plane only: put it on a [[contact]] with two "
                 "axes");
  }
}

const std::string rolling = R"(title = "rolling"
[model]
name = "frbd"
stiffness = 252.0
damping = 4.0
[mechanism]
name = "rolling_patch"
[input]
shape = "sine"
frequency = 300.0
[solve]
end = 0.03
samples = 101
)";

TEST(StabilityQuantities, JudgeARollingContact) {
  const Asked contact(rolling);
  EXPECT_EQ(words(contact("input_to_state")), "holds");
  EXPECT_EQ(words(contact("input_to_output")), "holds");
  EXPECT_LT(contact.number("given_back"), 1e-6);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(contact("state_bound")));
  std::string partial = rolling;
  partial.insert(partial.find("[input]"), "derivative = \"partial\"\n");
  EXPECT_EQ(words(Asked(partial)("input_to_output")), "violated");
}

TEST(StabilityQuantities, BoundTheStateOfALaw) {
  const std::string steady = "title = \"s\"\n[model]\nname = \"frbd\"\nviscous = 0.0\n[steady]\n";
  const Asked law(steady);
  EXPECT_NEAR(law.number("state_bound", 1.0), 1.5e-4, 1e-9);
  EXPECT_EQ(words(law("bounded", 1.0)), "at any speed");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(law("input_to_state")));
  const Asked coulomb("title = \"c\"\n[model]\nname = \"coulomb\"\n[steady]\n");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(coulomb("bounded")));
}

}  // namespace
}  // namespace bristle::io::planar_test
