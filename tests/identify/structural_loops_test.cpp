// SPDX-License-Identifier: MIT
// Loops of structures: made by the textbook equations with alpha, k, beta, gamma and n, written
// here a second time and integrated by Runge and Kutta, and met or found again by
// degrading_bouc_wen.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bristle/identify/fit.hpp"
#include "bristle/mechanism/registry.hpp"
#include "bristle/model/degrading_bouc_wen.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::structural_loops_test {
namespace {

constexpr double period = 4.0, yield = 0.01;  // [s], displacement [m]

struct Textbook {
  double k = 2e6, alpha = 0.05, share = 0.5, n = 1.0;  // share: beta / (beta + gamma)
  double strength = 0.0, stiffness = 0.0;              // losses per unit of energy
  double pinching = 0.0, rate = 0.0, place = 0.0, width = 0.15, spread = 0.0, mix = 0.5;

  // dz and de over dx, energies in metres squared.
  std::array<double, 2> slopes(double z, double e, double way) const {
    const double sum = std::pow(yield, -n), beta = share * sum, gamma = sum - beta;
    const double in_units = e / (yield * yield);
    const double nu = 1.0 + strength * in_units, eta = 1.0 + stiffness * in_units;
    const double last = std::pow(1.0 / (nu * sum), 1.0 / n);
    const double z1 = pinching * (1.0 - std::exp(-rate * in_units));
    const double z2 = yield * (width + spread * in_units) * (mix + z1);
    const double off = (z * way - place * last) / z2;
    const double h = 1.0 - z1 * std::exp(-off * off);
    const double size = std::pow(std::abs(z), n);
    const double bend = beta * way * std::copysign(size, z) + gamma * size;
    return {h / eta * (1.0 - nu * bend), z};
  }

  Record loops(const std::vector<double>& amplitudes, int samples = 400) const {
    Record r;
    double z = 0.0, e = 0.0, before = 0.0;
    const int count = samples * int(amplitudes.size());
    for (int i = 0; i <= count; ++i) {
      const double time = period * i / samples;
      const double amplitude =
          amplitudes[std::min(std::size_t(i / samples), amplitudes.size() - 1)];
      const double x = amplitude * std::sin(2.0 * std::numbers::pi * time / period);
      const double way = x > before ? 1.0 : -1.0;
      constexpr int steps = 50;
      const double h = (x - before) / steps;
      for (int s = 0; s < steps && i > 0; ++s) {
        const auto a = slopes(z, e, way);
        const auto b = slopes(z + 0.5 * h * a[0], e + 0.5 * h * a[1], way);
        const auto c = slopes(z + 0.5 * h * b[0], e + 0.5 * h * b[1], way);
        const auto d = slopes(z + h * c[0], e + h * c[1], way);
        z += h / 6.0 * (a[0] + 2.0 * b[0] + 2.0 * c[0] + d[0]);
        e += h / 6.0 * (a[1] + 2.0 * b[1] + 2.0 * c[1] + d[1]);
      }
      before = x;
      r.time.push_back(time);
      r.position.push_back(x);
      r.force.push_back(alpha * k * x + (1.0 - alpha) * k * z);
    }
    return r;
  }
  DegradingBoucWen<> law() const {
    return {.stiffness = (1.0 - alpha) * k,
            .yield_force = (1.0 - alpha) * k * yield,
            .elastic = alpha * k,
            .exponent = n,
            .shape = share,
            .strength_loss = strength,
            .stiffness_loss = stiffness,
            .pinching = pinching,
            .pinching_rate = rate,
            .pinching_place = place,
            .pinching_width = width,
            .pinching_spread = spread,
            .pinching_mix = mix};
  }
};

const Textbook pinched{.strength = 0.01,
                       .stiffness = 0.02,
                       .pinching = 0.9,
                       .rate = 0.05,
                       .place = 0.05,
                       .spread = 0.002};
const std::vector<double> growing{0.02, 0.03, 0.04, 0.04, 0.05, 0.05};

Record noisy(Record r, double part) {
  double most = 0.0;
  for (const double f : r.force) most = std::max(most, std::abs(f));
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0.0, part * most);
  for (double& f : r.force) f += noise(random);
  return r;
}

bool within(const FitSummary& f, const std::string& name, double truth) {
  for (const auto& p : f.parameters)
    if (p.name == name) return truth >= p.lower && truth <= p.upper;
  return false;
}

TEST(StructuralLoops, FollowTheTextbookEquationsWithDegradationAndPinching) {
  const Record r = pinched.loops(growing, 2000);
  const DegradingBoucWen<> law = pinched.law();
  double z[2]{}, worst = 0.0, most = 0.0;
  for (std::size_t i = 1; i < r.time.size(); ++i) {
    for (int k = 0; k < 4; ++k) law.advance(z, (r.position[i] - r.position[i - 1]) / 4.0);
    worst = std::max(worst, std::abs(law.force(z, r.position[i]) - r.force[i]));
    most = std::max(most, std::abs(r.force[i]));
  }
  EXPECT_LT(worst, 1e-5 * most);
}

