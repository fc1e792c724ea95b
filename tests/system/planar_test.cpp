// SPDX-License-Identifier: MIT
// Planar friction against the independent numbers of oracle/planar.py and closed forms.
#include "bristle/system/planar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/lugre.hpp"

namespace bristle {
namespace {

PlanarBody oscillator() {
  PlanarBody b;
  b.x_1 = b.x_2 = 0.08;
  b.v_1 = -0.8;
  b.v_2 = 0.8;
  return b;
}
Options until(double end, double samples = 2.0) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = 1e-11;
  return o;
}

TEST(Planar, OscillatorMatchesTheReference) {
  const auto early = simulate_planar({}, oscillator(), until(0.5));
  ASSERT_TRUE(early.ok()) << early.message;
  EXPECT_NEAR(early.events[0].time, 0.008766045, 1e-9);  // oracle: planar.oscillator.slip_1
  EXPECT_TRUE(early.events[0].slips);
  EXPECT_NEAR(early.x[0].back(), 0.0751214128, 3e-10);   // oracle: planar.oscillator.x_1_0_5
  EXPECT_NEAR(early.x[1].back(), -0.0439561357, 3e-10);  // oracle: planar.oscillator.x_2_0_5
  EXPECT_NEAR(early.v[0].back(), 0.3763316451, 3e-9);    // oracle: planar.oscillator.v_1_0_5
  EXPECT_NEAR(early.v[1].back(), 0.8173051824, 3e-9);    // oracle: planar.oscillator.v_2_0_5
  EXPECT_NEAR(early.z[0].back(), 0.0051501355, 3e-10);   // oracle: planar.oscillator.z_1_0_5
  EXPECT_NEAR(early.z[1].back(), 0.0085718204, 3e-10);   // oracle: planar.oscillator.z_2_0_5
  const auto late = simulate_planar({}, oscillator(), until(2.0));
  EXPECT_NEAR(late.x[0].back(), -0.0080222884, 3e-10);  // oracle: planar.oscillator.x_1_2
  EXPECT_NEAR(late.x[1].back(), 0.0118462926, 3e-10);   // oracle: planar.oscillator.x_2_2
  EXPECT_NEAR(late.v[0].back(), -0.0871144290, 3e-9);   // oracle: planar.oscillator.v_1_2
  EXPECT_NEAR(late.v[1].back(), -0.1430260076, 3e-9);   // oracle: planar.oscillator.v_2_2
  const auto on = simulate_planar({}, oscillator(), until(2.5));
  ASSERT_GE(on.events.size(), 2u);
  EXPECT_NEAR(on.events[1].time, 2.232942862, 1e-8);  // oracle: planar.oscillator.stick_1
  EXPECT_FALSE(on.events[1].slips);
  EXPECT_LT(on.ledger_error, 1e-8);
}

// Damping by the norm vanishes above damping_velocity: the last swing on the bristle goes on. By a
// constant it dies.
TEST(Planar, WithDampingByTheNormTheOscillatorSwingsOn) {
  PlanarLaw law;
  const auto on = simulate_planar(law, oscillator(), until(20.0));
  EXPECT_GT(std::hypot(on.v[0].back(), on.v[1].back()), 0.02);
  law.damping_by = 2;
  const auto dies = simulate_planar(law, oscillator(), until(20.0));
  EXPECT_LT(std::hypot(dies.v[0].back(), dies.v[1].back()), 1e-5);
}

TEST(Planar, DraggedMassSticksAndSlipsAsTheReference) {
  PlanarBody b;
  b.drag_velocity_1 = 0.01;
  b.drag_velocity_2 = 0.005;
  const auto r = simulate_planar({}, b, until(12.0));
  ASSERT_TRUE(r.ok()) << r.message;
  std::vector<double> slips;
  for (const auto& e : r.events)
    if (e.slips) slips.push_back(e.time);
  // oracle: planar.dragged.slip_1 .slip_2 .slip_3 .slip_4 .slip_5 .slip_6
  const double expected[]{2.14705177, 3.18245104, 4.19369473, 5.19615974, 6.1958775, 7.19475315};
  ASSERT_GE(slips.size(), 10u);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(slips[std::size_t(i)], expected[i], 2e-8);
  EXPECT_NEAR(r.x[0].back(), 0.1091724949, 1e-8);  // oracle: planar.dragged.x_1
  EXPECT_NEAR(r.x[1].back(), 0.0545860084, 1e-8);  // oracle: planar.dragged.x_2
  EXPECT_LT(r.ledger_error, 1e-7);
}

// Along one axis it is the reset integrator in one dimension.
TEST(Planar, AlongOneAxisMatchesTheReferenceInOneDimension) {
  PlanarBody b;
  b.x_1 = 0.08;
  b.bend = 0.0;
  PlanarLaw law;
  law.gradient = 0.0;
  law.damping = 0.0;
  const auto r = simulate_planar(law, b, until(2.0, 20001));
  const auto extremes = find_decay(r.time, r.x[0], 0.01);
  // oracle: planar.line.plain.extreme_1 .extreme_2 .extreme_3 .extreme_4 .extreme_5
  const double expected[]{0.060710678, 0.044512135, 0.029888438, 0.018205495, 0.011617820};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(extremes.size[std::size_t(i)], expected[i], 2e-8) << i;
  law.gradient = 0.1;
  law.damping = 74.15;
  law.damping_by = 2;
  const auto damped = simulate_planar(law, b, until(1.2, 20001));
  const auto fewer = find_decay(damped.time, damped.x[0], 0.01);
  EXPECT_NEAR(fewer.size[0], 0.050569152, 2e-8);  // oracle: planar.line.damped.extreme_1
  EXPECT_NEAR(fewer.size[1], 0.010751964, 2e-8);  // oracle: planar.line.damped.extreme_2
}

// The polar form of the source: z_r' = v_r or 0, z_phi' = v_phi / z_r.
TEST(Planar, CartesianAndPolarFormAgree) {
  const PlanarLaw law;
  for (const double angle : {0.1, 1.0, 2.6, 4.4})
    for (const bool slips : {false, true}) {
      const double r = slips ? law.stiction_range : 0.004;
      const Plane z{r * std::cos(angle), r * std::sin(angle)}, v{0.3, -0.2};
      const double radial = v[0] * std::cos(angle) + v[1] * std::sin(angle),
                   turning = -v[0] * std::sin(angle) + v[1] * std::cos(angle);
      const double r_rate = slips ? 0.0 : radial, angle_rate = turning / r;
      const Plane polar{r_rate * std::cos(angle) - r * angle_rate * std::sin(angle),
                        r_rate * std::sin(angle) + r * angle_rate * std::cos(angle)};
      const Plane rate = law.rate(z, v, slips);
      EXPECT_NEAR(rate[0], polar[0], 1e-15);
      EXPECT_NEAR(rate[1], polar[1], 1e-15);
    }
}

// A bristle under a slip that turns, step by step in both forms with the same method.
TEST(Planar, MotionsInCartesianAndPolarFormAgree) {
  const PlanarLaw law;
  const double range = law.stiction_range, h = 1e-5;
  const auto slip = [](double t) {
    return Plane{0.3 * std::cos(4.0 * t), 0.3 * std::sin(4.0 * t)};
  };
  Plane z{range, 0.0}, polar{range, 0.0};
  const auto cartesian = [&](const Plane& at, double t) { return law.rate(at, slip(t), true); };
  const auto turned = [&](const Plane& at, double t) {
    const Plane v = slip(t);
    return Plane{0.0, (-v[0] * std::sin(at[1]) + v[1] * std::cos(at[1])) / at[0]};
  };
  const auto step = [&](const auto& f, Plane& y, double t) {
    const auto moved = [&](const Plane& k, double part) {
      return Plane{y[0] + part * h * k[0], y[1] + part * h * k[1]};
    };
    const Plane a = f(y, t), b = f(moved(a, 0.5), t + 0.5 * h), c = f(moved(b, 0.5), t + 0.5 * h),
                d = f(moved(c, 1.0), t + h);
    for (std::size_t i = 0; i < 2; ++i) y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
  };
  for (int i = 0; i < 20000; ++i) {
    step(cartesian, z, i * h);
    step(turned, polar, i * h);
  }
  EXPECT_NEAR(z[0], polar[0] * std::cos(polar[1]), 1e-10 * range);
  EXPECT_NEAR(z[1], polar[0] * std::sin(polar[1]), 1e-10 * range);
}

// Stiffness, gradient and damping each have their own value along the second axis.
TEST(Planar, ParametersDifferAlongTheAxes) {
  PlanarLaw law;
  law.stiffness_ratio = 2.0;
  law.gradient_ratio = 3.0;
  law.damping_ratio = 0.5;
  law.damping_by = 2;
  const double z = 0.003, v = 0.01;
  EXPECT_NEAR(law.force({z, 0.0}, {v, 0.0}, false)[0], 100.0 * 1.1 * z + 74.15 * v, 1e-12);
  EXPECT_NEAR(law.force({0.0, z}, {0.0, v}, false)[1], 200.0 * 1.3 * z + 0.5 * 74.15 * v, 1e-12);
  EXPECT_NEAR(law.force({0.0, z}, {0.0, v}, true)[1], 200.0 * z, 1e-12);
}

TEST(Planar, ForcesAndRatesTurnWithTheAxes) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  for (int i = 0; i < 10000; ++i) {
    PlanarLaw law;
    law.kind = i % 3;
    law.static_force = 1.0 + std::abs(part(random));
    const bool slips = law.kind == 0 && i % 2;
    const double turn = 3.0 * part(random), c = std::cos(turn), s = std::sin(turn);
    Plane z{0.01 * part(random), 0.01 * part(random)};
    const Plane v{0.02 * part(random), 0.02 * part(random)};
    const auto turned = [&](const Plane& a) {
      return Plane{c * a[0] - s * a[1], s * a[0] + c * a[1]};
    };
    const Plane f = turned(law.force(z, v, slips)), g = law.force(turned(z), turned(v), slips);
    const Plane p = turned(law.rate(z, v, slips)), q = law.rate(turned(z), turned(v), slips);
    for (std::size_t k = 0; k < 2; ++k) {
      ASSERT_NEAR(f[k], g[k], 1e-12) << "case " << i;
      ASSERT_NEAR(p[k], q[k], 1e-12) << "case " << i;
    }
  }
}

