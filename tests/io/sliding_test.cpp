// SPDX-License-Identifier: MIT
// Quantities of sliding, and what figures draw beside their columns.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io::sliding_test {
namespace {

using test::contains;
using test::TemporaryDirectory;

const std::string lag = R"(title = "lag"
[model]
name = "frbd"
[mechanism]
name = "prescribed_motion"
[input]
shape = "sine"
rate = 0.005
amplitude = 2.864788975654116e-05
frequency = 157.07963267948966
[solve]
end = 1.0
record_from = 0.96
samples = 401
tolerance = 1e-10
)";

Measured measured(const std::string& text, const std::string& quantity, double argument = 0.0) {
  const TemporaryDirectory bench;
  const Experiment e = read_experiment(bench.write("e.toml", text));
  return measure(e.cases[0], run_case(e.cases[0], e.path), quantity, argument);
}

std::string word(const Measured& m) {
  return std::holds_alternative<std::string>(m) ? std::get<std::string>(m) : words(m);
}

TEST(Lag, IsNormalAtALowStribeckVelocityAndReversedAtALargeOne) {
  EXPECT_EQ(word(measured(lag, "lag")), "normal");
  std::string large = lag;
  large.insert(large.find("[mechanism]"), "stribeck_velocity = 1.0\n");
  EXPECT_EQ(word(measured(large, "lag")), "reversed");
}

const std::string slides = R"(title = "slides"
[model]
name = "frbd"
[mechanism]
name = "dragged_mass"
spring = 2.0
drag_velocity = -0.1
[solve]
end = 30.0
samples = 6001
)";

TEST(Sliding, IsMeasuredInTheDirectionOfTheMotion) {
  const Measured forward = measured(slides, "mean_force", 0.1);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(forward));
  const Measured backward = measured(slides, "mean_force", -0.1);
  ASSERT_TRUE(std::holds_alternative<double>(backward));
  EXPECT_NEAR(std::get<double>(backward), -1.0, 0.05);
  const Measured least = measured(slides, "min_sliding_force", 0.05);
  ASSERT_TRUE(std::holds_alternative<double>(least));
  EXPECT_GT(std::get<double>(least), 0.99);
  const Measured second = measured(slides, "slip_peak", 2.0);
  ASSERT_TRUE(std::holds_alternative<double>(second));
  EXPECT_NEAR(std::get<double>(second), 0.468, 0.01);
}

TEST(ClosedForm, IsDrawnDashedOverTheRangeOfTheColumns) {
  const TemporaryDirectory bench;
  const std::string text = slides + R"toml(
[[figure]]
name = "force"
x = "velocity"
y = "force"
mean = true
[[figure.curve]]
label = "by hand"
formula = "sign(x) * (1 + 0.5 * exp(-(x / 0.01)^2))"
[[figure]]
name = "peaks"
peaks = true
)toml";
  const Experiment e = read_experiment(bench.write("e.toml", text));
  const ExperimentResult result = run_experiment(e);
  write_results(e, result, bench.path("out"), {.figures = false});
  const Table drawn = read_csv(bench.path("out/force_formula1.csv"));
  ASSERT_GT(drawn.columns[0].size(), 300u);
  EXPECT_NEAR(drawn.columns[0].front(), -0.468, 0.01);
  EXPECT_DOUBLE_EQ(drawn.columns[1].front(), -1.0);
  EXPECT_PRED2(contains, bench.text("out/force.gp"), "dt 2");
  // The means of a backward motion stand at negative velocities.
  const Table mean = read_csv(bench.path("out/force_mean-backward.csv"));
  EXPECT_LT(mean.columns[0].back(), -0.4);
  EXPECT_GE(read_csv(bench.path("out/peaks_peaks.csv")).columns[0].size(), 3u);
}

TEST(ClosedForm, IsRefusedWithTheLineOfItsFormula) {
  const TemporaryDirectory bench;
  const auto refusal = [&](const std::string& curve) {
    return test::refusal<InputError>([&] {
      read_experiment(bench.write("bad.toml", slides + "[[figure]]\n[[figure.curve]]\n" + curve));
    });
  };
  EXPECT_PRED2(
      contains, refusal("label = \"a\"\nformula = \"2 * sehc(x)\"\n"),
      "bad.toml:14: formula \"2 * sehc(x)\": there is no name 'sehc', did you mean 'sech'?");
  EXPECT_PRED2(contains, refusal("label = \"a\"\n"), "needs a label and a formula");
  EXPECT_PRED2(contains, refusal("label = \"a\"\nformul = \"x\"\n"), "did you mean 'formula'?");
  EXPECT_PRED2(contains, test::refusal<InputError>([&] {
                 read_experiment(bench.write("bad.toml", slides + "[[figure]]\nmean = true\n"));
               }),
               "its x must be velocity");
}

}  // namespace
}  // namespace bristle::io::sliding_test
