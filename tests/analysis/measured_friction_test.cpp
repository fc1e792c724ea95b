// SPDX-License-Identifier: MIT
// Friction from measured signals, and laws in two groups.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bristle/analysis/indirect_force.hpp"
#include "bristle/analysis/literal_form.hpp"
#include "bristle/analysis/lyapunov.hpp"
#include "bristle/analysis/sensitivity.hpp"
#include "bristle/machine/short_forms.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/seven_parameter.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle::measured_friction_test {
namespace {

BaseExcitedMass body() {
  BaseExcitedMass b;
  b.signal.amplitude = 0.003;
  b.signal.frequency = 20.0 * std::numbers::pi;
  return b;
}
Trajectory measured(double samples) {
  return simulate(HystereticStatic<>{}, body(),
                  {.end = 1.4, .tolerance = 1e-10, .samples = samples, .record_from = 1.0})
      .trajectory;
}
// What an accelerometer on the mass reads.
std::vector<double> accelerations(const Trajectory& t) {
  const BaseExcitedMass b = body();
  std::vector<double> a;
  for (std::size_t i = 0; i < t.size(); ++i)
    a.push_back(-(b.spring * t.position[i] + b.damping * t.velocity[i] + t.force[i]) / b.mass);
  return a;
}
double rms_error(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / double(a.size()));
}

TEST(Smoothing, IsExactForPolynomialsOfItsDegreeAlsoAtTheEnds) {
  std::vector<double> x;
  const double h = 0.1;
  for (int i = 0; i < 50; ++i) {
    const double t = h * i;
    x.push_back(1.0 + t * (2.0 + t * (-0.5 + t * (0.3 - 0.02 * t))));
  }
  const auto slope = smoothed(x, h, 1), bend = smoothed(x, h, 2);
  for (int i = 0; i < 50; ++i) {
    const double t = h * i;
    EXPECT_NEAR(slope[std::size_t(i)], 2.0 - t + 0.9 * t * t - 0.08 * t * t * t, 1e-9);
    EXPECT_NEAR(bend[std::size_t(i)], -1.0 + 1.8 * t - 0.24 * t * t, 1e-8);
  }
}

TEST(IndirectForce, FromAllSignalsIsTheFrictionItself) {
  const auto r = measured(4001);
  const auto f = indirect_force(body(), {r.time, r.position, r.velocity, accelerations(r), {}});
  EXPECT_LT(rms_error(f.force, r.force), 1e-9);
}

TEST(IndirectForce, FromPositionsAloneSmoothsTheJumps) {
  const auto r = measured(8001);
  const auto f = indirect_force(body(), {r.time, r.position, {}, {}, r.input});
  // Friction jumps by some 16 N within a millisecond four times in this record.
  EXPECT_LT(rms_error(f.force, r.force), 0.5);
  auto noisy = r;
  std::mt19937_64 random(4);
  std::normal_distribution<double> noise(0.0, 1e-8);
  for (auto& x : noisy.position) x += noise(random);
  const auto rough = indirect_force(body(), {r.time, noisy.position, {}, {}, r.input}, {2.0, 2.0});
  const auto smooth =
      indirect_force(body(), {r.time, noisy.position, {}, {}, r.input}, {20.0, 4.0});
  EXPECT_LT(rms_error(smooth.force, r.force), rms_error(rough.force, r.force));
}

TEST(IndirectForce, RefusesWhatItCannotUse) {
  const auto r = measured(101);
  const BaseExcitedMass o = body();
  EXPECT_THROW(indirect_force(o, {}), InvalidInput);
  EXPECT_THROW(indirect_force(o, {r.time, r.position, {}, {}, {}}), InvalidInput);
  EXPECT_THROW(indirect_force(o, {r.time, r.position, {1.0}, {}, r.input}), InvalidInput);
  EXPECT_THROW(indirect_force(o, {r.time, r.position, {}, {}, r.input}, {100.0, 4.0}),
               InvalidInput);
  EXPECT_THROW(indirect_force(o, {r.time, r.position, {}, {}, r.input}, {1.0, 4.0}), InvalidInput);
  auto uneven = r.time;
  uneven[7] += 1e-3;
  EXPECT_THROW(indirect_force(o, {uneven, r.position, {}, {}, r.input}), InvalidInput);
}

