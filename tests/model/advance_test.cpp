// SPDX-License-Identifier: MIT
// The update of the bristle for velocities given by samples.
#include "bristle/model/advance.hpp"

#include <numbers>

#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "close.hpp"

namespace bristle::advance_test {
namespace {

// A controller's signal: presliding and sliding in both directions within 0.2 s.
double velocity(double t) {
  return 2e-3 * std::sin(2.0 * std::numbers::pi * 10.0 * t) + 1e-3 * std::sin(37.0 * t);
}

LuGre<> drive() {
  LuGre<> law;
  law.stiffness = 1e5;
  law.stribeck_velocity = 2e-3;
  return law;
}

// The states at every millisecond with `parts` updates in each; the velocity is that at the given
// fraction of the update.
template <class L>
std::vector<double> states(const L& law, int parts, double fraction) {
  std::vector<double> all;
  const double step = 1e-3 / parts;
  double z = 0.0;
  for (int i = 0; i < 200 * parts; ++i) {
    z = advance(law, z, Motion<double>{0.0, velocity((i + fraction) * step)}, step);
    if ((i + 1) % parts == 0) all.push_back(z);
  }
  return all;
}

double rms_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / double(a.size()));
}

TEST(Advance, IsExactAtConstantVelocityWhateverTheStep) {
  const auto compare = [](const auto& law) {
    const Motion<double> m{0.0, 1.7e-3};
    double small_steps = 3e-6;
    for (int i = 0; i < 1000; ++i) small_steps = advance(law, small_steps, m, 1e-5);
    EXPECT_TRUE(test::close(advance(law, 3e-6, m, 1e-2), small_steps, 1e-13));
  };
  compare(drive());
  compare(FrBD<>{});
}

TEST(Advance, WithTheMidpointVelocityIsFiftyTimesMoreAccurateThanWithTheSampleItself) {
  const LuGre<> law = drive();
  const auto exact = states(law, 256, 0.5);
  const double midpoint = rms_difference(states(law, 1, 0.5), exact);
  const double at_start = rms_difference(states(law, 1, 0.0), exact);
  const double at_end = rms_difference(states(law, 1, 1.0), exact);
  EXPECT_LT(50.0 * midpoint, at_start);
  EXPECT_LT(50.0 * midpoint, at_end);
}

// Observed order by halving the step, on the FrBD signal v = 0.005 + 0.02 sin(10 pi t) up to t =
// 0.1, where it keeps its sign (a reversal inside a step hides the order).
TEST(Advance, WithTheMidpointVelocityIsOfSecondOrder) {
  const auto error = [](int steps) {
    const FrBD<> law;
    const double step = 0.1 / steps;
    double z = 1e-5;
    for (int i = 0; i < steps; ++i) {
      const double t = (i + 0.5) * step;
      const double v = 0.005 + 0.02 * std::sin(10.0 * std::numbers::pi * t);
      z = advance(law, z, Motion<double>{0.0, v}, step);
    }
    // Friction with bristle dynamics (19); independent reference computation.
    return std::abs(z - 1.122039118250e-4);  // oracle: curves.frbd.state_0_1
  };
  for (const int steps : {100, 200, 400})
    EXPECT_NEAR(std::log2(error(steps) / error(2 * steps)), 2.0, 0.1) << steps << " steps";
}

TEST(Advance, WithTheSampleItselfIsOfFirstOrder) {
  const LuGre<> law = drive();
  const auto exact = states(law, 256, 0.5);
  const double coarse = rms_difference(states(law, 4, 0.0), exact);
  const double fine = rms_difference(states(law, 8, 0.0), exact);
  EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.2);
}

// Euler's rule multiplies the distance to the steady state by 1 - |v| stiffness step / g each step.
TEST(Advance, StaysBoundedWhereEulersRuleDiverges) {
  LuGre<> law;
  law.static_force = law.coulomb_force;
  const double step = 1e-3, limit = 2.0 * law.coulomb_force / (law.stiffness * step);
  const auto largest = [&](double v, bool euler) {
    double z = 0.0, size = 0.0;
    for (int i = 0; i < 200; ++i) {
      const Motion<double> m{0.0, v};
      z = euler ? z + step * rate(law, z, m) : advance(law, z, m, step);
      size = std::max(size, std::abs(z));
    }
    return size / law.state_scale();
  };
  EXPECT_LE(largest(0.95 * limit, true), 2.0);
  EXPECT_GT(largest(1.05 * limit, true), 1e6);
  for (const double factor : {0.95, 1.05, 10.0, 1e6})
    EXPECT_LE(largest(factor * limit, false), 1.0 + test::epsilon) << factor;
}

TEST(Advance, OverZeroTimeChangesNothing) {
  EXPECT_EQ(advance(drive(), 4e-6, Motion<double>{0.0, 0.3}, 0.0), 4e-6);
  EXPECT_EQ(advance(FrBD<>{}, 4e-5, Motion<double>{0.0, 0.3}, 0.0), 4e-5);
}

}  // namespace
}  // namespace bristle::advance_test
