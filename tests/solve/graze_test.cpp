// SPDX-License-Identifier: MIT
// Drives that graze a guard: what comes a little short of an edge does not cross it, and what goes
// a little beyond crosses it, however short the time it spends there.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/model/coulomb.hpp"
#include "bristle/model/reset_integrator.hpp"
#include "bristle/model/sawtooth.hpp"
#include "bristle/model/stribeck.hpp"
#include "random_machines.hpp"
#include "sundials.hpp"

namespace bristle::graze_test {
namespace {

using namespace testing_machines;

constexpr double pi = std::numbers::pi;

long count(const Simulation& run, EventKind kind) {
  long n = 0;
  for (const auto& e : run.trajectory.events) n += e.kind == kind;
  return n;
}

struct Graze {
  Options options;
  double excess;  // relative
  bool crosses() const { return excess > 0.0; }
};
// From a part in a thousand to a part in 1e11, either way, by both methods.
template <class Do>
void at_every_distance(const Do& look) {
  for (const int method : {int(Options::rosenbrock), int(Options::cvode)}) {
    if (method == Options::cvode && !with_sundials) continue;
    for (const double distance : {1e-3, 3e-5, 1e-6, 1e-8, 1e-11})
      for (const double side : {-1.0, 1.0}) {
        Graze g;
        g.options.method = method;
        g.options.samples = 101;
        g.excess = side * distance;
        SCOPED_TRACE(std::string(Options::methods[std::size_t(method)]) + ", excess " +
                     words(g.excess));
        look(g);
      }
  }
}
void expect_breaks_away(const Simulation& run, const Graze& g) {
  EXPECT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_EQ(count(run, EventKind::slip) > 0, g.crosses()) << run.summary.message;
  if (g.crosses()) return;
  for (const double v : run.trajectory.velocity) EXPECT_EQ(v, 0.0);
  for (const double x : run.trajectory.position) EXPECT_EQ(x, run.trajectory.position.front());
}

// The force at rest of each set-valued law at position zero, which must be held to stay.
TEST(Grazing, AForceBarelyAboveBreakAwayMovesTheBodyAndOneBarelyBelowDoesNot) {
  Random random(11);
  for (int i = 0; i < 12; ++i) {
    const double edge = near(random, 2.0);
    std::shared_ptr<const AnyLaw> law;
    if (i % 3 == 0) law = erase(Coulomb<>{edge});
    else if (i % 3 == 1) law = erase(Stribeck<>{.coulomb_force = 0.5 * edge, .static_force = edge});
    else law = erase(Sawtooth<>{.minimum_force = 0.5 * edge, .maximum_force = edge});
    const double held = law->limits({}).upper;
    const double frequency = std::pow(10.0, between(random, -3.0, 1.0));
    at_every_distance([&](Graze g) {
      WallSpringMass m{.mass = near(random, 1.0), .spring = near(random, 1.0)};
      m.signal.offset = between(random, -0.5, 0.5) * held;
      m.signal.amplitude = held * (1.0 + g.excess) - m.signal.offset;
      // Only the upper edge is reached.
      if (m.signal.offset < 0.0) m.signal.offset = 0.0, m.signal.amplitude = held * (1 + g.excess);
      m.signal.frequency = frequency;
      m.signal.phase = between(random, -1.5, 1.0);
      g.options.end = (0.5 * pi - m.signal.phase + 0.8) / frequency;
      expect_breaks_away(simulate(*law, m, g.options), g);
    });
  }
}

TEST(Grazing, ATorqueBarelyAboveBreakAwayMovesAPendulum) {
  Random random(12);
  for (int i = 0; i < 4; ++i)
    at_every_distance([&](Graze g) {
      Pendulum m{.inertia = near(random, 0.1), .weight = 1.0, .tilt = between(random, -0.3, 0.3)};
      // At angle zero the arm needs -sin(-tilt) to hang there.
      m.signal.amplitude = 2.0 * (1.0 + g.excess) + m.weight * std::sin(-m.tilt);
      m.signal.frequency = near(random, 0.1);
      g.options.end = 0.7 * pi / m.signal.frequency;
      expect_breaks_away(simulate(Coulomb<>{2.0}, m, g.options), g);
    });
}

TEST(Grazing, ABaseBarelyFastEnoughShakesItsMassLoose) {
  Random random(13);
  for (int i = 0; i < 4; ++i)
    at_every_distance([&](Graze g) {
      BaseExcitedMass m{.mass = near(random, 1.0), .spring = 5.0, .damping = 0.1};
      m.signal.frequency = near(random, 3.0);
      m.signal.amplitude = (1.0 + g.excess) / (m.mass * square(m.signal.frequency));
      g.options.end = 0.7 * pi / m.signal.frequency;
      expect_breaks_away(simulate(Coulomb<>{1.0}, m, g.options), g);
    });
}

// The pressure follows the command; its highest value is known in closed form.
TEST(Grazing, APressureBarelyHighEnoughMovesTheStemOfAValve) {
  Random random(14);
  for (int i = 0; i < 4; ++i)
    at_every_distance([&](Graze g) {
      DiaphragmValve m{.mass = 1.0,
                       .spring = 5.0,
                       .preload = 0.3,
                       .area = 0.01,
                       .gain = 10.0,
                       .least_pressure = 50.0,
                       .time_constant = near(random, 0.4)};
      m.signal.offset = between(random, -5.0, 5.0);
      m.signal.amplitude = 20.0;
      m.signal.frequency = near(random, 1.0);
      const double lag = std::atan(m.signal.frequency * m.time_constant);
      const auto pressure = [&](double t) {
        const double wave = m.signal.amplitude * std::cos(lag);
        return m.least_pressure +
               m.gain * (m.signal.offset + wave * (std::sin(m.signal.frequency * t - lag) +
                                                   std::sin(lag) * std::exp(-t / m.time_constant)));
      };
      double low = 0.25 * pi / m.signal.frequency, high = pi / m.signal.frequency;
      for (int k = 0; k < 200; ++k) {
        const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        (pressure(a) < pressure(b) ? low : high) = pressure(a) < pressure(b) ? a : b;
      }
      const double held = m.area * pressure(low) - m.preload;
      g.options.end = high + 0.3 / m.signal.frequency;
      g.options.tolerance = 1e-13;  // the pressure is one of the states here
      if (std::abs(g.excess) < 1e-9) return;
      expect_breaks_away(simulate(Coulomb<>{held / (1.0 + g.excess)}, m, g.options), g);
    });
}

// A free mass under Coulomb friction: v = v0 - (A / (m w)) sin(w t) while it slides.
TEST(Grazing, AVelocityThatBarelyReachesZeroSticksAndOneThatBarelyDoesNotGoesOn) {
  Random random(15);
  for (int i = 0; i < 6; ++i)
    at_every_distance([&](Graze g) {
      if (std::abs(g.excess) < 1e-7) return;  // the velocity is known to the tolerance
      WallSpringMass m{.mass = near(random, 1.0), .spring = 0.0};
      m.signal.frequency = near(random, 2.0);
      m.signal.phase = 0.5 * pi;
      m.signal.amplitude = -0.8;
      m.signal.offset = 1.0;
      g.options.initial.velocity = 0.8 / (m.mass * m.signal.frequency * (1.0 + g.excess));
      g.options.end = pi / m.signal.frequency;
      g.options.tolerance = 1e-11;
      const auto run = simulate(Coulomb<>{1.0}, m, g.options);
      EXPECT_TRUE(run.summary.ok()) << run.summary.message;
      EXPECT_EQ(count(run, EventKind::stick) > 0, g.crosses()) << run.summary.message;
    });
}

// v = rate + amplitude w cos(w t): lowest at half a period.
TEST(Grazing, AGivenMotionThatBarelyTurnsBackHasTwoReversals) {
  Random random(16);
  for (int i = 0; i < 6; ++i)
    at_every_distance([&](Graze g) {
      PrescribedMotion m;
      m.signal.frequency = near(random, 2.0);
      m.signal.amplitude = 0.01;
      m.signal.rate = m.signal.amplitude * m.signal.frequency / (1.0 + g.excess);
      g.options.end = 1.7 * pi / m.signal.frequency;
      const auto run = simulate(*gentle_law("lugre"), m, g.options);
      EXPECT_TRUE(run.summary.ok()) << run.summary.message;
      EXPECT_EQ(count(run, EventKind::reversal), g.crosses() ? 2 : 0) << run.summary.message;
    });
}

// The spring of the reset integrator is stretched by the displacement until it saturates.
TEST(Grazing, ASpringStretchedBarelyBeyondItsRangeSaturates) {
  Random random(17);
  for (int i = 0; i < 6; ++i)
    at_every_distance([&](Graze g) {
      if (g.options.method == Options::cvode && std::abs(g.excess) < 1e-7) return;
      if (std::abs(g.excess) < 1e-9) return;  // the state is known to the tolerance
      PrescribedMotion m;
      ResetIntegrator<> law;
      law.range = near(random, 1e-3);
      m.signal.frequency = near(random, 2.0);
      m.signal.amplitude = law.range * (1.0 + g.excess);
      g.options.end = 0.8 * pi / m.signal.frequency;
      g.options.tolerance = 1e-12;
      const auto run = simulate(law, m, g.options);
      EXPECT_TRUE(run.summary.ok()) << run.summary.message;
      EXPECT_EQ(count(run, EventKind::switched) > 0, g.crosses()) << run.summary.message;
    });
}

// Document T, Fig. 3.11: quasi-static limit of a sawtooth under a slow sine.
TEST(Grazing, ASlowSineOverASawtoothReachesItsQuasiStaticExtremes) {
  Sawtooth<> law;
  WallSpringMass m{.mass = 1.0, .spring = 1.0};
  m.signal.amplitude = 2.0;
  m.signal.frequency = 0.001;
  Options o;
  o.end = 2.0 * 2.0 * pi / m.signal.frequency;
  o.samples = 2001;
  double lowest[2];
  for (int k = 0; k < 2; ++k) {
    o.tolerance = k == 0 ? 1e-8 : 1e-11;
    const auto run = simulate(law, m, o);
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    lowest[k] = *std::min_element(run.trajectory.position.begin(), run.trajectory.position.end());
  }
  EXPECT_NEAR(lowest[0], lowest[1], 1e-6);
}

}  // namespace
}  // namespace bristle::graze_test