TEST(Sensitivity, LawsWithoutMemoryAreInsensitive) {
  EXPECT_FALSE(classify_sensitivity(ErasedLaw<Coulomb<>>(Coulomb<>{})).sensitive);
  HystereticStatic<> law;
  law.kind = HystereticStatic<>::non_reversible;
  EXPECT_FALSE(classify_sensitivity(*erase(law), {.load = 35.0}).sensitive);
}

TEST(Sensitivity, LawsWithMemoryOrVaryingBreakawayAreSensitive) {
  EXPECT_TRUE(classify_sensitivity(*erase(HystereticStatic<>{}), {.load = 35.0}).sensitive);
  EXPECT_TRUE(classify_sensitivity(*erase(SevenParameter{})).sensitive);
  EXPECT_TRUE(classify_sensitivity(ErasedLaw<LuGre<>>(LuGre<>{})).sensitive);
}

TEST(Lyapunov, OfAnOscillatorIsNegativeOnACycle) {
  const auto parts = parts_of(body(), erase(HystereticStatic<>{}));
  const auto l = largest_exponent(parts, 0.1, 0.003, 1e-9, {.transient = 20, .beats = 40});
  EXPECT_LT(l.exponent, -1.0);
  EXPECT_THROW(largest_exponent(parts, 0.0, 0.003, 1e-9), InvalidInput);
}

// Without friction two motions of a damped body come together as exp(-damping t / (2 mass)).
TEST(Lyapunov, OfADampedBodyIsThatOfItsDamping) {
  MachineParts parts = parts_of(body(), erase(Coulomb<>{.coulomb_force = 1.0}));
  parts.contacts.clear();
  const auto l = largest_exponent(parts, 0.1, 0.003, 1e-10, {.transient = 10, .beats = 200});
  EXPECT_NEAR(l.exponent, -16.85 / (2.0 * 3.35), 0.01);
}

TEST(LiteralForm, RootsSolveTheEquationAndAreSeveralOrNone) {
  const HystereticStatic<> law;
  const double mass = 3.35, load = 35.0;
  int several = 0, none = 0;
  for (double v = 0.001; v < 0.05; v += 0.0007)
    for (double push = -40.0; push < 80.0; push += 1.7) {
      const auto roots = literal_roots(law, mass, load, v, push);
      for (const auto& r : roots)
        EXPECT_NEAR(mass * r.acceleration, push - load * r.coefficient, 1e-6) << v << " " << push;
      several += roots.size() > 1 ? 1 : 0;
      none += roots.empty() ? 1 : 0;
    }
  EXPECT_GT(several, 30);
  EXPECT_GT(none, 10);
  EXPECT_TRUE(literal_roots(law, mass, load, 0.0, 1.0).empty());
}

TEST(LiteralForm, MovesLikeTheWellPosedOneAndHasSeveralAccelerationsOnTheWay) {
  Options o{.end = 1.4, .tolerance = 1e-8, .step = 1e-4, .samples = 4001, .record_from = 1.0};
  o.initial.velocity = 1e-3;
  const LiteralMotion literal = literal_motion(HystereticStatic<>{}, body(), o);
  ASSERT_TRUE(literal.finished);
  EXPECT_GT(literal.several, literal.evaluations / 1000);
  double most = 0.0;
  for (const double x : simulate(HystereticStatic<>{}, body(), o).trajectory.position)
    most = std::max(most, x);
  EXPECT_NEAR(literal.most_position, most, 5e-3 * most);
}

}  // namespace
}  // namespace bristle::measured_friction_test