TEST(Planar, NoRandomContactCreatesEnergy) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int i = 0; i < 40; ++i) {
    PlanarLaw law;
    law.kind = i % 3;
    law.gradient = 0.0;
    law.stiffness = 50.0 + 400.0 * part(random);
    law.damping = law.kind ? 0.2 * part(random) : 80.0 * part(random);
    law.damping_by = int(3.0 * part(random));
    law.static_force = law.coulomb_force;
    PlanarBody b;
    b.x_1 = 0.1 * part(random), b.x_2 = -0.1 * part(random);
    b.v_1 = part(random), b.v_2 = part(random);
    b.bend_angle = 6.0 * part(random);
    const auto r = simulate_planar(law, b, until(1.5, 301));
    ASSERT_TRUE(r.ok()) << i << ": " << r.message;
    EXPECT_LT(r.ledger_error, 1e-7) << i;
    for (std::size_t k = 1; k < r.dissipated.size(); ++k)
      ASSERT_GE(r.dissipated[k], r.dissipated[k - 1] - 1e-9) << "case " << i;
  }
}

// Along one axis the planar laws are those in one dimension.
TEST(Planar, AlongOneAxisIsTheLawInOneDimension) {
  PlanarLaw law;
  law.stiffness = 1e5;
  law.damping = 300.0;
  law.viscous = 0.4;
  law.static_force = 1.5;
  law.stribeck_velocity = 0.001;
  LuGre<> lugre{.stiffness = 1e5, .damping = 300.0, .viscous = 0.4};
  ElastoPlastic<> plastic{.stiffness = 1e5, .damping = 300.0, .viscous = 0.4};
  for (const double v : {-0.2, -1e-4, 3e-4, 0.05})
    for (const double z : {-1.3e-5, -4e-6, 2e-6, 8e-6, 1.1e-5}) {
      const Motion<double> m{0.0, v, 1.0, 0.0};
      const Branch<> b{v < 0.0 ? -1.0 : 1.0, 0.0};
      law.kind = 1;
      EXPECT_NEAR(law.rate({0.0, z}, {0.0, v}, false)[1], lugre.respond(z, m, b).rate, 1e-12);
      EXPECT_NEAR(law.force({z, 0.0}, {v, 0.0}, false)[0], lugre.respond(z, m, b).force, 1e-9);
      law.kind = 2;
      EXPECT_NEAR(law.rate({0.0, z}, {0.0, v}, false)[1], plastic.respond(z, m, b).rate, 1e-12);
      EXPECT_NEAR(law.force({z, 0.0}, {v, 0.0}, false)[0], plastic.respond(z, m, b).force, 1e-9);
    }
}

