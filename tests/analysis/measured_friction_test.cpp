// SPDX-License-Identifier: MIT
// Friction from measured signals, and laws in two groups.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bristle/analysis/indirect_force.hpp"
#include "bristle/analysis/lyapunov.hpp"
#include "bristle/analysis/sensitivity.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/erase.hpp"
#include "bristle/model/lugre.hpp"

namespace bristle {
namespace {

FrictionOscillator rig() {
  FrictionOscillator o;
  o.base.amplitude = 0.003;
  o.base.frequency = 20.0 * std::numbers::pi;
  return o;
}
OscillatorRun measured(double samples) {
  Options options;
  options.record_from = 1.0;
  options.end = 1.4;
  options.samples = samples;
  options.tolerance = 1e-10;
  return simulate_oscillator(MeasuredFriction{}, rig(), options);
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
  const auto f = indirect_force(rig(), {r.time, r.position, r.velocity, r.body_acceleration, {}});
  EXPECT_LT(rms_error(f.force, r.force), 1e-9);
}

TEST(IndirectForce, FromPositionsAloneSmoothsTheJumps) {
  const auto r = measured(8001);
  const auto f = indirect_force(rig(), {r.time, r.position, {}, {}, r.base});
  // Friction jumps by some 16 N within a millisecond four times in this record.
  EXPECT_LT(rms_error(f.force, r.force), 0.5);
  auto noisy = r;
  std::mt19937_64 random(4);
  std::normal_distribution<double> noise(0.0, 1e-8);
  for (auto& x : noisy.position) x += noise(random);
  const auto rough = indirect_force(rig(), {r.time, noisy.position, {}, {}, r.base}, {2.0, 2.0});
  const auto smooth = indirect_force(rig(), {r.time, noisy.position, {}, {}, r.base}, {20.0, 4.0});
  EXPECT_LT(rms_error(smooth.force, r.force), rms_error(rough.force, r.force));
}

TEST(IndirectForce, RefusesWhatItCannotUse) {
  const auto r = measured(101);
  const FrictionOscillator o = rig();
  EXPECT_THROW(indirect_force(o, {}), InvalidInput);
  EXPECT_THROW(indirect_force(o, {r.time, r.position, {}, {}, {}}), InvalidInput);
  EXPECT_THROW(indirect_force(o, {r.time, r.position, {1.0}, {}, r.base}), InvalidInput);
  EXPECT_THROW(indirect_force(o, {r.time, r.position, {}, {}, r.base}, {100.0, 4.0}), InvalidInput);
  EXPECT_THROW(indirect_force(o, {r.time, r.position, {}, {}, r.base}, {1.0, 4.0}), InvalidInput);
  auto uneven = r.time;
  uneven[7] += 1e-3;
  EXPECT_THROW(indirect_force(o, {uneven, r.position, {}, {}, r.base}), InvalidInput);
}

TEST(Sensitivity, LawsWithoutMemoryAreInsensitive) {
  EXPECT_FALSE(classify_sensitivity(ErasedLaw<Coulomb<>>(Coulomb<>{})).sensitive);
  HystereticStatic<> law;
  law.kind = HystereticStatic<>::non_reversible;
  EXPECT_FALSE(classify_sensitivity(law, {.load = 35.0}).sensitive);
}

TEST(Sensitivity, LawsWithMemoryOrVaryingBreakawayAreSensitive) {
  EXPECT_TRUE(classify_sensitivity(HystereticStatic<>{}, {.load = 35.0}).sensitive);
  EXPECT_TRUE(classify_sensitivity(SevenParameter{}).sensitive);
  EXPECT_TRUE(classify_sensitivity(ErasedLaw<LuGre<>>(LuGre<>{})).sensitive);
}

TEST(Lyapunov, OfAnOscillatorIsNegativeOnACycle) {
  const auto l = largest_exponent(MeasuredFriction{}, rig(), 1e-9, {.transient = 20, .beats = 40});
  EXPECT_LT(l.exponent, -1.0);
  FrictionOscillator still;
  still.base.shape = Signal::ramp;
  EXPECT_THROW(largest_exponent(MeasuredFriction{}, still, 1e-9), InvalidInput);
}

}  // namespace
}  // namespace bristle
