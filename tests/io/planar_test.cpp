// SPDX-License-Identifier: MIT
// Quantities of bodies in the plane and of rolling contacts, as files ask for them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io {
namespace {

using test::TemporaryDirectory;

// Measures one quantity after another of the only case of a file.
class Asked {
 public:
  explicit Asked(const std::string& text)
      : experiment_(read_experiment(bench_.write("e.toml", text))),
        result_(run_case(experiment_.cases[0], experiment_.path)) {}

  Measured operator()(const std::string& quantity, double argument = 0.0) const {
    return measure(experiment_.cases[0], result_, quantity, argument);
  }
  double number(const std::string& quantity, double argument = 0.0) const {
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
[planar]
stiffness = 1e5
stiffness_ratio = 0.5
gradient = 0.0
damping = 0.0
stiction_range = 1e-5
[planar_body]
x_2 = 0.15
bend = 0.0
[solve]
end = 2.0
samples = 2001
)";

TEST(PlanarQuantities, AnisotropyShowsInForceAndDecay) {
  const Asked swing(released);
  EXPECT_NEAR(swing.number("max_force2"), 0.5, 1e-6);
  EXPECT_NEAR(swing.number("min_force2"), -0.5, 1e-6);
  EXPECT_NEAR(swing.number("decay_fall_x2"), 2.0 * 0.5 * 10.0 / (std::numbers::pi * 100.0), 5e-4);
  // Sliding all the time, its swing falls to what the last fifth has.
  EXPECT_LT(swing.number("stick_fraction"), 0.1);
  EXPECT_NEAR(swing.number("end_swing_x2"), 0.09, 0.01);
}

TEST(PlanarQuantities, ABodyThatIsHeldSticksAllTheTime) {
  std::string held = released;
  held.replace(held.find("x_2 = 0.15"), 10, "x_2 = 1e-4");
  const Asked rests(held);
  EXPECT_EQ(rests.number("stick_fraction"), 1.0);
  EXPECT_LT(rests.number("end_swing_x2"), 1e-5);
}

TEST(PlanarQuantities, OnlyTheResetIntegratorKnowsWhenItSticks) {
  const Asked lugre(
      "title = \"l\"\n[planar]\nkind = \"lugre\"\n[planar_body]\n[solve]\nend = 0.1\n");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(lugre("stick_fraction")));
}

TEST(PlanarQuantities, TheDitherOfASweepIsAVelocity) {
  const TemporaryDirectory bench;
  const std::string swept = released + R"([[sweep]]
name = "dither"
field = "input.amplitude"
values = [0.5, 1.0]
input = { shape = "sine", frequency = 300.0 }
[[figure]]
name = "rate"
sweeps = ["dither"]
quantity = "end_swing_v1"
)";
  const Experiment e = read_experiment(bench.write("e.toml", swept));
  write_results(e, run_experiment(e), bench.path("out"), {.figures = false});
  EXPECT_PRED2(test::contains, bench.text("out/rate.gp"), "amplitude of the wave [m/s]");
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
}  // namespace bristle::io