// The bend stays within the largest steady one, whatever the slip.
TEST(Planar, BendsStayBounded) {
  for (const int kind : {1, 2}) {
    PlanarLaw law;
    law.kind = kind;
    law.static_force = 1.5;
    law.damping = 1.0;
    PlanarBody b = oscillator();
    b.shaken = true;
    b.direction = 0.4;
    b.dither = Signal{.amplitude = 0.7, .frequency = 31.0};
    const auto r = simulate_planar(law, b, until(3.0, 3001));
    ASSERT_TRUE(r.ok()) << r.message;
    for (std::size_t i = 0; i < r.time.size(); ++i)
      EXPECT_LE(std::hypot(r.z[0][i], r.z[1][i]), 1.5 / 100.0 * (1.0 + 1e-9));
    EXPECT_LT(r.ledger_error, 1e-7);
  }
}

TEST(Planar, TurningTheAxesTurnsTheMotion) {
  for (const int kind : {0, 1, 2}) {
    PlanarLaw law;
    law.kind = kind;
    law.static_force = 1.4;
    law.damping = kind ? 1.0 : 74.15;
    PlanarBody a = oscillator(), b = oscillator();
    const double turn = 0.7, c = std::cos(turn), s = std::sin(turn);
    b.x_1 = c * a.x_1 - s * a.x_2, b.x_2 = s * a.x_1 + c * a.x_2;
    b.v_1 = c * a.v_1 - s * a.v_2, b.v_2 = s * a.v_1 + c * a.v_2;
    b.bend_angle += turn;
    const auto one = simulate_planar(law, a, until(1.0)),
               other = simulate_planar(law, b, until(1.0));
    EXPECT_NEAR(other.x[0].back(), c * one.x[0].back() - s * one.x[1].back(), 1e-9) << kind;
    EXPECT_NEAR(other.x[1].back(), s * one.x[0].back() + c * one.x[1].back(), 1e-9) << kind;
  }
}