TEST(StructuralLoops, AreTheSameInASimulation) {
  PrescribedMotion given;
  given.signal.amplitude = 0.03;
  given.signal.frequency = 2.0 * std::numbers::pi / period;
  const auto law = make_law("degrading_bouc_wen", values_of(pinched.law()));
  const auto run = simulate(*law, given, {.end = 3.0 * period, .tolerance = 1e-9, .samples = 1201});
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  const Record r = pinched.loops({0.03, 0.03, 0.03});
  for (std::size_t i = 0; i < r.time.size(); i += 7)
    EXPECT_NEAR(run.trajectory.force[i], r.force[i], 1e-5 * 2e4) << r.time[i];
}

TEST(StructuralLoops, WithoutLossesAreThoseOfBoucWenBesideASpring) {
  const Textbook plain{.share = 0.7, .n = 2.0};
  PrescribedMotion given;
  given.signal.amplitude = 0.03;
  const Options options{.end = 10.0, .tolerance = 1e-9, .samples = 201};
  const auto own =
      simulate(*make_law("degrading_bouc_wen", values_of(plain.law())), given, options);
  const double sum = 1.0 / (yield * yield);
  const auto other = simulate(
      *make_law(
          "bouc_wen",
          {{"stiffness", 1.9e6}, {"beta", 0.7 * sum}, {"gamma", 0.3 * sum}, {"exponent", 2.0}}),
      given, options);
  ASSERT_TRUE(own.summary.ok() && other.summary.ok());
  for (std::size_t i = 0; i < 201; ++i)
    EXPECT_NEAR(own.trajectory.force[i],
                other.trajectory.force[i] + 1e5 * other.trajectory.position[i], 0.02)
        << i;
}

TEST(StructuralLoops, MoveEveryMechanismTheSameByBothMethods) {
  BRISTLE_NEEDS_SUNDIALS();
  const auto law = make_law("degrading_bouc_wen",
                            {{"strength_loss", 0.02}, {"pinching", 0.5}, {"elastic", 10.0}});
  for_each_mechanism([&]<class M>(const M& mechanism) {
    const auto end = [&](int method) {
      const auto run = simulate(*law, mechanism, {.end = 1.0, .method = method});
      EXPECT_TRUE(run.summary.ok()) << M::name << ": " << run.summary.message;
      EXPECT_TRUE(run.summary.ledger.closes) << M::name;
      return std::pair{run.trajectory.position.back(), run.trajectory.force.back()};
    };
    const auto [position, force] = end(Options::rosenbrock);
    const auto [other_position, other_force] = end(Options::cvode);
    EXPECT_NEAR(position, other_position, 1e-5 * (std::abs(position) + 1e-6)) << M::name;
    EXPECT_NEAR(force, other_force, 1e-5 * (std::abs(force) + 0.1)) << M::name;
  });
}

TEST(StructuralLoops, AreComparedOnlyIfTheyAreNamed) {
  const auto has = [](const std::vector<std::string>& names) {
    return std::count(names.begin(), names.end(), "degrading_bouc_wen") == 1;
  };
  EXPECT_TRUE(has(fitted_laws()));
  EXPECT_FALSE(has(compared_laws()));
}

TEST(StructuralLoops, AreFoundAgainFromNoisyLoops) {
  const Textbook plain{.share = 0.6, .n = 1.5};
  const auto f =
      fit("degrading_bouc_wen", {prepare(noisy(plain.loops({0.01, 0.02, 0.04, 0.03}), 0.01))}, {});
  ASSERT_TRUE(f.converged()) << f.message;
  EXPECT_LT(f.fitted.nrmse, 0.006);
  const DegradingBoucWen<> truth = plain.law();
  EXPECT_TRUE(within(f, "stiffness", truth.stiffness));
  EXPECT_TRUE(within(f, "yield_force", truth.yield_force));
  EXPECT_TRUE(within(f, "elastic", truth.elastic));
  EXPECT_TRUE(within(f, "shape", 0.6));
}

TEST(StructuralLoops, AreFittedWithTheirLosses) {
  Textbook degrading{.strength = 0.02, .stiffness = 0.05};
  FitOptions o;
  o.free = {"strength_loss", "stiffness_loss"};
  const auto f = fit("degrading_bouc_wen", {prepare(noisy(degrading.loops(growing), 0.01))}, o);
  ASSERT_TRUE(f.converged()) << f.message;
  EXPECT_LT(f.fitted.nrmse, 0.006);
  EXPECT_TRUE(within(f, "strength_loss", 0.02));
  EXPECT_TRUE(within(f, "stiffness_loss", 0.05));
}

TEST(StructuralLoops, AreFittedWithTheirPinching) {
  FitOptions o;
  o.free = {"strength_loss",  "stiffness_loss", "pinching",       "pinching_rate",
            "pinching_place", "pinching_width", "pinching_spread"};
  // From nearby: the search from nowhere takes ten seconds.
  o.starts = 0;
  o.guess = {{"stiffness", 1.5e6}, {"yield_force", 1.6e4},  {"elastic", 1.2e5},
             {"pinching", 0.7},    {"pinching_rate", 0.08}, {"strength_loss", 0.02}};
  const auto f = fit("degrading_bouc_wen", {prepare(noisy(pinched.loops(growing), 0.01))}, o);
  EXPECT_LT(f.fitted.nrmse, 0.006);
  EXPECT_TRUE(within(f, "pinching", 0.9));
  EXPECT_TRUE(within(f, "pinching_rate", 0.05));
  EXPECT_TRUE(within(f, "pinching_place", 0.05));
}

}  // namespace
}  // namespace bristle::structural_loops_test
