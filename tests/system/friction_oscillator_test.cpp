// SPDX-License-Identifier: MIT
// The measured friction oscillator against an independent computation, oracle/hysteretic.py.
#include "bristle/system/friction_oscillator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/model/coulomb.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/solve/simulate.hpp"
#include "bristle/system/literal_form.hpp"

namespace bristle {
namespace {

constexpr double pi = std::numbers::pi;

FrictionOscillator shaken(double amplitude, double hertz) {
  FrictionOscillator o;
  o.velocity = 1e-3;
  o.base.amplitude = amplitude;
  o.base.frequency = 2.0 * pi * hertz;
  return o;
}
FrictionOscillator shaken_twice(double first, double hertz, double second, double other) {
  FrictionOscillator o = shaken(first, hertz);
  o.base.shape = Signal::two_sines;
  o.base.second_amplitude = second;
  o.base.second_frequency = 2.0 * pi * other;
  return o;
}
Options between(double from, double end, double samples) {
  Options o;
  o.record_from = from;
  o.end = end;
  o.samples = samples;
  o.tolerance = 1e-11;
  return o;
}
double most(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }
double least(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }
double rms(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double a : x) sum += a * a;
  return std::sqrt(sum / double(x.size()));
}
// The size of a harmonic over the whole record.
double harmonic(const OscillatorRun& r, double hertz) {
  double c = 0.0, s = 0.0;
  const std::size_t n = r.time.size() - 1;
  for (std::size_t i = 0; i < n; ++i) {
    c += r.position[i] * std::cos(2.0 * pi * hertz * r.time[i]);
    s += r.position[i] * std::sin(2.0 * pi * hertz * r.time[i]);
  }
  return 2.0 * std::hypot(c, s) / double(n);
}

TEST(FrictionOscillator, HasTheNaturalFrequencyAndDampingOfTheRig) {
  // oracle: curves.rig.natural_frequency
  EXPECT_NEAR(FrictionOscillator{}.natural_frequency(), 6.17323765, 5e-9);
  // oracle: curves.rig.damping_ratio
  EXPECT_NEAR(FrictionOscillator{}.damping_ratio(), 0.0648383923, 5e-11);
}

TEST(FrictionOscillator, UnderAHarmonicBaseMatchesTheReference) {
  const auto r =
      simulate_oscillator(MeasuredFriction{}, shaken(0.003, 10.0), between(5.8, 6.0, 20001));
  ASSERT_TRUE(r.ok()) << r.message;
  EXPECT_NEAR(most(r.position), 0.004413077, 1e-9);  // oracle: hysteretic.periodic.max_position
  EXPECT_NEAR(most(r.velocity), 0.27783966, 1e-8);   // oracle: hysteretic.periodic.max_velocity
  // oracle: hysteretic.periodic.max_acceleration
  EXPECT_NEAR(most(r.acceleration), 19.754529, 1e-3);
  // oracle: hysteretic.periodic.max_coefficient
  EXPECT_NEAR(most(r.force) / 35.0, 0.33252369, 2e-5);
  // oracle: hysteretic.periodic.work
  EXPECT_NEAR((r.friction_work.back() - r.friction_work.front()) / 2.0, 0.15484996, 1e-7);
  EXPECT_NEAR(harmonic(r, 10.0), 4.4120477e-3, 1e-9);  // oracle: hysteretic.periodic.harmonic_1
  EXPECT_NEAR(harmonic(r, 30.0), 3.33129e-5, 1e-9);    // oracle: hysteretic.periodic.harmonic_3
  int seen = 0;
  for (const auto& e : r.events) {
    if (e.mode != ContactMode::speeds_up) continue;
    // oracle: hysteretic.periodic.breakaway_velocity
    EXPECT_NEAR(std::abs(e.velocity), 0.02442228, 1e-8);
    // oracle: hysteretic.periodic.breakaway_coefficient
    EXPECT_NEAR(std::abs(e.force) / 35.0, 0.330629477, 1e-8);
    ++seen;
  }
  EXPECT_EQ(seen, 4);
  EXPECT_LT(r.ledger_error, 1e-9);
}

TEST(FrictionOscillator, AConsistentStartMatchesTheReference) {
  MeasuredFriction f;
  f.law.start = HystereticStatic<>::consistent;
  const auto r = simulate_oscillator(f, shaken(0.003, 10.0), between(5.8, 6.0, 20001));
  // oracle: hysteretic.consistent.max_position
  EXPECT_NEAR(most(r.position), 0.0044291065, 2e-9);
  // oracle: hysteretic.consistent.min_position
  EXPECT_NEAR(least(r.position), -0.0044291065, 2e-9);
  const double work = (r.friction_work.back() - r.friction_work.front()) / 2.0;
  EXPECT_NEAR(work, 0.1553331185, 1e-8);  // oracle: hysteretic.consistent.work
  // There is no jump of the force at a reversal.
  for (std::size_t i = 1; i < r.force.size(); ++i)
    EXPECT_LT(std::abs(r.force[i] - r.force[i - 1]), 0.4) << r.time[i];
}

TEST(FrictionOscillator, UnderTwoFrequenciesMatchesTheReference) {
  const auto r = simulate_oscillator(MeasuredFriction{}, shaken_twice(0.002, 8.0, 0.001, 16.0),
                                     between(5.0, 6.0, 2001));
  ASSERT_TRUE(r.ok()) << r.message;
  // oracle: hysteretic.two.sampled.max_position
  EXPECT_NEAR(most(r.position), 0.0024258008, 2e-9);
  // oracle: hysteretic.two.sampled.min_position
  EXPECT_NEAR(least(r.position), -0.0046979549, 2e-9);
  EXPECT_NEAR(rms(r.position), 2.5965929e-3, 2e-9);  // oracle: hysteretic.two.sampled.rms
  const auto q =
      simulate_oscillator(MeasuredFriction{}, shaken_twice(0.002, 8.0, 0.001, 8.0 * std::sqrt(2.0)),
                          between(0.0, 30.0, 60001));
  EXPECT_NEAR(most(q.position), 0.0053032331, 2e-9);  // oracle: hysteretic.quasi.early.max_position
  EXPECT_NEAR(rms(q.position), 2.5700768e-3, 2e-9);   // oracle: hysteretic.quasi.early.rms
}

// With equal coefficients the family is Coulomb friction, which another engine runs.
TEST(FrictionOscillator, WithEqualCoefficientsIsCoulombFrictionOfTheOtherEngine) {
  MeasuredFriction f;
  f.law.kind = HystereticStatic<>::non_reversible;
  f.law.static_coefficient = f.law.coulomb_coefficient;
  BaseExcitedMass m;
  for (const double amplitude : {0.0012, 0.003}) {
    FrictionOscillator o = shaken(amplitude, 10.0);
    o.velocity = 0.0;
    m.signal = o.base;
    Options options = between(0.0, 1.0, 101);
    const auto r = simulate_oscillator(f, o, options);
    options.tolerance = 1e-9;
    const auto other = simulate(Coulomb<>{.coulomb_force = 8.75}, m, options);
    ASSERT_TRUE(r.ok() && other.summary.ok());
    for (std::size_t i = 0; i < r.time.size(); ++i) {
      EXPECT_NEAR(r.position[i], other.trajectory.position[i], 1e-8) << r.time[i];
      EXPECT_NEAR(r.velocity[i], other.trajectory.velocity[i], 1e-6) << r.time[i];
    }
    EXPECT_LT(r.ledger_error, 1e-9);
    EXPECT_TRUE(other.summary.ledger.closes);
  }
}

// Without rise and delay the seven-parameter model is a spring up to the Coulomb force: Dahl's
// model with the exponent zero, which another engine runs.
TEST(FrictionOscillator, SevenParametersWithoutRiseAreAClippedSpringOfTheOtherEngine) {
  SevenParameter law;
  law.static_rise = 0.0;
  law.delay = 0.0;
  law.stiffness = 1e5;
  FrictionOscillator o = shaken(0.003, 10.0);
  o.velocity = 0.0;
  BaseExcitedMass m;
  m.signal = o.base;
  const Options options = between(0.0, 1.0, 101);
  const auto r = simulate_oscillator(law, o, options);
  const auto other =
      simulate(Dahl<>{.stiffness = 1e5, .coulomb_force = 8.75, .exponent = 0.0}, m, options);
  ASSERT_TRUE(r.ok() && other.summary.ok()) << r.message;
  for (std::size_t i = 0; i < r.time.size(); ++i)
    EXPECT_NEAR(r.position[i], other.trajectory.position[i], 2e-7) << r.time[i];
}

// The delayed model against the method of steps.
TEST(FrictionOscillator, SevenParametersWithDelayMatchTheReference) {
  // oracle: seven.soft.x .v seven.stiff.x .v
  const double rows[][3]{{2e5, -0.00232945074195, -0.22393190024},
                         {1e6, -0.00234057662652, -0.21979593395}};
  for (const auto& [stiffness, x, v] : rows) {
    SevenParameter law;
    law.stiffness = stiffness;
    const auto r = simulate_oscillator(law, shaken(0.003, 10.0), between(0.0, 0.3, 11));
    ASSERT_TRUE(r.ok()) << r.message;
    EXPECT_NEAR(r.position.back(), x, 1e-10) << stiffness;
    EXPECT_NEAR(r.velocity.back(), v, 1e-8) << stiffness;
    EXPECT_LT(r.ledger_error, 1e-7);
  }
}

// A stiff and light rig moves as one degree of freedom does.
TEST(FrictionOscillator, TheRigWithStiffTongueAndPadsIsOneDegreeOfFreedom) {
  MeasuredFriction f;
  FrictionOscillator o = shaken(0.003, 10.0);
  Options options = between(0.9, 1.0, 1001);
  options.tolerance = 1e-9;
  const auto one = simulate_oscillator(f, o, options);
  o.kind = 1;
  o.tongue_spring = 1e8;
  o.tongue_damping = 2000.0;
  o.pad_spring = 1e8;
  const auto rig = simulate_oscillator(f, o, options);
  ASSERT_TRUE(rig.ok()) << rig.message;
  EXPECT_NEAR(most(rig.position), most(one.position), 0.01 * most(one.position));
  EXPECT_LT(rig.ledger_error, 1e-7);
}

TEST(FrictionOscillator, ARunThatGoesOnEndsAsOneInOnePiece) {
  const MeasuredFriction f;
  const FrictionOscillator o = shaken(0.003, 10.0);
  Options half = between(0.0, 0.5137, 2), whole = between(0.0, 1.0, 2);
  const auto first = simulate_oscillator(f, o, half);
  const auto second = simulate_oscillator(f, o, whole, first.last);
  const auto once = simulate_oscillator(f, o, whole);
  EXPECT_NEAR(second.position.back(), once.position.back(), 1e-11);
  EXPECT_NEAR(second.velocity.back(), once.velocity.back(), 1e-9);
}

TEST(FrictionOscillator, SmallMotionsDoNotChatter) {
  for (const double amplitude : {0.0006, 0.0008, 0.00095, 0.001, 0.0011}) {
    Options options = between(0.0, 20.0, 2);
    options.tolerance = 1e-7;
    const auto r = simulate_oscillator(MeasuredFriction{}, shaken(amplitude, 10.0), options);
    EXPECT_TRUE(r.ok()) << amplitude << ": " << r.message;
    EXPECT_LT(r.ledger_error, 1e-5);
  }
}

// Chaos meets every corner of the law: borders of modes passed at once, or two within a short
// while.
TEST(FrictionOscillator, AChaoticBaseDoesNotChatter) {
  FrictionOscillator o = shaken(0.001, 10.0);
  o.base = Signal{.shape = Signal::duffing, .amplitude = 0.001};
  Options options = between(0.0, 220.0 * 2.0 * pi / 90.0, 61);
  options.tolerance = 1e-6;
  const auto expect_done = [&](double force) {
    o.base.duffing_force = force;
    const auto r = simulate_oscillator(MeasuredFriction{}, o, options);
    EXPECT_TRUE(r.ok()) << force << ": " << r.message;
    EXPECT_LT(r.ledger_error, 1e-4) << force;
  };
  expect_done(1564.5645645645646);
  expect_done(2501.5015015015015);
  for (int i = 0; i < 40; ++i) expect_done(1000.0 + 100.1 * i);
}

TEST(FrictionOscillator, EveryKindRunsOnEveryBodyAndBase) {
  for (const int kind : {0, 1, 2})
    for (const int body : {0, 1, 2})
      for (const int shape : {Signal::sine, Signal::two_sines, Signal::duffing}) {
        MeasuredFriction f;
        f.law.kind = kind;
        FrictionOscillator o = shaken_twice(0.003, 10.0, 0.001, 14.0);
        o.kind = body;
        o.base.shape = shape;
        if (shape == Signal::duffing) o.base.amplitude = 0.001;
        Options options = between(0.0, 0.5, 51);
        options.tolerance = 1e-7;
        const auto r = simulate_oscillator(f, o, options);
        EXPECT_TRUE(r.ok()) << kind << " " << body << " " << shape << ": " << r.message;
        EXPECT_LT(r.ledger_error, 1e-5) << kind << " " << body << " " << shape;
        EXPECT_TRUE(simulate_oscillator(SevenParameter{}, o, options).ok()) << body << " " << shape;
      }
}

TEST(FrictionOscillator, RandomPartsAreSeeded) {
  MeasuredFriction f;
  f.roughness = Roughness{.decay = 100.0, .terms = 200.0, .spacing = 5.0};
  Options options = between(0.0, 0.3, 31);
  options.tolerance = 1e-8;
  const auto one = simulate_oscillator(f, shaken(0.003, 10.0), options);
  const auto same = simulate_oscillator(f, shaken(0.003, 10.0), options);
  f.roughness->seed = 2.0;
  const auto other = simulate_oscillator(f, shaken(0.003, 10.0), options);
  EXPECT_EQ(one.position, same.position);
  EXPECT_NE(one.position, other.position);
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

TEST(FrictionOscillator, RefusesWhatHasNoMeaning) {
  const auto sentence = [](const auto& run) {
    try {
      run();
    } catch (const InvalidInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  SevenParameter late;
  late.delay = 2.0;
  EXPECT_EQ(sentence([&] { simulate_oscillator(late, shaken(0.003, 10.0), between(0.0, 1.0, 2)); }),
            "seven_parameter: delay = 2 s must be less than the run, which ends at 1 s");
  MeasuredFriction slow;
  slow.law.delay = 0.1;
  EXPECT_NE(sentence([&] {
              simulate_oscillator(slow, shaken(0.003, 10.0), between(0.0, 1.0, 2));
            }).find("must be greater than"),
            std::string::npos);
  FrictionOscillator kinked = shaken(0.003, 10.0);
  kinked.base.shape = Signal::triangle;
  EXPECT_NE(sentence([&] {
              simulate_oscillator(slow, kinked, between(0.0, 1.0, 2));
            }).find("it must be smooth"),
            std::string::npos);
  MeasuredFriction low;
  low.law.static_coefficient = 0.1;
  EXPECT_EQ(sentence([&] { simulate_oscillator(low, shaken(0.003, 10.0), between(0.0, 1.0, 2)); }),
            "hysteretic_static: static_coefficient = 0.1 must be at least coulomb_coefficient = "
            "0.25");
}

}  // namespace
}  // namespace bristle