TEST(Planar, FrictionTakesEnergyAndNeverGivesIt) {
  for (const int kind : {0, 1})
    for (const double ratio : {1.0, 0.5}) {
      PlanarLaw law;
      law.kind = kind;
      law.stiffness_ratio = ratio;
      law.gradient = 0.0;
      law.damping = kind ? 0.5 : 74.15;
      PlanarBody b = oscillator();
      const auto r = simulate_planar(law, b, until(2.0, 2001));
      EXPECT_LT(r.ledger_error, 1e-7);
      // An anisotropic bristle that turns at a constant bend stores and gives back.
      if (ratio != 1.0 && kind == 0) continue;
      for (std::size_t i = 1; i < r.dissipated.size(); ++i)
        EXPECT_GE(r.dissipated[i], r.dissipated[i - 1] - 1e-9) << kind << " " << ratio;
    }
}

TEST(Planar, DryFrictionDecaysInAStraightLine) {
  const auto r = simulate_planar({}, oscillator(), until(2.2, 8001));
  const Decay d = find_decay(r.time, r.x[1]);
  EXPECT_FALSE(d.exponential());
  EXPECT_LT(d.line_residual, 0.01);
}

// Closed forms, and the means over a period of Coulomb friction under dither.
TEST(Dither, MeansMatchTheClosedForms) {
  EXPECT_NEAR(mean_friction_along(0.1, 1.0), 0.063768561, 1e-9);  // oracle: curves.dither.along_0_1
  // oracle: curves.dither.across_0_1
  EXPECT_NEAR(mean_friction_across(0.1, 1.0), 0.234415654, 1e-9);
  EXPECT_NEAR(mean_friction_along(0.5, 1.0), 0.333333333, 1e-9);  // oracle: curves.dither.along_0_5
  // oracle: curves.dither.across_0_5
  EXPECT_NEAR(mean_friction_across(0.5, 1.0), 0.642637682, 1e-9);
  EXPECT_EQ(mean_friction_along(2.0, 1.0), 1.0);
  // For small velocities they are the effective damping times the velocity.
  EXPECT_NEAR(mean_friction_along(1e-3, 1.0), effective_damping_along(1.0, 1.0) * 1e-3, 1e-9);
  EXPECT_NEAR(mean_friction_across(1e-3, 1.0), effective_damping_across(1.0, 1.0, 1e-3) * 1e-3,
              1e-8);
}

// Dither makes dry friction viscous: the swing decays exponentially, at the rate of the effective
// damping c / 2 m with c = 2 F / (pi A) along the motion.
TEST(Dither, AlongTheMotionGivesTheKnownDecay) {
  PlanarBody b;
  b.x_1 = 0.02;
  b.bend = 0.0;
  b.shaken = true;
  b.dither = Signal{.amplitude = 1.0, .frequency = 3000.0};
  PlanarLaw law;
  law.stiffness = 1e5;
  law.stiction_range = 1e-5;  // a Coulomb force of 1 N
  law.gradient = 0.0;
  law.damping = 0.0;
  Options o = until(6.0, 12001);
  o.tolerance = 1e-7;
  const auto r = simulate_planar(law, b, o);
  ASSERT_TRUE(r.ok()) << r.message;
  const Decay d = find_decay(r.time, r.x[0], 0.2);
  EXPECT_TRUE(d.exponential()) << d.line_residual << " " << d.exponential_residual;
  EXPECT_NEAR(d.rate, 1.0 / std::numbers::pi, 0.05 / std::numbers::pi);
}

TEST(Planar, RefusesABendBeyondTheStictionRange) {
  PlanarBody b;
  b.bend = 0.02;
  EXPECT_THROW(simulate_planar({}, b, until(1.0)), InvalidInput);
  PlanarLaw law;
  law.stiction_range = 0.0;
  EXPECT_THROW(simulate_planar(law, {}, until(1.0)), InvalidInput);
}

TEST(Planar, RefusesNegativeAnisotropyWithValueAndBound) {
  for (const auto member :
       {&PlanarLaw::stiffness_ratio, &PlanarLaw::gradient_ratio, &PlanarLaw::damping_ratio}) {
    PlanarLaw law;
    law.*member = -0.5;
    try {
      simulate_planar(law, {}, until(1.0));
      FAIL();
    } catch (const InvalidInput& e) {
      EXPECT_NE(std::string(e.what()).find("= -0.5 is not allowed, it must be"), std::string::npos)
          << e.what();
    }
  }
}

}  // namespace
}  // namespace bristle
